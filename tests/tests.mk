# SPDX-License-Identifier: Apache-2.0
# Tests of the library and the command, and the gates that need more tools.
##@ Test
.PHONY: test check ci release-check deps check-deps unit-tests abi abi-record prove smoke coverage analyze portable stack linear resources worst readme acceptance format
RUN_STEPS = MAKE='$(MAKE)' PYTHON='$(PYTHON)' $(PYTHON) -B tests/run.py
test: ## what a change may have broken, in minutes; STEPS="unit cli" runs these alone
	@$(RUN_STEPS) test
check: ## every test on this machine; STEPS="gateways zoo" runs these alone
	@$(RUN_STEPS) check
release-check: ## all of it, the long runs and the negative controls: a night
	@$(RUN_STEPS) release
ci: ## steps and gates until CI_MINUTES=25 are used, those whose inputs changed since BASE first
	@$(RUN_STEPS) ci
deps: ## installs what make test can use, as root on Debian
	@$(RUN_STEPS) install test
check-deps: # ... what make check needs
	@$(RUN_STEPS) install check

# under Criterion, or under our own runner where it is missing
unit-tests: $(OUT)/$(if $(shell $(PKG_CONFIG) --exists criterion 2>/dev/null && echo yes),unit,standalone)
# the suites in tests/unit see the library's inside; Criterion's macros convert on their own
UNIT_O := $(call objects,tests/unit/*.c)
$(UNIT_O): tests/tests.mk
$(UNIT_O): CPPFLAGS += -D_GNU_SOURCE
$(UNIT_O): OUR_CFLAGS += -g1 -Wno-conversion -Wno-sign-conversion -Wno-pedantic -Wno-missing-prototypes -Wno-format-nonliteral
$(OUT)/unit: $(UNIT_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS) $(shell $(PKG_CONFIG) --libs criterion)

# the library that loads policies, as a program uses it, and without memory
$(OUT)/loader: $B/tests/loader/loader.o $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -o $@ $^ $(LOADER_LIBS) $(LDLIBS)
$B/tests/loader/loader.o: CPPFLAGS += -D_POSIX_C_SOURCE=200809L
$B/tests/loader/loader.o: OUR_CFLAGS += -Wno-missing-prototypes

# the same suites without Criterion, in one process: for MSan, other machines and mutants
STANDALONE_O := $(patsubst tests/unit/%.c,$B/alone/%.o,$(sort $(wildcard tests/unit/*.c))) $B/alone/standalone.o
$(STANDALONE_O): tests/tests.mk
$(STANDALONE_O): CPPFLAGS += -Itests/standalone -D_GNU_SOURCE -DSTANDALONE_LEAST=400
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

# programs of tests/readers
$(OUT)/read_as $(OUT)/invariant: $(OUT)/%: $B/tests/readers/%.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# programs of tests/addresses
$(OUT)/judge $(OUT)/peers: $(OUT)/%: $B/tests/addresses/%.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# the program of tests/endpoint
$(OUT)/endpoints: $B/tests/endpoint/endpoints.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# the program of tests/parameters
$(OUT)/parameters: $B/tests/parameters/parameters.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# programs of tests/policies; one is built with a lock that does not lock, to see that it is noticed
POLICY_TESTS := $(OUT)/slots $(OUT)/slots_unlocked $(OUT)/policy_speed
$B/unlocked/slot.o: src/loader/slot.c tests/policies/no_lock.h tests/tests.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -include tests/policies/no_lock.h -c -o $@ $<
$(call objects,tests/policies/*.c): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -pthread
$(OUT)/slots_unlocked: $B/unlocked/slot.o
$(OUT)/slots_unlocked: $B/tests/policies/slots.o
$(OUT)/slots $(OUT)/policy_speed: $(OUT)/%: $B/tests/policies/%.o
$(POLICY_TESTS): $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -o $@ $(filter %.o,$^) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a $(LOADER_LIBS) $(LDLIBS)

##@ Gates that need more tools
abi: ## what the shared library shows to programs, against what is on record
	@MAKE='$(MAKE)' sh tests/versions/abi.sh check
abi-record: # ... which that of now becomes
	@MAKE='$(SUBMAKE)' sh tests/versions/abi.sh record
prove: ## the contracts of the core, by Frama-C; FILES=... for some, CHANGED=1 for what was not proved, JOBS=2
	@$(PYTHON) -B tests/prove/prove.py $(if $(CHANGED),--changed) $(if $(JOBS),--jobs $(JOBS)) $(FILES)
smoke: # does a contract ask for what cannot be? FILES=..., JOBS=2
	@$(PYTHON) -B tests/prove/prove.py --smoke $(if $(JOBS),--jobs $(JOBS)) $(FILES)
coverage: ## what the tests reach: lines, branches, MC/DC
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/coverage.sh
analyze: ## static analysis by gcc, clang-14, clang-19 and clang-tidy-19
	@$(PYTHON) -B tests/analyze/analyze.py
portable: ## 32 bits, big-endian, 64-bit ARM, MemorySanitizer, traps; MACHINES="m32 s390x trap" for some
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/portable.sh $(MACHINES)
# what is claimed of memory and time
resources: stack linear ## stack and linear
stack: # stack, recursion and calls
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/resources/stack.sh
linear: $(OUT)/work # instructions by length
	@$(PYTHON) -B tests/resources/linear.py $(OUT)/work build/resources --table
# by the clock where TIME=seconds says how long, else by edges of the control flow graph
worst: # looks for the shapes of tests/resources/shapes.tsv that are called worst-*; TIME=600
ifdef TIME
	@$(MAKE) -s $(OUT)/search
	@$(OUT)/search 1 $(TIME) ok strict
else
	@$(MAKE) -s VARIANT=edges build/edges/search
	@build/edges/search 1 192000 ok strict check parse normalise resolve compare scan browser resolver suggest parameters
endif
$(OUT)/work $(OUT)/search: $(OUT)/%: $B/tests/resources/%.o $B/tests/resources/operations.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
$B/tests/resources/operations.o: OUR_CFLAGS += -Wno-cast-qual -Wno-pedantic -Wno-conversion -Wno-sign-conversion
$B/tests/resources/work.o: OUR_CFLAGS += -Wno-cast-qual -Wno-pedantic -Wno-conversion -Wno-sign-conversion

##@ Keep
format: ## clang-format over every folder
	clang-format -i $$(find include src tests fuzz -name '*.[ch]' -o -name '*.cpp')
readme: all ## what programs write of the pages, and of the schema
	@$(PYTHON) -B tests/readme.py --write $(OUT)/urivet
	@$(PYTHON) -B tests/policies/schema.py --write $(OUT)/urivet
acceptance: all # what people and browsers send: how much of it is accepted
	@$(PYTHON) -B tests/acceptance/acceptance.py --urivet $(OUT)/urivet
