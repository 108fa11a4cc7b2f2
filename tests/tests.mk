# SPDX-License-Identifier: Apache-2.0
# Tests of the library and the command, and the gates that need more tools.
##@ Test
.PHONY: test check ci release-check deps check-deps unit-tests abi abi-record prove smoke coverage analyze portable stack linear resources readme acceptance format
RUN_STEPS = MAKE='$(MAKE)' PYTHON='$(PYTHON)' $(PYTHON) -B tests/run.py $(LOG:%=--log=%)
test: ## runs the tests that a change may have broken, in minutes; STEPS="unit cli" runs these alone
	@$(RUN_STEPS) test
check: ## runs every test that this machine can run; STEPS="gateways zoo" runs these alone
	@$(RUN_STEPS) check
release-check: ## runs everything, with the long runs and the negative controls: takes a night, or slices of MINUTES=60; STATUS=1 shows what is green
	@$(RUN_STEPS) $(if $(STATUS),status,release $(MINUTES:%=--minutes=%))
ci: ## runs steps and gates until CI_MINUTES=25 are used, those whose inputs changed since BASE first
	@$(RUN_STEPS) ci
deps: ## installs what make test can use, as root on Debian
	@sh tests/deps.sh test
check-deps: # installs what make check needs
	@sh tests/deps.sh check

# Uses Criterion, or our own runner if it is missing.
unit-tests: $(OUT)/$(if $(shell $(PKG_CONFIG) --exists criterion 2>/dev/null && echo yes),unit,standalone)
# The suites in tests/core/unit use internal headers of the library. Criterion's macros convert implicitly.
UNIT_O := $(call objects,tests/core/unit/*.c)
$(UNIT_O): tests/tests.mk
$(UNIT_O): CPPFLAGS += -D_GNU_SOURCE
$(UNIT_O): OUR_CFLAGS += -g1 -Wno-conversion -Wno-sign-conversion -Wno-pedantic -Wno-missing-prototypes -Wno-format-nonliteral
$(OUT)/unit: $(UNIT_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS) $(shell $(PKG_CONFIG) --libs criterion)

# The library that loads policies, as a program uses it, and under failing allocations.
$(OUT)/loader: $B/tests/policyfile/loader.o $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -o $@ $^ $(LOADER_LIBS) $(LDLIBS)
$B/tests/policyfile/loader.o: CPPFLAGS += -D_POSIX_C_SOURCE=200809L
$B/tests/policyfile/loader.o: OUR_CFLAGS += -Wno-missing-prototypes

# Every public function that judges, for one_judge.py.
$(OUT)/one_judge: $B/tests/policyfile/one_judge.o $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -o $@ $^ $(LOADER_LIBS) $(LDLIBS)
$B/tests/policyfile/one_judge.o: CPPFLAGS += -D_POSIX_C_SOURCE=200809L

# The same suites without Criterion, in one process: for MSan, other machines and mutants.
STANDALONE_O := $(patsubst tests/core/unit/%.c,$B/alone/%.o,$(sort $(wildcard tests/core/unit/*.c))) $B/alone/standalone.o
$(STANDALONE_O): tests/tests.mk
$(STANDALONE_O): CPPFLAGS += -Itests/core/standalone -D_GNU_SOURCE -DSTANDALONE_LEAST=400
$(STANDALONE_O): OUR_CFLAGS += -Wno-conversion -Wno-sign-conversion -Wno-pedantic -Wno-format-nonliteral -Wno-format-zero-length
$B/alone/%.o: tests/core/unit/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<
$B/alone/standalone.o: tests/core/standalone/standalone.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -c -o $@ $<
$(OUT)/standalone: $(STANDALONE_O) $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)

# Programs of tests/policyfile. One has a lock that does not lock: the negative control.
POLICY_TESTS := $(OUT)/slots $(OUT)/slots_unlocked
$B/unlocked/slot.o: src/policyfile/slot.c tests/policyfile/no_lock.h tests/tests.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -include tests/policyfile/no_lock.h -c -o $@ $<
$(call objects,tests/policyfile/*.c): CPPFLAGS += -D_POSIX_C_SOURCE=200809L -pthread
$(OUT)/slots_unlocked: $B/unlocked/slot.o
$(OUT)/slots_unlocked: $B/tests/policyfile/slots.o
$(OUT)/slots: $B/tests/policyfile/slots.o
$(POLICY_TESTS): $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -pthread -o $@ $(filter %.o,$^) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a $(LOADER_LIBS) $(LDLIBS)

# Fails allocations of the command, for tests/cli/failing.py.
$(OUT)/failing.so: $B/tests/cli/failing.o
	$(call say,LD)
	$(Q)$(LINK) -shared -o $@ $< $(LDLIBS)

##@ Gates that need more tools
abi: # compares the ABI of the shared library with the recorded one
	@MAKE='$(MAKE)' sh tests/gates/versions/abi.sh check
abi-record: # records the current ABI
	@MAKE='$(SUBMAKE)' sh tests/gates/versions/abi.sh record
prove: ## proves the contracts of the core with Frama-C; FILES=... for some, CHANGED=1 for those not proved yet, JOBS=2
	@$(PYTHON) -B tests/gates/prove/prove.py $(if $(CHANGED),--changed) $(if $(JOBS),--jobs $(JOBS)) $(FILES)
smoke: # checks that no contract requires the impossible; FILES=..., JOBS=2
	@$(PYTHON) -B tests/gates/prove/prove.py --smoke $(if $(JOBS),--jobs $(JOBS)) $(FILES)
coverage: ## measures the coverage of the tests: lines, branches, MC/DC
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/gates/coverage.sh
analyze: ## runs static analysis by gcc, clang-14, clang-19 and clang-tidy-19
	@$(PYTHON) -B tests/gates/analyze/analyze.py
portable: ## tests 32 bits, big-endian, 64-bit ARM, MemorySanitizer, traps; MACHINES="m32 s390x trap" for some
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/gates/portable.sh $(MACHINES)
# Checks of the claims on memory and time.
resources: stack linear # checks the claims on stack and linear time
stack: # checks stack use, recursion and calls
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh tests/gates/resources/stack.sh
linear: $(OUT)/work # counts instructions by input length
	@$(PYTHON) -B tests/gates/resources/linear.py $(OUT)/work build/resources --table
$(OUT)/work: $B/tests/gates/resources/work.o $B/tests/gates/resources/operations.o $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(LINK) -o $@ $^ $(LDLIBS)
$B/tests/gates/resources/operations.o: OUR_CFLAGS += -Wno-cast-qual -Wno-pedantic -Wno-conversion -Wno-sign-conversion
$B/tests/gates/resources/work.o: OUR_CFLAGS += -Wno-cast-qual -Wno-pedantic -Wno-conversion -Wno-sign-conversion

##@ Keep
format: ## runs clang-format over every folder
	clang-format -i $$(find include src tests fuzz -name '*.[ch]' -o -name '*.cpp')
readme: all ## rewrites the generated parts of the pages, and of the schema
	@$(PYTHON) -B tests/readme.py --write $(OUT)/urivet
	@$(PYTHON) -B tests/policyfile/schema.py --write $(OUT)/urivet
acceptance: all # measures how much of real input from people and browsers is accepted
	@$(PYTHON) -B tests/core/acceptance/acceptance.py --urivet $(OUT)/urivet
