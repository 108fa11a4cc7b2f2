# SPDX-License-Identifier: Apache-2.0
# The differential fuzzer: parsers of others in one process, under libFuzzer or AFL++.
.PHONY: differential differential-deps differential-check
JOBS   ?= 1
ENGINE_OF_DIFFERENTIAL = $(if $(filter command line environment,$(origin ENGINE)),$(ENGINE),libfuzzer)
DIFFERENTIAL := URIVET=$(OUT)/urivet PYTHON=$(PYTHON) MAKE='$(SUBMAKE)' $(PYTHON) -B fuzz/differential/differential.py
differential: all ## real parsers fuzzed against one another; TIME=60 JOBS=2 ENGINE=afl ADA=folder
	@$(DIFFERENTIAL) run --time=$(TIME) --jobs=$(JOBS) --engine=$(ENGINE_OF_DIFFERENTIAL)
differential-deps: ## installs the parsers that it runs, and its engines
	@sh fuzz/differential/install.sh
differential-check: all ## its own test, and what is reported of the parsers that are here
	@cd fuzz/differential && URIVET=$(abspath $(OUT)/urivet) MAKE='$(SUBMAKE)' $(PYTHON) -B -m unittest -q self_test

DIFFERENTIAL_O := $(addprefix $B/fuzz/differential/,readers.o outcome.o)
$(call objects,fuzz/differential/*.c): CPPFLAGS += -D_GNU_SOURCE
$(OUT)/readings: $B/fuzz/differential/readings.o $(DIFFERENTIAL_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -o $@ $^ $(LDLIBS)
# AFL++ loads the mutator itself
$(OUT)/differential: $B/fuzz/differential/harness.o $(DIFFERENTIAL_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) $($(VARIANT)_ENGINE) -pthread -o $@ $^ $(LDLIBS)
$(if $(filter differential,$(VARIANT)),$(OUT)/differential): $B/fuzz/mutator.o
