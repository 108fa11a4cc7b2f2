# SPDX-License-Identifier: Apache-2.0
# The automata of each language, and the program that compares the library with them.
##@ Gates that need more tools
.PHONY: tables conformance
GRAMMARS := $(patsubst tests/grammar/%.abnf,build/grammar/%.dfa,$(wildcard tests/grammar/*.abnf))
tables: $(GRAMMARS) # builds the automata of the grammars in tests/grammar
build/grammar/%.dfa: tests/grammar/%.abnf $(wildcard tests/grammar/*.py)
	@mkdir -p $(@D)
	$(call say,DFA)
	$(Q)$(PYTHON) -B tests/grammar/tables.py $< $@
conformance: ## compares the library with these automata
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/grammar/run.sh quick
$B/tests/grammar/%.o: CPPFLAGS += -D_DEFAULT_SOURCE
$(filter-out build/mutate/conform,$(OUT)/conform): $B/tests/grammar/conform.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
