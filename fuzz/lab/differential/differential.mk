# SPDX-License-Identifier: Apache-2.0
# The differential fuzzer: third-party parsers in one process, under libFuzzer or AFL++.
##@ Fuzz
.PHONY: differential differential-afl differential-deps differential-check
DIFFERENTIAL := URIVET=$(OUT)/urivet PYTHON=$(PYTHON) MAKE='$(SUBMAKE)' $(PYTHON) -B fuzz/lab/differential/differential.py
differential: all ## fuzzes real parsers against one another with libFuzzer; TIME=60 JOBS=2 ADA=folder
	@$(DIFFERENTIAL) run --time=$(TIME) --jobs=$(or $(JOBS),1)
differential-afl: all # does the same with AFL++
	@$(DIFFERENTIAL) run --time=$(TIME) --jobs=$(or $(JOBS),1) --engine=afl
differential-deps: # installs the parsers and the fuzzing engines
	@sh fuzz/lab/differential/install.sh
differential-check: all # runs its own tests, and checks what it reports of the parsers installed here
	@URIVET=$(abspath $(OUT)/urivet) MAKE='$(SUBMAKE)' $(PYTHON) -B tests/unittests.py fuzz/lab/differential self_test

DIFFERENTIAL_O := $(addprefix $B/fuzz/lab/differential/,readers.o outcome.o)
$(call objects,fuzz/lab/differential/*.c): CPPFLAGS += -D_GNU_SOURCE
$(OUT)/readings: $B/fuzz/lab/differential/readings.o $(DIFFERENTIAL_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -o $@ $^ $(LDLIBS)
# AFL++ loads the mutator itself.
$(OUT)/differential: $B/fuzz/lab/differential/harness.o $(DIFFERENTIAL_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) $($(VARIANT)_ENGINE) -pthread -o $@ $^ $(LDLIBS)
$(if $(filter differential,$(VARIANT)),$(OUT)/differential): $B/fuzz/mutator.o
