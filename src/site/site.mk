# SPDX-License-Identifier: Apache-2.0
# The site: a playground on the library as WebAssembly, the catalogue, the documentation and the laboratory.
.PHONY: site
SITE := build/site
SITE_WORK := build/site-work
SITE_MISSING := $(JS_MISSING) $(strip $(if $(shell command -v pandoc 2>/dev/null),,pandoc) $(if $(shell command -v mandoc 2>/dev/null),,mandoc))
site: ## writes build/site: playground, findings, documentation, laboratory
ifeq ($(strip $(SITE_MISSING)),)
site: all docs spec $(SITE_WORK)/app.js $(SITE_WORK)/search.js
	$(Q)$(PYTHON) -B src/site/build.py $(SITE) $(VERSION) $(SITE_WORK)
else
site:
	$(call lacks,$@,$(SITE_MISSING))
endif

# One module for the page: the library with its readers, and the policy compiler. The package for JavaScript has
# them as two, without readers.
LOADER_C = $(filter src/policyfile/% src/common/% src/bindings/js/policy.c,$(POLICY_C))
SITE_O = $(LOADER_C:%.c=$(SITE_WORK)/%.o)
$(SITE_O): $(SITE_WORK)/%.o: %.c $(POLICY_LIBC) $(wildcard include/*.h include/urivet/* src/*/*.h)
	$(Q)mkdir -p $(@D) && $(JS_CC) $(JS_CFLAGS) -DHAVE_LIBYAML -Wno-sign-compare -Os -Iinclude -Isrc/core -Isrc -I$(JS)/libc -c $< -o $@
$(SITE_WORK)/urivet.o: $(JS)/urivet.c src/bindings/js/readers.c build/onefile/urivet.h
	$(Q)mkdir -p $(@D) && cat $(JS)/urivet.c src/bindings/js/readers.c >$(@:.o=.c) && $(JS_CC) $(JS_CFLAGS) -Ibuild/onefile -c $(@:.o=.c) -o $@
$(SITE_WORK)/urivet.wasm: $(SITE_WORK)/urivet.o $(SITE_O)
	$(call say,WASM)
	$(Q)wasm-ld-19 --no-entry --gc-sections --strip-all --export=__heap_base $(JS_EXPORTS) -z stack-size=262144 --stack-first -O2 --lto-O2 $^ -o $(SITE_WORK)/linked
	$(Q)wasm-opt -O2 -Oz --converge --enable-bulk-memory --enable-sign-ext $(SITE_WORK)/linked -o $@
	@rm -f $(SITE_WORK)/linked
$(SITE_WORK)/engine.mjs: $(SITE_WORK)/urivet.wasm src/site/build.mjs src/site/readers.js $(wildcard src/bindings/js/lib/*)
	$(call say,JS)
	$(Q)node src/site/build.mjs $< $@

# A script instead of modules, since browsers load no module from a file.
SITE_BUNDLE = esbuild --log-level=warning --bundle --minify --format=iife --target=es2022
$(SITE_WORK)/app.js: $(SITE_WORK)/engine.mjs $(wildcard src/site/app/*)
	$(call say,JS)
	$(Q)mkdir -p $(SITE_WORK)/app && cp src/site/app/*.js $(SITE_WORK)/engine.mjs $(SITE_WORK)/app
	$(Q)$(SITE_BUNDLE) $(SITE_WORK)/app/main.js --outfile=$@
$(SITE_WORK)/search.js: src/site/app/search.js
	$(Q)mkdir -p $(@D) && $(SITE_BUNDLE) $< --outfile=$@
