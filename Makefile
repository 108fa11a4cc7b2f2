# SPDX-License-Identifier: Apache-2.0
# urivet: `make` builds, `make demo` shows, `make test` tests, `make install` installs.
#   make VARIANT=asan check     one tree per variant, below build/
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# V=1 shows the commands
Q := $(if $(V),,@)
say = @$(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),:,printf '  %-4s %s\n' $(1) '$@')

VARIANT ?= release
B       := build/$(VARIANT)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
DOCDIR  ?= $(PREFIX)/share/doc/urivet
INSTALL ?= install
PKG_CONFIG ?= pkg-config
PYTHON  ?= /usr/bin/python3

# the header is the one place the version is written
version = $(shell sed -n 's/^.define URIVET_VERSION_$(1) //p' include/urivet.h)
MAJOR   := $(call version,MAJOR)
VERSION := $(MAJOR).$(call version,MINOR).$(call version,PATCH)
SONAME  := liburivet.so.$(MAJOR)

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
# the release, with its call graph
stack_CC        = gcc
stack_CFLAGS    = $(release_CFLAGS) -fcallgraph-info=su,da
# counts what it does by edges of the control flow graph
edges_CC        = clang-19
edges_CFLAGS    = -O1 -fsanitize-coverage=trace-pc-guard -DSEARCH
# stops at what overflows, wraps or is cut, signed or not, and beyond every array
trap_CC         = clang-19
trap_CFLAGS     = -O2 -Werror $(HARDEN) -fsanitize=undefined,bounds,unsigned-integer-overflow,implicit-conversion,nullability -fsanitize-trap=all -fsanitize-ignorelist=tests/wraps.txt
asan_CFLAGS     = -O1 -Werror -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
asan_LDFLAGS    = -fsanitize=address,undefined
msan_CC         = clang-19
msan_CFLAGS     = -O1 -fsanitize=memory -fno-sanitize-recover=all
msan_LDFLAGS    = -fsanitize=memory
# other machines: 32 bits (lib32gcc-12-dev, libc6-dev-i386; the headers of the kernel are those of
# 64 bits), and octets in the other order (gcc-s390x-linux-gnu, libc6-dev-s390x-cross, qemu-user)
m32_CC          = gcc
m32_CFLAGS      = -m32 -O2 -Werror -isystem /usr/include/x86_64-linux-gnu
m32_LDFLAGS     = -m32
s390x_CC        = s390x-linux-gnu-gcc
s390x_CFLAGS    = -O2 -Werror
s390x_RUN       = qemu-s390x -L /usr/s390x-linux-gnu
cover_CC        = clang-19
cover_CFLAGS    = -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
cover_LDFLAGS   = -fprofile-instr-generate
# for the command, which has threads: a count that is lost makes another wrong that is derived from it
atomic_CC       = clang-19
atomic_CFLAGS   = $(cover_CFLAGS) -fprofile-update=atomic
atomic_LDFLAGS  = $(cover_LDFLAGS)
# harnesses for libFuzzer and for AFL++ (cmplog: its second binary)
fuzz_CC         = clang-19
fuzz_CFLAGS     = -O2 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=all
fuzz_LDFLAGS    = -fsanitize=address,undefined
fuzz_ENGINE     = -fsanitize=fuzzer
afl_CC          = afl-clang-lto
afl_CFLAGS      = -O2
afl_ENGINE      = -fsanitize=fuzzer
cmplog_CC       = AFL_LLVM_CMPLOG=1 afl-clang-lto
cmplog_CFLAGS   = -O2
cmplog_ENGINE   = -fsanitize=fuzzer
afl_AR          = llvm-ar
cmplog_AR       = llvm-ar
ifneq ($($(VARIANT)_CC),)
CC := $($(VARIANT)_CC)
endif
ifneq ($($(VARIANT)_AR),)
AR := $($(VARIANT)_AR)
endif
ifeq ($(origin CC),default)
CC := cc
endif
ifneq ($(filter release stack trap,$(VARIANT)),)
probes = $(foreach flag,$(1),$(call probe,$(flag)))
PROBED := $(call probes,-fstack-clash-protection -fcf-protection=full -fstrict-flex-arrays=3)
PROBED_COMMAND := $(call probes,-ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr)
endif

# x86-64: VECTORS=no leaves AVX2 and SSE2 out, VECTORS=sse2 AVX2; the answers are the same
VECTORS ?= yes
vectors_no   = -DURIVET_VECTORS=0
vectors_sse2 = -DURIVET_VECTORS=1
vectors_yes  =
OUR_CFLAGS += $(vectors_$(VECTORS))

COMPILE = $(CC) -Iinclude -Isrc $(CPPFLAGS) $(OUR_CFLAGS) $($(VARIANT)_CFLAGS) $(CFLAGS) -MMD -MP
LINK    = $(CC) $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS)

# ---- what there is: a folder a floor is the library, each including from those before it only;
# src/cli is the command, tests/unit/*.c the suites
FLOORS  := text uri plain report policy rules judge readers reference
objects  = $(patsubst %.c,$B/%.o,$(sort $(wildcard $(1))))
LIB_O   := $(call objects,$(FLOORS:%=src/%/*.c))
ifeq ($(VECTORS),no)
LIB_O   := $(filter-out $B/src/plain/vector%,$(LIB_O))
endif
CLI_O   := $(call objects,src/cli/*.c src/cli/*/*.c)
UNIT_O  := $(call objects,tests/unit/*.c)

.PHONY: core FORCE all examples demo homepages test check fuzz fuzz-afl harnesses replay corpus zoo zoo-judge \
        deps install uninstall clean readme format tables conformance gates-full prove smoke coverage mutate \
        analyze portable stack linear resources worst bench bench-record bench-batch bench-guard bench-guard-record
ifeq ($(VARIANT),release)
OUT := build
else
OUT := $B
endif
all: $(OUT)/urivet $(OUT)/liburivet.a $(OUT)/liburivet.so $(OUT)/urivet.pc

# wings of the command, where their library is there: package of pkg-config, source; built anew
# when the library comes or goes
define wing
HAVE_$(1) := $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))
WING_LIBS += $$(if $$(HAVE_$(1)),$$(shell $(PKG_CONFIG) --libs $(1)))
$B/src/cli/$(2).o: CPPFLAGS += $$(if $$(HAVE_$(1)),-DHAVE_$(3) $$(shell $(PKG_CONFIG) --cflags $(1)))
$B/src/cli/$(2).o: $B/$(1)-$$(if $$(HAVE_$(1)),there,missing)
$B/$(1)-$$(if $$(HAVE_$(1)),there,missing):
	$$(Q)mkdir -p $$(@D) && rm -f $B/$(1)-there $B/$(1)-missing && touch $$@
endef
$(eval $(call wing,gumbo,commands/html,GUMBO))
$(eval $(call wing,libconfig,policy/policy_file,LIBCONFIG))
$(eval $(call wing,libpsl,policy/suffix,LIBPSL))

$(CLI_O): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -pthread
$(CLI_O): OUR_CFLAGS += $(HARDEN_COMMAND)
# tests see the library's inside; Criterion's macros convert on their own
$(UNIT_O): CPPFLAGS += -D_GNU_SOURCE
$(UNIT_O): OUR_CFLAGS += -Wno-conversion -Wno-sign-conversion -Wno-pedantic -Wno-missing-prototypes -Wno-format-nonliteral

$B/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<

$(OUT)/liburivet.a: $(LIB_O)
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(OUT)/$(SONAME): $(LIB_O)
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME) -o $@ $^ $(LDLIBS)

$(OUT)/liburivet.so: $(OUT)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

$(OUT)/urivet: $(CLI_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pie -pthread -o $@ $^ $(WING_LIBS) $(LDLIBS)

# always anew: its paths are those of this call
$(OUT)/urivet.pc: src/urivet.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' $< > $@

# ---- examples, for others to copy; fetch_unguarded shows what the guard is for
examples: $(OUT)/fetch $(OUT)/fetch_unguarded
CURL = $(shell $(PKG_CONFIG) --exists 'libcurl >= 7.85' 2>/dev/null && echo libcurl)
$(OUT)/fetch_unguarded: private CPPFLAGS += -DWITHOUT_GUARD
$(OUT)/fetch $(OUT)/fetch_unguarded: src/examples/fetch.c $(OUT)/liburivet.a Makefile
	@mkdir -p $B
	$(call say,LD)
	$(Q)$(if $(CURL),,echo 'examples need libcurl4-openssl-dev, 7.85 or newer' >&2; exit 1;) \
	$(COMPILE) -MF $B/$(@F).d $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS) \
	    $(shell $(PKG_CONFIG) --cflags libcurl) -o $@ $< $(OUT)/liburivet.a $(LDLIBS) \
	    $(shell $(PKG_CONFIG) --libs libcurl)

# ---- man pages: the catalogue is put in where they say so
$(OUT)/%.1: src/cli/%.1 $(OUT)/urivet src/cli/findings.awk
	$(call say,MAN)
	$(Q)$(OUT)/urivet findings --format=tsv | awk -f src/cli/findings.awk -v page=$< - > $@

$(OUT)/%.5: src/cli/%.5 src/cli/examples.awk $(wildcard src/policies/*)
	@mkdir -p $(@D)
	$(call say,MAN)
	$(Q)awk -f src/cli/examples.awk $< > $@

# ---- the main job, with nothing but a compiler and make
demo: all
	@sh tests/demo.sh $(OUT)/urivet

# real URLs: what apt knows
homepages: all
	@sh tests/homepages.sh $(OUT)/urivet

# ---- tests
# names the sources of the core, for scripts
core:
	@echo $(LIB_O:$B/%.o=%.c)

deps:
	@sh tests/deps.sh

test: deps
	@$(MAKE) check

check:
	@sh tests/run.sh

$(OUT)/unit: $(UNIT_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS) $(shell $(PKG_CONFIG) --libs criterion)

# the same suites without Criterion, in one process: for MSan, other machines and mutants
STANDALONE_O := $(patsubst tests/unit/%.c,$B/alone/%.o,$(sort $(wildcard tests/unit/*.c))) $B/alone/standalone.o
$(STANDALONE_O): CPPFLAGS += -Itests/standalone -D_GNU_SOURCE -DSTANDALONE_LEAST=210
$(STANDALONE_O): OUR_CFLAGS += -Wno-conversion -Wno-sign-conversion -Wno-pedantic -Wno-format-nonliteral -Wno-format-zero-length
$B/alone/%.o: tests/unit/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<
$B/alone/standalone.o: tests/standalone/standalone.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<
$(OUT)/standalone: $(STANDALONE_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# the contracts of the core, with Frama-C; FILES=... for some
prove:
	@$(PYTHON) -B tests/prove/prove.py $(if $(JOBS),--jobs $(JOBS)) $(FILES)
# does a contract ask for what cannot be?
smoke:
	@$(PYTHON) -B tests/prove/prove.py --smoke $(if $(JOBS),--jobs $(JOBS)) $(FILES)

# what the tests reach: lines, branches, MC/DC
coverage:
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/coverage.sh

# small mistakes put into the core: does a test fail? SAMPLE=300 for so many, JOBS=2, FILES='src/uri/ip.c',
# AGAIN=1 tries new tests on what survived the run before
mutate:
	@MAKE='$(MAKE)' $(PYTHON) -B tests/mutate/run.py $(if $(JOBS),--jobs $(JOBS)) \
	    $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(AGAIN),--again) $(if $(FILES),--files $(FILES))

# the tests in a program that runs them against whatever core is put before the sound one
mutate_CFLAGS = -O2 -fvisibility=default
# no vectors, as tcc has none: what a test reaches is then the same
trace_CFLAGS  = -O1 -fvisibility=default -fno-inline -finstrument-functions -DURIVET_VECTORS=0
build/%/libcore.so: FORCE
	$(Q)$(MAKE) -s VARIANT=$* build/$*/liburivet.a
	$(Q)$(CC) -shared -o $@ -Wl,--whole-archive build/$*/liburivet.a -Wl,--no-whole-archive
ifeq ($(VARIANT),mutate)
$B/conform: $B/tests/grammar/conform.o $B/libcore.so
	$(call say,LD)
	$(Q)$(LINK) -o $@ $< -L$B -lcore -Wl,-rpath,'$$ORIGIN'
$B/alone/standalone.o: CPPFLAGS += -DSTANDALONE_NO_MAIN
$B/tests/mutate/killer.o: CPPFLAGS += -Itests/standalone -D_GNU_SOURCE
$B/tests/mutate/killer.o: OUR_CFLAGS += -Wno-pedantic -Wno-format-zero-length
$B/killer: $(STANDALONE_O) $B/tests/mutate/killer.o $B/libcore.so
	$(call say,LD)
	$(Q)$(LINK) -rdynamic -o $@ $(filter %.o,$^) -L$B -lcore -Wl,-rpath,'$$ORIGIN' -ldl
$B/tests/mutate/tell.o: CPPFLAGS += -D_DEFAULT_SOURCE
$B/tell: $B/tests/mutate/tell.o $B/libcore.so
	$(call say,LD)
	$(Q)$(LINK) -o $@ $< -L$B -lcore -Wl,-rpath,'$$ORIGIN'
endif

# programs of tests/readers
$(OUT)/read_as $(OUT)/invariant: $(OUT)/%: $B/tests/readers/%.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# programs of tests/addresses
$(OUT)/judge $(OUT)/peers: $(OUT)/%: $B/tests/addresses/%.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# tests/grammar: the automata of each language, and the program that compares
GRAMMARS := $(patsubst tests/grammar/%.abnf,build/grammar/%.dfa,$(wildcard tests/grammar/*.abnf))
tables: $(GRAMMARS)
build/grammar/%.dfa: tests/grammar/%.abnf $(wildcard tests/grammar/*.py)
	@mkdir -p $(@D)
	$(call say,DFA)
	$(Q)$(PYTHON) -B tests/grammar/tables.py $< $@
conformance:
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/grammar/run.sh quick
gates-full:
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/grammar/run.sh full
	@$(MAKE) prove
	@$(MAKE) smoke
	@$(MAKE) mutate
$B/tests/grammar/%.o: CPPFLAGS += -D_DEFAULT_SOURCE
$(filter-out build/mutate/conform,$(OUT)/conform): $B/tests/grammar/conform.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# ---- tests/bench: what judging costs, beside others. Each contestant is a shared object; one whose
# library is missing is named and left out, for a benchmark is no gate.
BENCH   := $B/bench
# the floors first: whoever is first finds the URLs out of the cache
BENCHED  = $(BENCH)/floors.so $(BENCH)/urivet.so $(BENCH)/urivet-sse2.so $(BENCH)/urivet-no.so
LACKING  =
SHARED   = $(1) -O2 $(2) -Wall -Wextra -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -Iinclude -Itests/bench
# name, package of pkg-config (or a test), Debian package
define peer
ifneq ($$(shell $(PKG_CONFIG) --exists $(2) 2>/dev/null && echo yes),)
BENCHED += $(BENCH)/$(1).so
$(BENCH)/$(1).so: private PEER = $$(shell $(PKG_CONFIG) --cflags --libs $(2))
else
LACKING += $(1) ($(3)),
endif
endef
$(eval $(call peer,uriparser,liburiparser,liburiparser-dev))
$(eval $(call peer,libcurl,libcurl,libcurl4-openssl-dev))
$(eval $(call peer,glib,glib-2.0,libglib2.0-dev))
$(eval $(call peer,libxml2,libxml-2.0,libxml2-dev))
$(eval $(call peer,libevent,libevent,libevent-dev))
$(eval $(call peer,aprutil,apr-util-1,libaprutil1-dev))
$(eval $(call peer,pcre2,libpcre2-8,libpcre2-dev))
ifneq ($(wildcard /usr/include/boost/url.hpp),)
BENCHED += $(BENCH)/boost.so
else
LACKING += boost (libboost-url1.81-dev)
endif
ifneq ($(shell command -v re2c),)
BENCHED += $(BENCH)/re2c.so
else
LACKING += re2c (re2c)
endif
BENCHED += $(BENCH)/regexec.so
# ADA: a folder with ada.cpp and ada.h; several builds, for none is the fastest everywhere
ifneq ($(ADA),)
BENCHED += $(BENCH)/ada-O3.so $(BENCH)/ada-native.so
endif

bench: all $(BENCH)/bench $(BENCHED)
	@$(if $(LACKING),echo 'left out for want of their Debian packages: $(LACKING)';,) \
	sh tests/bench/run.sh $(BENCH) $(BENCHED)
# what the last run measured becomes what README.md says
bench-record:
	@$(PYTHON) -B tests/bench/record.py $(BENCH) README.md
# whole runs of the command over ten million lines, beside wc and grep; LINES=... RUNS=...
bench-batch: all
	@PYTHON='$(PYTHON)' CC='$(CC)' sh tests/bench/batch.sh $(OUT)/urivet $(or $(LINES),10000000) $(or $(RUNS),5)
# the counts of instructions that are on record, and those of now
bench-guard:
	@MAKE='$(MAKE)' sh tests/bench/guard.sh check
bench-guard-record:
	@MAKE='$(MAKE)' sh tests/bench/guard.sh record

$(BENCH)/bench: tests/bench/bench.c tests/bench/bench.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) -std=c11 -O2 $(WARN) -o $@ $< -ldl
$(BENCH)/urivet.so: tests/bench/with_urivet.c tests/bench/bench.h $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $< $(OUT)/liburivet.a
# builds without the vectors, whose objects have folders of their own
$(BENCH)/urivet-%.so: tests/bench/with_urivet.c tests/bench/bench.h $(wildcard $(FLOORS:%=src/%/*.[ch]) include/*.h)
	$(call say,LD)
	$(Q)$(MAKE) -s VARIANT=vectors-$* VECTORS=$* vectors-$*_CFLAGS='$(release_CFLAGS)' build/vectors-$*/liburivet.a
	$(Q)$(call SHARED,$(CC),-DVERDICTS_ONLY -DLABEL='"VECTORS=$*:"') -o $@ $< build/vectors-$*/liburivet.a
$(BENCH)/boost.so: tests/bench/with_boost.cpp tests/bench/bench.h
	$(call say,LD)
	$(Q)$(call SHARED,$(CXX),-std=c++17) -o $@ $< -lboost_url -lboost_system
$(BENCH)/re2c.c: tests/bench/with_re2c.re
	@mkdir -p $(@D)
	$(Q)re2c -W --no-debug-info -o $@ $<
$(BENCH)/re2c.so: $(BENCH)/re2c.c
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $<
$(BENCH)/ada-O3.so $(BENCH)/ada-native.so: tests/bench/with_ada.cpp tests/bench/bench.h
	$(call say,LD)
	$(Q)$(call SHARED,$(CXX),-std=c++20 -O3 -DNDEBUG -I$(ADA) -DLABEL='"$(@F)"' $(if $(findstring native,$@),-march=native)) -o $@ $<
$(BENCH)/%.so: tests/bench/with_%.c tests/bench/bench.h tests/bench/expression.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $< $(PEER)

# what bench-guard counts
$(OUT)/instructions: $B/tests/bench/instructions.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# ---- gates of their own, which need more tools
# static analysis by gcc, clang-14, clang-19 and clang-tidy-19
analyze:
	@$(PYTHON) -B tests/analyze/analyze.py
# what is claimed of memory and time: stack, recursion and calls; instructions by length
stack:
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/resources/stack.sh
$(OUT)/work: $B/tests/resources/work.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
$B/tests/resources/work.o: OUR_CFLAGS += -Wno-cast-qual -Wno-pedantic -Wno-conversion -Wno-sign-conversion
linear: $(OUT)/work
	@$(PYTHON) -B tests/resources/linear.py $(OUT)/work build/resources --table
resources: stack linear
# looks for the shapes of tests/resources/shapes.tsv that are called worst-*
worst:
	@$(MAKE) -s VARIANT=edges build/edges/work
	@build/edges/work 1 16000
# 32 bits, big-endian, MemorySanitizer, traps
portable:
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/portable.sh

# ---- fuzz: harnesses link the engine of their variant, or a main that replays files
TIME ?= 60
HARNESSES := $(patsubst fuzz/%.c,$(OUT)/%,$(sort $(wildcard fuzz/fuzz_*.c)))
# what reads policy files needs the library that reads them, which MSan was not told of
ifneq ($(HAVE_libconfig)$(filter msan,$(VARIANT)),libconfig)
HARNESSES := $(filter-out %/fuzz_policy,$(HARNESSES))
endif
ENGINE    := $($(VARIANT)_ENGINE)
fuzz:
	@MAKE='$(MAKE)' sh fuzz/run.sh libfuzzer $(TIME) $(HARNESS)
fuzz-afl:
	@MAKE='$(MAKE)' sh fuzz/run.sh afl $(TIME) $(HARNESS)
harnesses: $(HARNESSES)
replay: $(HARNESSES)
	@set -e; for harness in $^; do $($(VARIANT)_RUN) $$harness $(or $(FILES),corpus src/policies); done

# the command's own writers are an oracle's subject
$(OUT)/libcommand.a: $(filter-out %/main.o,$(CLI_O))
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(call objects,fuzz/*.c): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $(if $(WITHOUT),-DWITHOUT_ORACLE='"$(WITHOUT)"')
$(filter-out %/fuzz_policy,$(HARNESSES)): $(OUT)/%: $B/fuzz/%.o $B/fuzz/$(if $(ENGINE),mutator,replay).o $(OUT)/libcommand.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) $(ENGINE) -o $@ $^ $(LDLIBS)

# the mutator knows URIs; a policy file is other text
$(OUT)/fuzz_policy: $B/fuzz/fuzz_policy.o $(if $(ENGINE),,$B/fuzz/replay.o) $(OUT)/libcommand.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) $(ENGINE) -o $@ $^ $(WING_LIBS) $(LDLIBS)

# the mutator as AFL++ loads it
build/fuzz/libmutator.so: fuzz/mutator.c
	@mkdir -p $(@D)
	$(Q)clang-19 -O2 -std=c11 -fPIC -shared -DFOR_AFL -o $@ $<

# the parts of corpus/ that follow from the catalogue
corpus: all
	$(PYTHON) -B fuzz/corpus.py --write $(OUT)/urivet

# ---- the zoo: real parsers and what they read; FILES=... for a report over other inputs
N       ?= 20000
SEED    ?= 1
POLICY  ?= strict
zoo: all
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/zoo/zoo.py report $(FILES)

# fails where two of them read apart what the policy accepts
zoo-judge: all
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/zoo/zoo.py judge --count=$(N) --seed=$(SEED) --policy=$(POLICY)

# the blocks of README.md that programs write
readme: all
	$(PYTHON) tests/readme.py --write README.md $(OUT)/urivet

format:
	clang-format -i $(FLOORS:%=src/%/*.[ch]) src/cli/*.[ch] src/cli/*/*.[ch] include/*.h tests/unit/*.[ch] tests/standalone/*.c tests/standalone/*/*.h tests/readers/*.c tests/addresses/*.c tests/grammar/*.c tests/bench/*.[ch] tests/analyze/*.c tests/resources/*.c src/examples/*.c fuzz/*.[ch] fuzz/zoo/*.c fuzz/zoo/*.h fuzz/zoo/*.cpp

# ---- install
POLICIES := $(sort $(wildcard src/policies/*.conf))
install: all $(OUT)/urivet.1 $(OUT)/urivet-policy.5
	$(INSTALL) -d $(addprefix $(DESTDIR),$(BINDIR) $(LIBDIR)/pkgconfig $(INCLUDEDIR)/urivet \
	    $(MANDIR)/man1 $(MANDIR)/man3 $(MANDIR)/man5 $(DOCDIR)/examples $(DOCDIR)/policies)
	$(INSTALL) -m 755 $(OUT)/urivet $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 644 include/urivet.h $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 include/urivet/findings.def include/urivet/readers.def $(DESTDIR)$(INCLUDEDIR)/urivet
	$(INSTALL) -m 644 $(OUT)/liburivet.a $(DESTDIR)$(LIBDIR)
	$(INSTALL) -m 755 $(OUT)/$(SONAME) $(DESTDIR)$(LIBDIR)/liburivet.so.$(VERSION)
	ln -sf liburivet.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/liburivet.so
	$(INSTALL) -m 644 $(OUT)/urivet.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	$(INSTALL) -m 644 $(OUT)/urivet.1 $(DESTDIR)$(MANDIR)/man1
	$(INSTALL) -m 644 src/urivet.3 $(DESTDIR)$(MANDIR)/man3
	$(INSTALL) -m 644 src/examples/fetch.c $(DESTDIR)$(DOCDIR)/examples
	$(INSTALL) -m 644 $(OUT)/urivet-policy.5 $(DESTDIR)$(MANDIR)/man5
	$(INSTALL) -m 644 $(POLICIES) $(DESTDIR)$(DOCDIR)/policies

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/urivet $(DESTDIR)$(LIBDIR)/liburivet.a $(DESTDIR)$(LIBDIR)/liburivet.so \
	    $(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/liburivet.so.$(VERSION) \
	    $(DESTDIR)$(LIBDIR)/pkgconfig/urivet.pc $(DESTDIR)$(INCLUDEDIR)/urivet.h \
	    $(DESTDIR)$(INCLUDEDIR)/urivet/findings.def $(DESTDIR)$(INCLUDEDIR)/urivet/readers.def \
	    $(DESTDIR)$(MANDIR)/man1/urivet.1 \
	    $(DESTDIR)$(MANDIR)/man3/urivet.3 $(DESTDIR)$(MANDIR)/man5/urivet-policy.5 \
	    $(DESTDIR)$(DOCDIR)/examples/fetch.c $(patsubst src/%,$(DESTDIR)$(DOCDIR)/%,$(POLICIES))
	-rmdir $(DESTDIR)$(INCLUDEDIR)/urivet $(DESTDIR)$(DOCDIR)/examples $(DESTDIR)$(DOCDIR)/policies \
	    $(DESTDIR)$(DOCDIR)

clean:
	rm -rf build

-include $(shell test -d build && find build -name '*.d')
