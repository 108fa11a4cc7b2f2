# SPDX-License-Identifier: Apache-2.0
# The JavaScript package: the library as WebAssembly, and guards for HTTP clients.
.PHONY: js js-check
JS := build/js
JS_CC ?= clang-19
JS_MISSING := $(strip $(if $(shell command -v $(JS_CC) 2>/dev/null),,clang-19) $(if $(shell command -v wasm-ld-19 2>/dev/null),,lld-19) \
    $(if $(shell command -v wasm-opt 2>/dev/null),,binaryen) $(if $(shell command -v zopfli 2>/dev/null),,zopfli) $(if $(shell command -v esbuild 2>/dev/null),,esbuild) $(if $(shell command -v node 2>/dev/null),,nodejs) $(if $(shell command -v npm 2>/dev/null),,npm))
js: ## builds the JavaScript package
ifeq ($(JS_MISSING),)
js: $(JS)/urivet.tgz
else
js:
	$(call lacks,$@,$(JS_MISSING))
endif

# Optimised for size, except the fast path, which nearly all URLs take. The small build has no tables of
# names: it refuses what only they could decide (wasm.c).
JS_SOURCES  = $(foreach floor,$(FLOORS),$(sort $(wildcard src/core/$(floor)/*.c)))
GATE_SOURCES = $(filter-out src/core/names/% src/core/rules/rules_idn.c src/core/rules/rules_looks.c src/core/uri/punycode.c src/core/policy/protected.c src/core/check/values.c,$(JS_SOURCES)) src/bindings/js/no_names.c
JS_CFLAGS   = --target=wasm32 -std=c11 -O2 -flto -ffreestanding -fvisibility=hidden -mbulk-memory -msign-ext -DURIVET_STATIC \
    -ffile-prefix-map=$(CURDIR)=. -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-parameter -Wno-ignored-attributes -Wno-pragma-clang-attribute
JS_FAST     = (plain/plain|check/check|rules/rules_query)[.]c$$
$(JS)/gate.c: JS_FAST = plain/plain[.]c$$
one_c       = LC_ALL=C awk -f src/bindings/onefile/onefile.awk -v version=$(VERSION) -v small='$(JS_FAST)'
$(JS)/urivet.c $(JS)/gate.c: src/bindings/onefile/onefile.awk src/bindings/js/octets.c src/bindings/js/wasm.c src/bindings/js/no_names.c src/bindings/js/js.mk build/onefile/urivet.c
$(JS)/urivet.c:
	$(Q)mkdir -p $(@D) && $(one_c) $(JS_SOURCES) src/bindings/js/octets.c src/bindings/js/wasm.c >$@
$(JS)/gate.c:
	$(Q)mkdir -p $(@D) && $(one_c) -v without=tlds -v unnamed=special $(GATE_SOURCES) src/bindings/js/octets.c src/bindings/js/wasm.c >$@
$(JS)/gate.wasm: JS_CFLAGS += -DURIVET_GATE
# Functions of the library that JavaScript calls as they are.
JS_EXPORTS  = $(patsubst %,--export-if-defined=urivet_%,version suggest normalise display compiled_fault_text reader_name)
$(JS)/urivet.wasm $(JS)/gate.wasm: %.wasm: %.c build/onefile/urivet.h
	$(call say,WASM)
	$(Q)$(JS_CC) $(JS_CFLAGS) -Ibuild/onefile -c $< -o $*.o
	$(Q)wasm-ld-19 --no-entry --gc-sections --strip-all --export=__heap_base $(if $(findstring gate,$@),,$(JS_EXPORTS)) -z stack-size=65536 --stack-first -O2 --lto-O2 $*.o -o $*.linked
	$(Q)wasm-opt -O2 -Oz --converge --enable-bulk-memory --enable-sign-ext $*.linked -o $@
	@rm -f $*.o $*.linked

# The policy compiler: the loader, reading values instead of YAML by functions of the same names, and
# the functions of the core that it needs.
POLICY_C    = $(filter-out src/core/check/peer.c src/core/plain/vector_%,$(JS_SOURCES)) \
    $(patsubst %,src/policyfile/%.c,load keys key_rules key_paths key_parameters parameters values problems overlaps overlaps_hosts overlaps_urls effects loaded compile) src/common/nearest.c src/common/rules.c src/bindings/js/octets.c src/bindings/js/policy.c
POLICY_O    = $(POLICY_C:%.c=$(JS)/compiler/%.o)
POLICY_LIBC = $(patsubst %,$(JS)/libc/%.h,errno stdio stdlib string strings)
$(POLICY_LIBC): src/bindings/js/libc.h
	$(Q)mkdir -p $(@D) && echo '#include "bindings/js/libc.h"' >$@
$(POLICY_O): $(JS)/compiler/%.o: %.c $(POLICY_LIBC) $(wildcard include/*.h include/urivet/* src/*/*.h src/core/*/*.h)
	$(Q)mkdir -p $(@D) && $(JS_CC) $(JS_CFLAGS) -DHAVE_LIBYAML -Wno-sign-compare -Os -Iinclude -Isrc/core -Isrc -I$(JS)/libc -c $< -o $@
$(JS)/policy.wasm: $(POLICY_O)
	$(call say,WASM)
	$(Q)wasm-ld-19 --no-entry --gc-sections --strip-all -z stack-size=262144 --stack-first -O2 --lto-O2 $^ -o $(JS)/policy.linked
	$(Q)wasm-opt -Oz --converge --enable-bulk-memory --enable-sign-ext $(JS)/policy.linked -o $@
	@rm -f $(JS)/policy.linked

# npm writes the same octets for the same files, which include their modes, at any time and in any folder.
$(JS)/urivet.tgz: $(JS)/urivet.wasm $(JS)/gate.wasm $(JS)/policy.wasm LICENSE src/bindings/js/build.mjs src/bindings/js/package.json src/bindings/js/README.md $(wildcard src/bindings/js/lib/* src/bindings/js/node/* src/bindings/js/types/*)
	$(call say,JS)
	$(Q)node src/bindings/js/build.mjs $(VERSION) $(JS)/urivet.wasm $(JS)/gate.wasm $(JS)/policy.wasm $(JS)/package
	$(Q)chmod -R u+rwX,go+rX,go-w $(JS)/package && cd $(JS) && npm pack --silent --offline ./package >/dev/null && mv urivet-$(VERSION).tgz urivet.tgz

js-check: js # tests the JavaScript package: shared binding cases, bad input, guards with negative controls
	@sh tests/bindings/js/run.sh
