# SPDX-License-Identifier: Apache-2.0
# Guards against slower code.
##@ Measure
.PHONY: bench-guard bench-guard-record
bench-guard: ## compares instruction counts with the recorded ones
	@MAKE='$(MAKE)' sh tests/gates/bench/guard.sh check
bench-guard-record: # records the current instruction counts
	@MAKE='$(SUBMAKE)' sh tests/gates/bench/guard.sh record

# The program that bench-guard counts instructions of.
$(OUT)/instructions: $B/tests/gates/bench/instructions.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
