# SPDX-License-Identifier: Apache-2.0
# urivet: `make` builds, `make demo` shows, `make test` tests, `make install` installs, `make help`
# lists the rest. The suites bring their own .mk files; what is here works without them.
#   make VARIANT=asan check     one tree per variant, below build/
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# V=1 shows the commands
Q := $(if $(V),,@)
say = @$(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-4s %s\n' $(1) '$@')

VARIANT ?= release
B       := build/$(VARIANT)
OUT     := $(if $(filter release,$(VARIANT)),build,$B)
PKG_CONFIG ?= pkg-config
PYTHON  ?= /usr/bin/python3
# for what writes a record: make -n runs every recipe that names $(MAKE)
SUBMAKE := $(MAKE)
SUITES  := src/examples/examples.mk src/gateway/gateway.mk src/onefile/onefile.mk src/python/python.mk src/js/js.mk src/postgres/postgres.mk src/duckdb/duckdb.mk tests/tests.mk tests/conformance/conformance.mk tests/grammar/grammar.mk tests/mutate/mutate.mk tests/bench/bench.mk fuzz/fuzz.mk fuzz/differential/differential.mk fuzz/wire/wire.mk

# The header is the one place the version is written. Before 1.0 every minor version may break the
# ABI, so each has a SONAME of its own, liburivet.so.0.MINOR; from 1.0 on it is liburivet.so.MAJOR.
version = $(shell sed -n 's/^.define URIVET_VERSION_$(1) //p' include/urivet.h)
MAJOR   := $(call version,MAJOR)
MINOR   := $(call version,MINOR)
VERSION := $(MAJOR).$(MINOR).$(call version,PATCH)
SERIES  := $(MAJOR)$(if $(filter 0,$(MAJOR)),.$(MINOR))
SONAME  := liburivet.so.$(SERIES)
POLICY_SONAME := liburivet-policy.so.$(SERIES)

# ---- flags: the user's CFLAGS and LDFLAGS come last, so that they win
probe = $(shell $(CC) -Werror $(1) -c -x c -o /dev/null /dev/null 2>/dev/null && echo $(1))
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wundef -Wvla -Wcast-qual -Wwrite-strings -Wformat=2 -Wimplicit-fallthrough
# What the OpenSSF's guide asks for. Two are left to the command, for their cost in urivet_check
# on plain URLs: -ftrivial-auto-var-init=zero (gcc +15 %, clang +5 %; MemorySanitizer looks for
# what it hides) and -fzero-call-used-regs (+2 %). No -z nodlopen: modules that are loaded link us.
HARDEN = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fno-strict-overflow \
         -fno-strict-aliasing -fno-delete-null-pointer-checks $(PROBED)
HARDEN_COMMAND = $(if $(filter release stack trap,$(VARIANT)),$(PROBED_COMMAND))
# where it was built is nobody's business, and the same everywhere
OUR_CFLAGS  = -std=c11 $(WARN) -fPIC -fvisibility=hidden -g -ffile-prefix-map=$(CURDIR)=.
OUR_LDFLAGS = -Wl,-z,relro,-z,now,-z,noexecstack,--as-needed

release_CFLAGS  = -O2 $(HARDEN)
debug_CFLAGS    = -O0 -Werror
# stops at what overflows, wraps or is cut, signed or not, and beyond every array; two of the guards
# define what it stops at, sums with null, and are taken back
trap_CC         = clang-19
trap_CFLAGS     = -O2 -Werror $(HARDEN) -fstrict-overflow -fdelete-null-pointer-checks -fsanitize=undefined,bounds,unsigned-integer-overflow,implicit-conversion,nullability -fsanitize-trap=all -fsanitize-ignorelist=tests/wraps.txt
asan_CFLAGS     = -O1 -g1 -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
asan_LDFLAGS    = -fsanitize=address,undefined
msan_CC         = clang-19
msan_CFLAGS     = -O1 -fsanitize=memory -fno-sanitize-recover=all
msan_LDFLAGS    = -fsanitize=memory
# those that only tests ask for: call graph, edges, other machines, coverage
-include tests/variants.mk
# harnesses for libFuzzer and for AFL++ (cmplog: its second binary)
fuzz_CC         = clang-19
fuzz_CFLAGS     = -O2 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=all
fuzz_LDFLAGS    = -fsanitize=address,undefined
fuzz_ENGINE     = -fsanitize=fuzzer
# parsers of others in one process, which see no sanitizer: a page without access ends each input
differential_CC     = clang-19
differential_CFLAGS = -O1 -gline-tables-only -fsanitize=fuzzer-no-link
differential_ENGINE = -fsanitize=fuzzer
afl_CC          = afl-clang-lto
afl_CFLAGS      = -O2
afl_ENGINE      = -fsanitize=fuzzer
cmplog_CC       = AFL_LLVM_CMPLOG=1 afl-clang-lto
cmplog_CFLAGS   = -O2
cmplog_ENGINE   = -fsanitize=fuzzer
afl_AR          = llvm-ar
cmplog_AR       = llvm-ar
CC := $(or $($(VARIANT)_CC),$(if $(filter default,$(origin CC)),cc,$(CC)))
AR := $(or $($(VARIANT)_AR),$(AR))
# what starts a program of this build where it is for another machine
RUN := $($(VARIANT)_RUN)
ifneq ($(filter release stack trap,$(VARIANT)),)
probes = $(foreach flag,$(1),$(call probe,$(flag)))
PROBED := $(call probes,-fstack-clash-protection -fcf-protection=full -fstrict-flex-arrays=3)
PROBED_COMMAND := $(call probes,-ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr)
endif

# VECTORS=no leaves all vectors out, VECTORS=sse2 AVX2; the answers are the same
VECTORS ?= yes
vectors_no   = -DURIVET_VECTORS=0
vectors_sse2 = -DURIVET_VECTORS=1
vectors_yes  =
OUR_CFLAGS += $(vectors_$(VECTORS))

COMPILE = $(CC) -Iinclude -Isrc $(CPPFLAGS) $(OUR_CFLAGS) $($(VARIANT)_CFLAGS) $(CFLAGS) -MMD -MP
LINK    = $(CC) $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS)

# ---- what there is: a folder a floor is the library, each including from those before it only;
# src/loader is the library that loads policies, src/cli the command
FLOORS  := text uri names plain report policy rules judge readers reference
objects  = $(patsubst %.c,$B/%.o,$(sort $(wildcard $(1))))
LIB_O   := $(call objects,$(FLOORS:%=src/%/*.c))
ifeq ($(VECTORS),no)
LIB_O   := $(filter-out $B/src/plain/vector%,$(LIB_O))
endif
LOADER_O := $(call objects,src/loader/*.c)
CLI_O   := $(call objects,src/cli/*.c src/cli/*/*.c src/gateway/*.c src/gateway/serve/*.c)

##@ Build and use
.PHONY: all demo core docs FORCE install uninstall clean help
all: $(OUT)/urivet $(OUT)/liburivet.a $(OUT)/liburivet.so $(OUT)/liburivet-policy.a $(OUT)/liburivet-policy.so $(OUT)/urivet.pc $(OUT)/liburivet-policy.pc ## the command and the libraries (default)

# optional dependencies, found by pkg-config: package of pkg-config, sources, of the command (CLI) or of
# the library that loads policies (LOADER); built anew when the library comes or goes
define optional
HAVE_$(1) := $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))
$(4)_LIBS += $$(if $$(HAVE_$(1)),$$(shell $(PKG_CONFIG) --libs $(1)))
$(2:%=$B/src/%.o): CPPFLAGS += $$(if $$(HAVE_$(1)),-DHAVE_$(3) $$(shell $(PKG_CONFIG) --cflags $(1)))
$(2:%=$B/src/%.o): $B/$(1)-$$(if $$(HAVE_$(1)),there,missing)
$B/$(1)-$$(if $$(HAVE_$(1)),there,missing):
	$$(Q)mkdir -p $$(@D) && rm -f $B/$(1)-there $B/$(1)-missing && touch $$@
endef
$(eval $(call optional,gumbo,cli/scan/html,GUMBO,CLI))
# opened, not linked, so that the command starts as fast as without it
$(eval $(call optional,gmime-3.0,$(patsubst src/%.c,%,$(wildcard src/cli/scan/*mail*.c)),GMIME,OPENED))
$(eval $(call optional,zlib,cli/records/gzip,ZLIB,CLI))
$(eval $(call optional,libzstd,cli/records/zstd,LIBZSTD,CLI))
$(eval $(call optional,libevent,gateway/serve/questions gateway/serve/tell,LIBEVENT,CLI))
$(eval $(call optional,yaml-0.1,loader/yaml loader/syntax,LIBYAML,LOADER))
$(eval $(call optional,libpsl,loader/suffix,LIBPSL,LOADER))

$(CLI_O) $(LOADER_O): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -pthread
$(CLI_O): OUR_CFLAGS += $(HARDEN_COMMAND)
# memory that processes share has no name, and a limit for a process no POSIX
$(call objects,src/gateway/serve/*.c): CPPFLAGS += -D_DEFAULT_SOURCE

$B/%.o: %.c Makefile $(wildcard tests/variants.mk)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

$(OUT)/liburivet.a: $(LIB_O)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

# symbols of two series can be told apart in one process
$B/liburivet.map: src/liburivet.map include/urivet.h
	@mkdir -p $(@D)
	$(Q)sed 's/@SERIES@/$(SERIES)/' $< >$@

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

# ---- man pages: page.awk fills in options, findings and examples, header.awk the public headers
PAGES := $(notdir $(wildcard src/cli/manual/urivet*.[1-8]))
docs: $(addprefix $(OUT)/,$(PAGES) urivet.3 urivet-policy.3) ## the man pages: man build/urivet.1
$(PAGES:%=$(OUT)/%): $(OUT)/%: src/cli/manual/% src/cli/manual/page.awk src/cli/manual/options.mdoc $(OUT)/urivet $(wildcard src/policies/*)
	$(call say,MAN)
	$(Q)awk -f src/cli/manual/page.awk -v urivet='$(RUN) $(OUT)/urivet' -v options=src/cli/manual/options.mdoc $< > $@

$(OUT)/%.3: src/%.3 src/header.awk $(wildcard include/*.h include/urivet/*.def)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)awk -f src/header.awk $< > $@

$(OUT)/%.3: src/loader/%.3 src/header.awk $(wildcard include/urivet/*.h)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)awk -f src/header.awk $< > $@

# ---- the main job, with nothing but a compiler and make
demo: all ## what it accepts and refuses, shown
	@sh tests/demo.sh $(OUT)/urivet

# for scripts
core: # names the sources of the library
	@echo $(LIB_O:$B/%.o=%.c)

# ---- install: every folder can be set, and DESTDIR put before them
PREFIX  ?= /usr/local
# Debian's compilers say where libraries of their machine lie
ifneq ($(filter /usr /usr/local,$(PREFIX)),)
MULTIARCH := $(shell $(CC) $($(VARIANT)_CFLAGS) $(CFLAGS) -print-multiarch 2>/dev/null || dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
endif
LIBDIR  ?= $(PREFIX)/lib$(MULTIARCH:%=/%)
INCLUDEDIR ?= $(PREFIX)/include
BINDIR  ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR  ?= $(DATADIR)/man
DOCDIR  ?= $(DATADIR)/doc/urivet
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR  ?= $(DATADIR)/zsh/$(if $(and $(MULTIARCH),$(filter /usr,$(PREFIX))),vendor-completions,site-functions)
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
# STRIP= keeps the symbols; else those of the machine that CC compiles for
STRIP   ?= $(or $(shell $(CC) -print-prog-name=strip 2>/dev/null),strip)
stripped = $(if $(STRIP),$(STRIP) $(1))

# always anew: its paths are those of this call
$(OUT)/urivet.pc: src/urivet.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' $< > $@

# what a static program needs beside: libraries of others that were here
$(OUT)/liburivet-policy.pc: src/loader/liburivet-policy.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|;s|@PRIVATE@|$(HAVE_yaml-0.1) $(HAVE_libpsl)|' $< > $@

# the catalogue as one JSON array
$(OUT)/findings.json: $(OUT)/urivet
	$(Q)$(RUN) $(OUT)/urivet findings --format=json > $@.lines
	$(Q)sed '1s/^/[/;$$!s/$$/,/;$$s/$$/]/' $@.lines > $@ && rm $@.lines
$(OUT)/completion.%: $(OUT)/urivet
	$(Q)$(RUN) $(OUT)/urivet completion $* > $@

# what is installed, and as what
INSTALLED = $(OUT)/urivet:$(BINDIR)/urivet \
    $(foreach page,$(PAGES) urivet.3 urivet-policy.3,$(OUT)/$(page):$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page)) \
    $(foreach header,$(sort $(wildcard include/*.h include/*/*.h include/*/*.def)),$(header):$(header:include/%=$(INCLUDEDIR)/%)) \
    $(OUT)/liburivet.a:$(LIBDIR)/liburivet.a $(OUT)/$(SONAME):$(LIBDIR)/liburivet.so.$(VERSION) \
    $(OUT)/liburivet-policy.a:$(LIBDIR)/liburivet-policy.a $(OUT)/$(POLICY_SONAME):$(LIBDIR)/liburivet-policy.so.$(VERSION) \
    $(OUT)/urivet.pc:$(LIBDIR)/pkgconfig/urivet.pc $(OUT)/liburivet-policy.pc:$(LIBDIR)/pkgconfig/liburivet-policy.pc \
    src/policies/policy.schema.json:$(DATADIR)/urivet/policy.schema.json $(OUT)/findings.json:$(DATADIR)/urivet/findings.json \
    $(OUT)/completion.bash:$(BASHDIR)/urivet $(OUT)/completion.zsh:$(ZSHDIR)/_urivet \
    $(OUT)/completion.fish:$(FISHDIR)/urivet.fish \
    $(foreach example,fetch.c coprocess.py coprocess.mjs,src/examples/$(example):$(DOCDIR)/examples/$(example)) \
    $(foreach example,$(sort $(wildcard src/gateway/examples/*)),$(example):$(DOCDIR)/examples/$(notdir $(example))) \
    $(foreach policy,$(sort $(wildcard src/policies/*.yaml src/policies/*.json)),$(policy):$(policy:src/%=$(DOCDIR)/%))
# ... and the names that lead to liburivet.so.$(VERSION) and liburivet-policy.so.$(VERSION)
LINKS    = $(addprefix $(LIBDIR)/,$(SONAME) liburivet.so $(POLICY_SONAME) liburivet-policy.so)
sources  = $(foreach pair,$(1),$(firstword $(subst :, ,$(pair))))
places   = $(foreach pair,$(1),$(DESTDIR)$(lastword $(subst :, ,$(pair))))
mode     = $(if $(filter $(OUT)/urivet $(OUT)/$(SONAME) $(OUT)/$(POLICY_SONAME),$(1)),755,644)
define put
$(INSTALL) -m $(call mode,$(call sources,$(1))) $(call sources,$(1)) $(call places,$(1))

endef
define strip_library
$(call stripped,--strip-debug $(1).a)
$(call stripped,--strip-unneeded $(1).so.$(VERSION))

endef
install: all $(call sources,$(INSTALLED)) ## installs below PREFIX (/usr/local); DESTDIR comes before it
	$(INSTALL) -d $(sort $(dir $(call places,$(INSTALLED))))
	$(foreach pair,$(INSTALLED),$(call put,$(pair)))
	$(call stripped,$(DESTDIR)$(BINDIR)/urivet)
	$(foreach library,liburivet liburivet-policy,$(call strip_library,$(DESTDIR)$(LIBDIR)/$(library)))
	$(foreach link,$(LINKS),ln -sf $(firstword $(subst .so,.so ,$(notdir $(link)))).$(VERSION) $(DESTDIR)$(link) &&) :

uninstall: ## takes away what install and install-fuzz brought
	rm -f $(call places,$(INSTALLED)) $(addprefix $(DESTDIR),$(LINKS))
	@rmdir $(addprefix $(DESTDIR),$(INCLUDEDIR)/urivet $(DOCDIR)/examples $(DOCDIR)/policies $(DOCDIR) $(DATADIR)/urivet) 2>/dev/null || :

clean: ## removes build/
	rm -rf build

# a target's line says what it is for, after ##; ##@ names its group
help: ## this list
	@awk '/^##@ / { group = substr($$0, 5); if (!(group in lines)) order[++groups] = group } \
	    /^[a-z][-a-z]*:.* ## / { name = $$1; sub(/:.*/, "", name); sub(/.* ## /, ""); lines[group] = lines[group] sprintf("  %-20s%s\n", name, $$0) } \
	    END { for (i = 1; i <= groups; i++) printf "%s%s\n%s", (i > 1 ? "\n" : ""), order[i], lines[order[i]] }' \
	    Makefile $(wildcard $(SUITES)) $(filter-out $(SUITES),$(wildcard fuzz/*/*.mk))

-include $(SUITES)
-include $(shell test -d build && find build -name '*.d')
