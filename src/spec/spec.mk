# SPDX-License-Identifier: Apache-2.0
# The consensus URL: its text, regular expressions and test vectors.
.PHONY: spec
spec: $(OUT)/urivet ## writes build/spec: the consensus URL as a text, regular expressions and test vectors
	$(Q)mkdir -p build/spec && cp src/spec/runners/* build/spec
	$(Q)$(PYTHON) -B src/spec/vectors.py $(OUT)/urivet build/spec
	$(Q)$(PYTHON) -B src/spec/expressions.py build/spec
ifneq ($(shell command -v pandoc 2>/dev/null),)
	$(Q)$(PYTHON) -B src/spec/text.py build/spec
else
	@echo 'without pandoc the text is not written: apt-get install pandoc'
endif
