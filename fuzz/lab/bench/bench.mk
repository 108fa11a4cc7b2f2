# SPDX-License-Identifier: Apache-2.0
# Benchmarks of the library, next to other libraries. Each contestant is a shared object. One whose library
# is missing is reported and skipped, because a benchmark is not a gate.
##@ Measure
.PHONY: bench
BENCH   := $B/bench
# Baselines run first: the first contestant finds the URLs outside the cache.
BENCHED  = $(BENCH)/floors.so $(BENCH)/urivet.so $(BENCH)/rules.so $(BENCH)/urivet-sse2.so $(BENCH)/urivet-no.so
LACKING  =
SHARED   = $(1) -O2 $(2) -Wall -Wextra -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -Iinclude -Ifuzz/lab/bench
# Name, package of pkg-config (or a test), Debian package.
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
# ADA: a folder with ada.cpp and ada.h. It is built several ways, because no build is the fastest on all
# inputs.
ifneq ($(ADA),)
BENCHED += $(BENCH)/ada-O3.so $(BENCH)/ada-native.so
endif
# URIPARSER: a folder with sources of uriparser that are newer than Debian's.
ifneq ($(URIPARSER),)
BENCHED += $(BENCH)/uriparser-head.so
endif

bench: all $(BENCH)/bench $(BENCHED) $(BENCH)/homepages ## measures the cost of checking URLs, next to other libraries; DATA=FILE with your own lines, PASSES=25
	@$(if $(LACKING),echo 'left out for want of their Debian packages: $(LACKING)';,) \
	DATA='$(DATA)' PASSES='$(or $(PASSES),25)' sh fuzz/lab/bench/run.sh $(BENCH) $(BENCHED)

$(BENCH)/bench: fuzz/lab/bench/bench.c fuzz/lab/bench/bench.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) -std=c11 -O2 $(WARN) -o $@ $< -ldl
# Makes all sets of URLs; this file is their time stamp.
$(BENCH)/homepages: fuzz/lab/bench/urls.py
	@mkdir -p $(@D)
	$(Q)$(PYTHON) -B $< $(@D)
$(BENCH)/rules.compiled: fuzz/lab/bench/policies.py $(BENCH)/homepages $(OUT)/urivet
	$(Q)$(PYTHON) -B $< $@ $(BENCH)/homepages
$(BENCH)/rules.so: fuzz/lab/bench/with_rules.c fuzz/lab/bench/bench.h $(BENCH)/rules.compiled $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),-pthread -DRULES='"$(BENCH)/rules.compiled"') -o $@ $< $(OUT)/liburivet-policy.a $(OUT)/liburivet.a $(LOADER_LIBS)
$(BENCH)/urivet.so: fuzz/lab/bench/with_urivet.c fuzz/lab/bench/bench.h $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $< $(OUT)/liburivet.a
# Builds without vector code; their objects have their own folders.
$(BENCH)/urivet-%.so: fuzz/lab/bench/with_urivet.c fuzz/lab/bench/bench.h $(wildcard $(FLOORS:%=src/core/%/*.[ch]) include/*.h)
	$(call say,LD)
	$(Q)$(MAKE) -s VARIANT=vectors-$* VECTORS=$* build/vectors-$*/liburivet.a
	$(Q)$(call SHARED,$(CC),-DVERDICTS_ONLY -DLABEL='"VECTORS=$*:"') -o $@ $< build/vectors-$*/liburivet.a
$(BENCH)/boost.so: fuzz/lab/bench/with_boost.cpp fuzz/lab/bench/bench.h
	$(call say,LD)
	$(Q)$(call SHARED,$(CXX),-std=c++17) -o $@ $< -lboost_url -lboost_system
$(BENCH)/re2c.c: fuzz/lab/bench/with_re2c.re
	@mkdir -p $(@D)
	$(Q)re2c -W --no-debug-info -o $@ $<
$(BENCH)/re2c.so: $(BENCH)/re2c.c
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $<
$(BENCH)/ada-O3.so $(BENCH)/ada-native.so: fuzz/lab/bench/with_ada.cpp fuzz/lab/bench/bench.h $(wildcard $(ADA)/ada.cpp)
	$(call say,LD)
	$(Q)$(call SHARED,$(CXX),-std=c++20 -O3 -DNDEBUG -I$(ADA) -DLABEL='"$(@F)"' $(if $(findstring native,$@),-march=native)) -o $@ $<
# Holds the settings that uriparser's CMakeLists.txt detects.
$(BENCH)/uriparser-head.so: fuzz/lab/bench/with_uriparser.c fuzz/lab/bench/bench.h $(wildcard $(URIPARSER)/src/*.c)
	@mkdir -p $(BENCH)/uriparser
	$(call say,LD)
	$(Q)printf '#define PACKAGE_VERSION "HEAD"\n#define HAVE_REALLOCARRAY\n' >$(BENCH)/uriparser/UriConfig.h
	$(Q)$(call SHARED,$(CC),-D_GNU_SOURCE -DNDEBUG -O3 -march=native -DURI_NO_UNICODE -I$(BENCH)/uriparser -I$(URIPARSER)/include -DLABEL='"uriparser HEAD"') -o $@ $< $(wildcard $(URIPARSER)/src/*.c)
$(BENCH)/%.so: fuzz/lab/bench/with_%.c fuzz/lab/bench/bench.h fuzz/lab/bench/expression.h
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(call SHARED,$(CC),) -o $@ $< $(PEER)
