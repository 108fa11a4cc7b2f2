# SPDX-License-Identifier: Apache-2.0
# Test cases that every binding must answer as the library does.
.PHONY: conformance-cases conformance-check
CASES := tests/bindings/conformance/cases.jsonl
$(OUT)/cases: $B/tests/bindings/conformance/cases.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
conformance-cases: $(OUT)/cases # writes tests/bindings/conformance/cases.jsonl anew
	$(Q)$(RUN) $(OUT)/cases >$(OUT)/cases.jsonl && cp $(OUT)/cases.jsonl $(CASES)
conformance-check: $(OUT)/cases # checks that the recorded cases match the library's answers
	@$(RUN) $(OUT)/cases >$(OUT)/cases.jsonl && diff $(CASES) $(OUT)/cases.jsonl >/dev/null || \
	    { echo 'conformance: the library answers otherwise; make conformance-cases, and look at git diff'; exit 1; }
	@echo "conformance: $$(wc -l <$(CASES)) cases are what the library answers"
