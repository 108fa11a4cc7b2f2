# SPDX-License-Identifier: Apache-2.0
# Mutation testing: small mistakes are put into the core, and a test must fail.
##@ Gates that need more tools
.PHONY: mutate
mutate: ## tests mutants of the core; SAMPLE=300, JOBS=2, FILES='src/core/uri/ip.c'
	@MAKE='$(MAKE)' $(PYTHON) -B tests/gates/mutate/run.py $(if $(JOBS),--jobs $(JOBS)) \
	    $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(FILES),--files $(FILES))

# The tests as a program that runs them against a mutated core, which comes before the original one.
mutate_CFLAGS = -O2 -fvisibility=default
# Without vector code, because tcc has none: then tests reach the same code in both.
trace_CFLAGS  = -O1 -fvisibility=default -fno-inline -finstrument-functions -DURIVET_VECTORS=0
build/%/libcore.so: FORCE
	$(Q)$(MAKE) -s VARIANT=$* build/$*/liburivet.a
	$(Q)$(CC) -shared -o $@ -Wl,--whole-archive build/$*/liburivet.a -Wl,--no-whole-archive
ifeq ($(VARIANT),mutate)
$B/conform: $B/tests/gates/grammar/conform.o $B/libcore.so
	$(call say,LD)
	$(Q)$(LINK) -o $@ $< -L$B -lcore -Wl,-rpath,'$$ORIGIN'
$B/alone/standalone.o: CPPFLAGS += -DSTANDALONE_NO_MAIN
$B/tests/gates/mutate/killer.o: CPPFLAGS += -Itests/core/standalone -D_GNU_SOURCE
$B/tests/gates/mutate/killer.o: OUR_CFLAGS += -Wno-pedantic -Wno-format-zero-length
$B/killer: $(STANDALONE_O) $B/tests/gates/mutate/killer.o $B/libcore.so
	$(call say,LD)
	$(Q)$(LINK) -rdynamic -o $@ $(filter %.o,$^) -L$B -lcore -Wl,-rpath,'$$ORIGIN' -ldl
endif
