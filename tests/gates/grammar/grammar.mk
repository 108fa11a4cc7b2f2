# SPDX-License-Identifier: Apache-2.0
# The automata of each language, and the program that compares the library with them.
##@ Gates that need more tools
.PHONY: tables conformance
GRAMMARS := $(patsubst tests/gates/grammar/%.abnf,build/grammar/%.dfa,$(wildcard tests/gates/grammar/*.abnf))
tables: $(GRAMMARS) # builds the automata of the grammars in tests/gates/grammar
build/grammar/%.dfa: tests/gates/grammar/%.abnf $(wildcard tests/gates/grammar/*.py)
	@mkdir -p $(@D)
	$(call say,DFA)
	$(Q)$(PYTHON) -B tests/gates/grammar/tables.py $< $@
conformance: # compares the library with these automata
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/gates/grammar/run.sh quick
$B/tests/gates/grammar/%.o: CPPFLAGS += -D_DEFAULT_SOURCE
$(filter-out build/mutate/conform,$(OUT)/conform): $B/tests/gates/grammar/conform.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
