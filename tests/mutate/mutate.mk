# SPDX-License-Identifier: Apache-2.0
# Small mistakes put into the core: does a test fail?
##@ Gates that need more tools
.PHONY: mutate mutate-neon
# AGAIN=1 tries new tests on what survived the run before
mutate: ## mistakes put into the core; SAMPLE=300, JOBS=2, FILES='src/uri/ip.c', AGAIN=1
	@MAKE='$(MAKE)' $(PYTHON) -B tests/mutate/run.py $(if $(JOBS),--jobs $(JOBS)) \
	    $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(AGAIN),--again) $(if $(FILES),--files $(FILES))

mutate-neon: # ... into the vectors of 64-bit ARM, under qemu; SAMPLE=30, JOBS=2
	@MAKE='$(MAKE)' $(PYTHON) -B tests/mutate/neon.py $(if $(JOBS),--jobs $(JOBS)) $(if $(SAMPLE),--sample $(SAMPLE))

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
