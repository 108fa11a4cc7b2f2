# SPDX-License-Identifier: Apache-2.0
# The JavaScript package: the library as WebAssembly, and guards for HTTP clients.
.PHONY: js js-check
JS := build/js
JS_CC ?= clang-19
JS_MISSING := $(strip $(if $(shell command -v $(JS_CC) 2>/dev/null),,clang-19) $(if $(shell command -v wasm-ld-19 2>/dev/null),,lld-19) \
    $(if $(shell command -v wasm-opt 2>/dev/null),,binaryen) $(if $(shell command -v zopfli 2>/dev/null),,zopfli) $(if $(shell command -v esbuild 2>/dev/null),,esbuild) $(if $(shell command -v node 2>/dev/null),,nodejs) $(if $(shell command -v npm 2>/dev/null),,npm))
js: ## builds the JavaScript package, as far as the tools are installed
ifeq ($(JS_MISSING),)
js: $(JS)/urivet.tgz
else
js:
	@echo 'The package for JavaScript is not built: it needs $(JS_MISSING) (apt-get install $(JS_MISSING)).'
endif

# Optimised for size, except the fast path, which nearly all URLs take. The small build has no tables of
# names: it refuses what only they could decide (wasm.c).
JS_SOURCES  = $(foreach floor,$(FLOORS),$(sort $(wildcard src/$(floor)/*.c)))
GATE_SOURCES = $(filter-out src/names/% src/rules/rules_idn.c src/rules/rules_looks.c src/uri/punycode.c src/policy/protected.c,$(JS_SOURCES)) src/js/no_names.c
JS_CFLAGS   = --target=wasm32 -std=c11 -O2 -flto -ffreestanding -fvisibility=hidden -mbulk-memory -msign-ext -DURIVET_STATIC \
    -ffile-prefix-map=$(CURDIR)=. -Wall -Wextra -Werror -Wno-unused-function -Wno-ignored-attributes -Wno-pragma-clang-attribute
JS_FAST     = (plain/.*|judge/(check|batch|endpoint)|rules/rules_(query|tail))[.]c$$
$(JS)/gate.c: JS_FAST = plain/.*[.]c$$
one_c       = LC_ALL=C awk -f src/onefile/onefile.awk -v version=$(VERSION) -v small='$(JS_FAST)'
$(JS)/urivet.c $(JS)/gate.c: src/onefile/onefile.awk src/js/wasm.c src/js/no_names.c src/js/js.mk build/onefile/urivet.c
$(JS)/urivet.c:
	$(Q)mkdir -p $(@D) && $(one_c) $(JS_SOURCES) src/js/wasm.c >$@
$(JS)/gate.c:
	$(Q)mkdir -p $(@D) && $(one_c) -v without=tlds -v unnamed=special $(GATE_SOURCES) src/js/wasm.c >$@
$(JS)/gate.wasm: JS_CFLAGS += -DURIVET_GATE
$(JS)/urivet.wasm $(JS)/gate.wasm: %.wasm: %.c build/onefile/urivet.h
	$(call say,WASM)
	$(Q)$(JS_CC) $(JS_CFLAGS) -Ibuild/onefile -c $< -o $*.o
	$(Q)wasm-ld-19 --no-entry --gc-sections --strip-all --export=__heap_base -z stack-size=65536 --stack-first -O2 --lto-O2 $*.o -o $*.linked
	$(Q)wasm-opt -O2 -Oz --converge --enable-bulk-memory --enable-sign-ext $*.linked -o $@
	@rm -f $*.o $*.linked

# The policy compiler: the loader, reading values instead of YAML, and the functions of the core that it
# needs.
POLICY_C    = $(filter-out src/judge/peer.c src/plain/vector_%,$(JS_SOURCES)) \
    $(patsubst %,src/loader/%.c,load keys rules values nearest problems overlaps loaded compile) src/js/policy.c
POLICY_O    = $(POLICY_C:%.c=$(JS)/compiler/%.o)
POLICY_LIBC = $(patsubst %,$(JS)/libc/%.h,errno stdio stdlib string strings)
$(POLICY_LIBC): src/js/libc.h
	$(Q)mkdir -p $(@D) && echo '#include "js/libc.h"' >$@
$(POLICY_O): $(JS)/compiler/%.o: %.c $(POLICY_LIBC) $(wildcard include/*.h include/urivet/* src/*/*.h)
	$(Q)mkdir -p $(@D) && $(JS_CC) $(JS_CFLAGS) -Wno-sign-compare -Os -Iinclude -Isrc -I$(JS)/libc -c $< -o $@
$(JS)/policy.wasm: $(POLICY_O)
	$(call say,WASM)
	$(Q)wasm-ld-19 --no-entry --gc-sections --strip-all -z stack-size=262144 --stack-first -O2 --lto-O2 $^ -o $(JS)/policy.linked
	$(Q)wasm-opt -Oz --converge --enable-bulk-memory --enable-sign-ext $(JS)/policy.linked -o $@
	@rm -f $(JS)/policy.linked

# npm writes the same octets for the same files at any time and in any folder.
$(JS)/urivet.tgz: $(JS)/urivet.wasm $(JS)/gate.wasm $(JS)/policy.wasm LICENSE src/js/build.mjs src/js/package.json src/js/README.md $(wildcard src/js/lib/* src/js/node/* src/js/types/*)
	$(call say,JS)
	$(Q)node src/js/build.mjs $(VERSION) $(JS)/urivet.wasm $(JS)/gate.wasm $(JS)/policy.wasm $(JS)/package
	$(Q)cd $(JS) && npm pack --silent --offline ./package >/dev/null && mv urivet-$(VERSION).tgz urivet.tgz

js-check: js # tests the JavaScript package: shared binding cases, bad input, guards with negative controls
	@sh tests/js/run.sh
