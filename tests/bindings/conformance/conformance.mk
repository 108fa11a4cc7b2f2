# SPDX-License-Identifier: Apache-2.0
# Test cases that every binding must answer as the library does.
.PHONY: conformance-cases conformance-check conformance-packages conformance-python conformance-js conformance-go conformance-postgres
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
# The packages give the recorded answers too. They are skipped only if their tools are missing.
GO_HERE := $(shell command -v $(GO) 2>/dev/null)
conformance-packages: # builds the packages that the cases are asked of
	$(if $(PYTHON_H),@$(MAKE) -s python-module)
	$(if $(JS_MISSING),,@$(MAKE) -s js)
	$(if $(GO_HERE),@$(MAKE) -s go)
	$(if $(HAVE_PGXS),@$(MAKE) -s postgres-extension)
conformance-python: # checks the answers and the guards of the package for Python
	@$(if $(PYTHON_H),$(MAKE) -s python-module && PYTHON='$(PYTHON)' sh tests/bindings/python/run.sh $(OUT)/python test_conformance test_fetching test_fields test_guards test_urivet test_connecting.Connecting test_limits.UrllibLimits test_limits.Counts test_markdown.Markdown test_markdown.Pieces.test_forms test_markdown.Pieces.test_no_renderer_finds_another_link,\
	    echo 'skipped: the package for Python needs python3-dev')
conformance-js: $(OUT)/urivet # checks the answers and the options of the packages for JavaScript
	@$(if $(JS_MISSING),echo 'skipped: the package for JavaScript needs $(JS_MISSING)',\
	    MAKE='$(MAKE)' sh tests/bindings/js/run.sh alone)
conformance-go: $(OUT)/urivet $(OUT)/liburivet.a # checks the answers and the guards of the module for Go
	@$(if $(GO_HERE),$(MAKE) -s go && GO='$(GO)' sh tests/bindings/go/run.sh build/go quick,echo 'skipped: the module for Go needs golang-go')
PG_SERVER := $(and $(HAVE_PGXS),$(wildcard $(shell $(PG_CONFIG) --bindir 2>/dev/null)/initdb))
conformance-postgres: # checks what each function of the extension for PostgreSQL answers
	@$(if $(PG_SERVER),$(MAKE) -s postgres-extension && cd tests/bindings/postgres && \
	    PG_CONFIG=$(PG_CONFIG) $(PYTHON) -B ../../unittests.py --jobs=1 . test_postgres.Functions,\
	    echo 'skipped: the extension for PostgreSQL needs postgresql-15 postgresql-server-dev-15')
