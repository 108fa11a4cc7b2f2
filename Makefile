# SPDX-License-Identifier: Apache-2.0
# urivet: `make` builds, `make demo` shows examples, `make test` tests, `make install` installs.
# `make help` lists the other targets. Each suite has its own .mk file; this file works without them.
#   make VARIANT=asan check     builds each variant in a tree of its own, below build/
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# O=FOLDER builds in a copy of the sources there, for a tree that is read-only.
ifneq ($(O),)
.NOTPARALLEL:
.PHONY: $(or $(MAKECMDGOALS),all)
$(or $(MAKECMDGOALS),all):
	@mkdir -p '$(O)' && find . -mindepth 1 -maxdepth 1 ! -name .git ! -name build ! -samefile '$(O)' -exec cp -Rpu -t '$(O)' {} +
	@$(MAKE) -C '$(O)' O= $@
else
ifneq ($(shell test -w build || { test ! -e build && test -w .; } || echo no),)
$(error build/ cannot be written here; make O=FOLDER $(or $(MAKECMDGOALS),all) works in a copy)
endif
# V=1 shows the commands
Q := $(if $(V),,@)
say = @$(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-4s %s\n' $(1) '$@')

VARIANT ?= release
B       := build/$(VARIANT)
OUT     := $(if $(filter release,$(VARIANT)),build,$B)
PKG_CONFIG ?= pkg-config
PYTHON  ?= /usr/bin/python3
ifeq ($(shell command -v $(PYTHON) 2>/dev/null),)
PYTHON  := $(CURDIR)/src/packaging/no_python.sh
endif
# For recipes that write a record: `make -n` still runs every recipe that names $(MAKE), so use this.
SUBMAKE := $(MAKE)
SUITES  := src/examples/examples.mk src/gateway/gateway.mk src/bindings/onefile/onefile.mk src/bindings/python/python.mk src/bindings/js/js.mk src/bindings/go/go.mk src/site/site.mk src/spec/spec.mk src/bindings/postgres/postgres.mk src/bindings/duckdb/duckdb.mk src/packaging/packaging.mk tests/tests.mk tests/bindings/conformance/conformance.mk tests/gates/grammar/grammar.mk tests/gates/mutate/mutate.mk fuzz/lab/bench/bench.mk tests/gates/bench/guard.mk fuzz/fuzz.mk fuzz/lab/differential/differential.mk fuzz/lab/wire/wire.mk

# The header is the one place the version is written. Only a major version may break the ABI: the SONAME
# is liburivet.so.MAJOR.
version = $(shell sed -n 's/^.define URIVET_VERSION_$(1) //p' include/urivet.h)
MAJOR   := $(call version,MAJOR)
MINOR   := $(call version,MINOR)
VERSION := $(MAJOR).$(MINOR).$(call version,PATCH)
SONAME  := liburivet.so.$(MAJOR)
POLICY_SONAME := liburivet-policy.so.$(MAJOR)

# ---- flags: the user's CFLAGS and LDFLAGS come last, so that they win
probe = $(shell $(CC) -Werror $(1) -c -x c -o /dev/null /dev/null 2>/dev/null && echo $(1))
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wundef -Wvla -Wcast-qual -Wwrite-strings -Wformat=2 -Wimplicit-fallthrough
# The flags that the OpenSSF's guide recommends. The command alone gets two of them, because of their cost
# in urivet_check on plain URLs: -ftrivial-auto-var-init=zero (gcc +15 %, clang +5 %; it also hides what
# MemorySanitizer looks for) and -fzero-call-used-regs (+2 %). -z nodlopen is left out: modules loaded by
# dlopen link the library.
HARDEN = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fno-strict-overflow \
         -fno-strict-aliasing -fno-delete-null-pointer-checks $(PROBED)
HARDEN_COMMAND = $(if $(filter release stack trap,$(VARIANT)),$(PROBED_COMMAND))
# -ffile-prefix-map keeps the build folder out of the binary, so that builds are reproducible.
OUR_CFLAGS  = -std=c11 $(WARN) -fPIC -fvisibility=hidden -g -ffile-prefix-map=$(CURDIR)=.
OUR_LDFLAGS = -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed

release_CFLAGS  = -O2 $(HARDEN)
debug_CFLAGS    = -O0 -Werror
# trap: stops at every overflow, wrap-around, lossy conversion and access out of bounds. Two guards define
# the behaviour that this variant stops at (pointer arithmetic on NULL) and are switched off.
trap_CC         = clang-19
trap_CFLAGS     = -O2 -Werror $(HARDEN) -fstrict-overflow -fdelete-null-pointer-checks -fsanitize=undefined,bounds,unsigned-integer-overflow,implicit-conversion,nullability -fsanitize-trap=all -fsanitize-ignorelist=tests/wraps.txt
asan_CFLAGS     = -O1 -g1 -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
asan_LDFLAGS    = -fsanitize=address,undefined
msan_CC         = clang-19
msan_CFLAGS     = -O1 -fsanitize=memory -fno-sanitize-recover=all
msan_LDFLAGS    = -fsanitize=memory
# Variants that only tests need (call graph, edge counts, other machines, coverage), and those of fuzzing.
-include tests/variants.mk fuzz/variants.mk
CC := $(or $($(VARIANT)_CC),$(if $(filter default,$(origin CC)),cc,$(CC)))
AR := $(or $($(VARIANT)_AR),$(AR))
# The program that starts a build for another machine, such as qemu.
RUN := $($(VARIANT)_RUN)
ifneq ($(filter release stack trap,$(VARIANT)),)
probes = $(foreach flag,$(1),$(call probe,$(flag)))
PROBED := $(call probes,-fstack-clash-protection -fcf-protection=full -fstrict-flex-arrays=3)
PROBED_COMMAND := $(call probes,-ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr)
endif

# VECTORS=no builds without vector code, VECTORS=sse2 without AVX2. The verdicts are the same.
VECTORS ?= yes
vectors_no   = -DURIVET_VECTORS=0
vectors_sse2 = -DURIVET_VECTORS=1
vectors_yes  =
OUR_CFLAGS += $(vectors_$(VECTORS))

# The command and what reads policy files see the public headers and their own.
SEEN    = -Isrc/core -Isrc
COMPILE = $(CC) -Iinclude $(SEEN) $(CPPFLAGS) $(OUR_CFLAGS) $($(VARIANT)_CFLAGS) $(CFLAGS) -MMD -MP
LINK    = $(CC) $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS)

# ---- sources: the library has one folder for each layer, and a layer includes headers of earlier layers
# only; src/policyfile is the library that loads policies, src/cli the command, and src/common what both need
FLOORS  := text uri names plain report policy rules readers reference check
objects  = $(patsubst %.c,$B/%.o,$(sort $(wildcard $(1))))
# The library's public headers, in an order in which they can be one file.
HEADERS := include/urivet.h $(addprefix include/urivet/,rules.h compiled.h parameters.h readers.h reference.h spelling.h scan.h json.h)
LIB_O   := $(call objects,$(FLOORS:%=src/core/%/*.c))
ifeq ($(VECTORS),no)
LIB_O   := $(filter-out $B/src/core/plain/vector%,$(LIB_O))
endif
LOADER_O := $(call objects,src/policyfile/*.c src/common/*.c)
CLI_O   := $(call objects,src/common/text/*.c src/cli/*.c src/cli/*/*.c src/gateway/*.c src/gateway/serve/*.c)

##@ Build and use
.PHONY: all demo core docs FORCE install uninstall clean help
all: $(OUT)/urivet $(OUT)/liburivet.a $(OUT)/liburivet.so $(OUT)/liburivet-policy.a $(OUT)/liburivet-policy.so $(OUT)/urivet.pc $(OUT)/liburivet-policy.pc ## builds the command and the libraries (default)

# Optional dependencies, found by pkg-config. Arguments: package of pkg-config, sources, and whether the
# command (CLI) or the library that loads policies (LOADER) uses it. Rebuilt when the dependency is
# installed or removed.
define optional
HAVE_$(1) := $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))
$(4)_LIBS += $$(if $$(HAVE_$(1)),$$(shell $(PKG_CONFIG) --libs $(1)))
$(2:%=$B/src/%.o): CPPFLAGS += $$(if $$(HAVE_$(1)),-DHAVE_$(3) $$(shell $(PKG_CONFIG) --cflags $(1)))
$(2:%=$B/src/%.o): $B/$(1)-$$(if $$(HAVE_$(1)),there,missing)
$B/$(1)-$$(if $$(HAVE_$(1)),there,missing):
	$$(Q)mkdir -p $$(@D) && rm -f $B/$(1)-there $B/$(1)-missing && touch $$@
endef
$(eval $(call optional,gumbo,cli/scan/html,GUMBO,CLI))
$(eval $(call optional,md4c,cli/scan/markdown,MD4C,CLI))
# Loaded with dlopen instead of linked, so that it does not slow down the start of the command.
$(eval $(call optional,gmime-3.0,$(patsubst src/%.c,%,$(wildcard src/cli/scan/*mail*.c)),GMIME,OPENED))
$(eval $(call optional,fribidi,cli/scan/display_order,FRIBIDI,OPENED))
$(eval $(call optional,zlib,cli/records/unpack,ZLIB,CLI))
$(eval $(call optional,libzstd,cli/records/unpack,LIBZSTD,CLI))
$(eval $(call optional,libevent,$(patsubst src/%.c,%,$(wildcard src/gateway/serve/*.c)),LIBEVENT,CLI))
$(eval $(call optional,yaml-0.1,$(patsubst src/%.c,%,$(wildcard src/policyfile/*.c)),LIBYAML,LOADER))

# Stops a target that cannot build what it is named for. Arguments: the target, the Debian packages that it lacks.
lacks = $(error make $(1) needs packages that are missing: apt-get install $(strip $(2)))

$(CLI_O) $(LOADER_O): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -pthread
$(CLI_O) $(LOADER_O): SEEN = -Isrc
$(CLI_O): OUR_CFLAGS += $(HARDEN_COMMAND)
# MAP_ANONYMOUS and the limits of a process (setrlimit) are not in base POSIX.
$(call objects,src/gateway/serve/*.c) $B/src/cli/scan/markdown.o $B/src/cli/records/moment.o: CPPFLAGS += -D_DEFAULT_SOURCE

$B/%.o: %.c Makefile $(wildcard tests/variants.mk fuzz/variants.mk)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

$(OUT)/liburivet.a: $(LIB_O)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

# Versioned symbols, so that two release series can be loaded into one process.
$B/liburivet.map: src/core/liburivet.map include/urivet.h
	@mkdir -p $(@D)
	$(Q)sed 's/@MAJOR@/$(MAJOR)/' $< >$@

$(OUT)/$(SONAME): $(LIB_O) $B/liburivet.map
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME),--version-script=$B/liburivet.map -o $@ $(LIB_O) $(LDLIBS)

$(OUT)/liburivet.so: $(OUT)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

$(OUT)/liburivet-policy.a: $(LOADER_O)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(OUT)/$(POLICY_SONAME): $(LOADER_O) $B/liburivet.map $(OUT)/liburivet.so
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,-soname,$(POLICY_SONAME),--version-script=$B/liburivet.map -o $@ $(LOADER_O) $(OUT)/liburivet.so $(LOADER_LIBS) $(LDLIBS)

$(OUT)/liburivet-policy.so: $(OUT)/$(POLICY_SONAME)
	$(Q)ln -sf $(POLICY_SONAME) $@

$(OUT)/urivet: $(CLI_O) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pie -pthread -o $@ $^ $(CLI_LIBS) $(LOADER_LIBS) $(LDLIBS)

# ---- man pages: page.awk fills in options, findings and examples; header.awk fills in the public headers
PAGES := $(notdir $(wildcard src/cli/manual/urivet*.[1-8]))
docs: $(addprefix $(OUT)/,$(PAGES) urivet.3 urivet-policy.3) ## writes the man pages: man build/urivet.1
$(PAGES:%=$(OUT)/%): $(OUT)/%: src/cli/manual/% src/cli/manual/page.awk src/cli/manual/options.mdoc $(OUT)/urivet $(wildcard src/examples/policies/*)
	$(call say,MAN)
	$(Q)awk -f src/cli/manual/page.awk -v urivet='$(RUN) $(OUT)/urivet' -v options=src/cli/manual/options.mdoc $< > $@

$(OUT)/urivet.3: src/core/urivet.3
$(OUT)/urivet-policy.3: src/policyfile/urivet-policy.3
$(OUT)/%.3: src/core/header.awk $(HEADERS) $(wildcard include/urivet/*)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)awk -v headers='$(HEADERS)' -f src/core/header.awk $(filter %.3,$^) > $@

# ---- the main job, with nothing but a compiler and make
demo: all ## shows what urivet accepts and refuses
	@sh tests/demo.sh $(OUT)/urivet

# For scripts.
core: # prints the sources of the library
	@echo $(LIB_O:$B/%.o=%.c)

# ---- install: every folder can be set; DESTDIR is put before all of them
include src/packaging/install.mk
install: all $(call sources,$(INSTALLED)) ## installs below PREFIX (/usr/local); DESTDIR comes before it
	$(INSTALL) -d $(sort $(dir $(call places,$(INSTALLED))))
	$(foreach pair,$(INSTALLED),$(call put,$(pair)))
	$(call stripped,$(DESTDIR)$(BINDIR)/urivet)
	$(foreach library,liburivet liburivet-policy,$(call strip_library,$(DESTDIR)$(LIBDIR)/$(library)))
	$(foreach link,$(LINKS),ln -sf $(firstword $(subst .so,.so ,$(notdir $(link)))).$(VERSION) $(DESTDIR)$(link) &&) :
	$(if $(DESTDIR),,@$(usable))

uninstall: ## removes what install, install-fuzz, install-serve and install-python installed
	rm -f $(call places,$(INSTALLED)) $(addprefix $(DESTDIR),$(LINKS))
	@rmdir $(addprefix $(DESTDIR),$(INCLUDEDIR)/urivet $(DOCDIR)/examples $(addprefix $(DOCDIR)/policies/,applications/tests applications tests) $(DOCDIR)/policies $(DOCDIR) $(DATADIR)/urivet $(LIBDIR)/cmake/urivet) 2>/dev/null || :

clean: ## removes build/
	rm -rf build

# The text after ## describes a target; ##@ starts a group of targets.
help: ## prints this list
	@awk '/^##@ / { group = substr($$0, 5); if (!(group in lines)) order[++groups] = group } \
	    /^[a-z][-a-z]*:.* ## / { name = $$1; sub(/:.*/, "", name); sub(/.* ## /, ""); lines[group] = lines[group] sprintf("  %-20s%s\n", name, $$0) } \
	    END { for (i = 1; i <= groups; i++) printf "%s%s\n%s", (i > 1 ? "\n" : ""), order[i], lines[order[i]] }' \
	    Makefile $(wildcard $(SUITES)) $(filter-out $(SUITES),$(wildcard fuzz/lab/*/*.mk))

-include $(SUITES)
-include $(shell test -d build && find build -path build/deb -prune -o -type f -name '*.d' -print)
endif
