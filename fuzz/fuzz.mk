# SPDX-License-Identifier: Apache-2.0
# Fuzzing: harnesses link the engine of their variant, or a main() that replays files.
##@ Fuzz
.PHONY: fuzz fuzz-afl campaign bench-bugs harnesses replay corpus zoo zoo-judge install-fuzz uninstall-fuzz
TIME ?= 60
HOURS ?= 8
HARNESSES := $(patsubst fuzz/%.c,$(OUT)/%,$(sort $(wildcard fuzz/fuzz_*.c)))
# Harnesses that read policy files need libyaml, which is not instrumented for MemorySanitizer.
ifneq ($(HAVE_yaml-0.1)$(filter msan,$(VARIANT)),yaml-0.1)
HARNESSES := $(filter-out %/fuzz_actions %/fuzz_policy,$(HARNESSES))
endif
ifneq ($(HAVE_gmime-3.0)$(filter msan,$(VARIANT)),gmime-3.0)
HARNESSES := $(filter-out %/fuzz_mail,$(HARNESSES))
endif
ENGINE    := $($(VARIANT)_ENGINE)
CHOSEN    := $(if $(HARNESS),$(foreach name,$(HARNESS:fuzz_%=%),$(or $(filter %/fuzz_$(name),$(HARNESSES)),no-harness-$(name))),$(HARNESSES))
fuzz: ## fuzzes with libFuzzer; TIME=60 or RUNS=100000 for each HARNESS="check parse"
	@MAKE='$(MAKE)' RUNS=$(RUNS) sh fuzz/run.sh libfuzzer $(TIME) $(HARNESS)
fuzz-afl: ## fuzzes with AFL++; TIME, HARNESS
	@MAKE='$(MAKE)' sh fuzz/run.sh afl $(TIME) $(HARNESS)
campaign: # fuzzes every harness for HOURS=8 in all, and goes on where the last campaign stopped
	@MAKE='$(MAKE)' sh fuzz/run.sh campaign $(HOURS) $(HARNESS)
bench-bugs: ## scores fuzzers by planted bugs; SMOKE=1, FUZZER='NAME=COMMAND', MODE=search, BUGS=NAMES, TRIALS=10, WITHIN, RUNS, TIME, SEED, JOBS
	@$(PYTHON) -B fuzz/bugs.py --bench --time=$(TIME) $(if $(SMOKE),--smoke) $(if $(FUZZER),--fuzzer='$(FUZZER)') $(MODE:%=--mode=%) $(BUGS:%=--only=%) $(TRIALS:%=--trials=%) $(RUNS:%=--runs=%) $(SEED:%=--seed=%) $(JOBS:%=--jobs=%) $(WITHIN:%=--within=%)
harnesses: $(CHOSEN) # builds every harness of fuzz/, or HARNESS="check parse"
replay: $(CHOSEN) # runs the harnesses over the corpus; FILES=..., HARNESS=...
	@set -e; for harness in $^; do $(RUN) $$harness $(if $(ENGINE),-runs=0) $(or $(FILES),corpus src/examples/policies); done
no-harness-%:
	@echo "no harness '$*', or its library is missing: there are $(patsubst $(OUT)/fuzz_%,%,$(HARNESSES))" >&2; exit 2

# The oracles check what the command's own writers print.
$(OUT)/libcommand.a: $(filter-out %/main.o,$(CLI_O))
	$(call say,AR)
	$(Q)rm -f $@
	$(Q)$(AR) rcsD $@ $^

$(call objects,fuzz/*.c): fuzz/fuzz.mk
$(call objects,fuzz/*.c): CPPFLAGS += -Ifuzz/oracles -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE
ifneq ($(HAVE_yaml-0.1),yaml-0.1)
$B/fuzz/fuzz_command.o: CPPFLAGS += -DWITHOUT_LIBRARIES=1
endif
# The guard of nginx is called without nginx, with the headers of a configured one.
ifneq ($(wildcard $(NGINX_SOURCE)/configure),)
NGINX_TREE := build/nginx-headers/source
$(NGINX_TREE)/objs/ngx_auto_config.h:
	@mkdir -p build
	$(Q)CC=cc CFLAGS= LDFLAGS= bash src/gateway/nginx/build.sh $(NGINX_SOURCE) build/nginx-headers build configure
$(OUT)/fuzz_gateway: $B/fuzz/oracles/nginx_request.o
$B/fuzz/fuzz_gateway.o: CPPFLAGS += -DWITH_NGINX
$B/fuzz/oracles/nginx_request.o: | $(NGINX_TREE)/objs/ngx_auto_config.h
$B/fuzz/oracles/nginx_request.o: CPPFLAGS += -Ifuzz/oracles -D_GNU_SOURCE $(patsubst %,-isystem $(NGINX_TREE)/%,src/core src/event src/event/modules src/os/unix objs src/http src/http/modules src/http/v2)
endif
# The helper is asked over HTTP. MemorySanitizer would not see what libevent writes.
ifeq ($(HAVE_libevent)$(filter msan,$(VARIANT)),libevent)
$B/fuzz/fuzz_gateway.o: CPPFLAGS += -DHAVE_LIBEVENT $(shell $(PKG_CONFIG) --cflags libevent)
endif
# The mutator knows URIs only, so harnesses for other inputs do without it. Few
# harnesses need more than the core; the others build in seconds.
OF_COMMAND := $(filter $(patsubst %,$(OUT)/fuzz_%,actions command compiled gate gateway mail markup policy records reports tables),$(HARNESSES))
ONE_LIST := -Wl,--wrap=urivet_suffixes_open,--wrap=urivet_suffixes_close
$(OF_COMMAND): $(OUT)/libcommand.a $(OUT)/liburivet-policy.a $B/fuzz/oracles/one_list.o
$(HARNESSES): $(OUT)/%: $B/fuzz/%.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) $(ENGINE) -pthread -o $@ $(filter %.o,$^) $(foreach name,command urivet-policy urivet,$(filter %/lib$(name).a,$^)) $(if $(filter %/libcommand.a,$^),$(ONE_LIST) $(CLI_LIBS) $(LOADER_LIBS)) $(LDLIBS)
$(if $(ENGINE),$(filter-out %/fuzz_actions %/fuzz_built %/fuzz_gateway %/fuzz_policy %/fuzz_mail,$(HARNESSES)),$(HARNESSES)): $B/fuzz/$(if $(ENGINE),mutator,replay).o

# The mutator as a shared library, as AFL++ loads it.
build/fuzz/libmutator.so: fuzz/mutator.c
	@mkdir -p $(@D)
	$(Q)clang-19 -O2 -std=c11 -fPIC -shared -DFOR_AFL -o $@ $<

corpus: all # writes the files of corpus/ that are derived from the catalogue
	$(PYTHON) -B fuzz/corpus.py --write $(OUT)/urivet

# The parser comparison: real parsers, and how each of them reads an input.
N       ?= 20000
SEED    ?= 1
POLICY  ?= strict
zoo: all ## shows how real parsers read URLs; FILES=... for other inputs
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/lab/zoo/zoo.py report $(FILES)

zoo-judge: all # fails if two parsers read a URL that POLICY accepts differently; N=20000 SEED=1, READER=neon runs that one alone
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/lab/zoo/zoo.py judge --count=$(N) --seed=$(SEED) --policy=$(POLICY) $(READER:%=--reader=%)

include fuzz/lab/yours/yours.mk

# For other projects' harnesses: the mutator as source and as AFL++ loads it, dictionaries, seeds, and a
# template of a harness with its oracles and the main() that replays files.
FUZZDIR  ?= $(DATADIR)/urivet/fuzz
FUZZ_KIT := $(addprefix fuzz/,mutator.c replay.c oracles/oracles.h fuzz_parse.c uri.dict policy.dict lab/zoo/reading.h) $(YOURS_KIT)
MUTATOR   = $(LIBDIR)/urivet/libmutator.so
SEEDS    := find corpus -type f ! -name '*.md' ! -name '*.tsv'
$(OUT)/mutator.so: fuzz/mutator.c fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(COMPILE) -MF $B/$(@F).d -fvisibility=default -DFOR_AFL $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS) -shared -o $@ $<
install-fuzz: $(OUT)/mutator.so # installs the mutator, dictionaries, the corpus and a template of a harness
	$(INSTALL) -d $(addprefix $(DESTDIR),$(dir $(MUTATOR)) $(addprefix $(FUZZDIR)/,$(sort $(dir $(shell $(SEEDS))))))
	$(INSTALL) -m 644 $(FUZZ_KIT) $(DESTDIR)$(FUZZDIR)
	@$(SEEDS) | while read -r seed; do $(INSTALL) -m 644 $$seed $(DESTDIR)$(FUZZDIR)/$$seed || exit 1; done
	$(INSTALL) -m 755 $(OUT)/mutator.so $(DESTDIR)$(MUTATOR)
	$(call stripped,--strip-unneeded $(DESTDIR)$(MUTATOR))

uninstall: uninstall-fuzz
uninstall-fuzz:
	rm -rf $(DESTDIR)$(FUZZDIR)/corpus
	rm -f $(addprefix $(DESTDIR)$(FUZZDIR)/,$(notdir $(FUZZ_KIT))) $(DESTDIR)$(MUTATOR)
	@rmdir $(DESTDIR)$(FUZZDIR) $(DESTDIR)$(dir $(MUTATOR)) 2>/dev/null || :
