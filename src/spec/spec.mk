# SPDX-License-Identifier: Apache-2.0
# The consensus URL: its text, regular expressions and test vectors.
.PHONY: spec guards
spec: $(OUT)/urivet ## writes build/spec: the consensus URL as a text, regular expressions and test vectors
	$(Q)mkdir -p build/spec && cp src/spec/runners/* build/spec
	$(Q)$(PYTHON) -B src/spec/vectors.py $(OUT)/urivet build/spec
	$(Q)$(PYTHON) -B src/spec/expressions.py build/spec
ifneq ($(shell command -v pandoc 2>/dev/null),)
	$(Q)$(PYTHON) -B src/spec/text.py build/spec
else
	@echo 'without pandoc the text is not written: apt-get install pandoc'
endif

# Guards against SSRF: those of npm in their latest versions, and those of Debian that are installed. The table is printed and not kept.
GUARDS := request-filtering-agent ssrf-req-filter ssrfcheck private-ip url-sheriff dssrf @microsoft/antissrf
guards: $(OUT)/urivet # prints how guards of npm and Debian against SSRF classify special addresses and redirects
	$(if $(shell command -v npm 2>/dev/null),,$(call lacks,$@,npm))
	$(Q)npm install --prefix build/npm --no-save --ignore-scripts --no-audit --no-fund --loglevel=error $(GUARDS) >&2 || echo 'not every guard could be installed' >&2
	$(Q)node src/spec/guards.mjs build/npm/node_modules $(OUT)/urivet
