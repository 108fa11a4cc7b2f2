# SPDX-License-Identifier: Apache-2.0
# The extension for DuckDB: a C compiler builds it; the tests need an engine.
##@ Build and use
.PHONY: duckdb duckdb-extension duckdb-cost
DUCKDB_MACHINE  := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
DUCKDB_PLATFORM ?= linux_$(patsubst aarch64,arm64,$(patsubst x86_64,amd64,$(DUCKDB_MACHINE)))
DUCKDB_O        := $(call objects,src/duckdb/*.c)
# the engine that the tests load it into, from npm
DUCKDB_ENGINE   ?= @duckdb/node-api@1.5.6-r.1

duckdb-extension: $(OUT)/urivet.duckdb_extension # the extension for DuckDB

$(OUT)/urivet.duckdb_extension: $(DUCKDB_O) $(OUT)/liburivet.a src/duckdb/footer.sh
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@.so $(DUCKDB_O) $(OUT)/liburivet.a
	$(Q)sh src/duckdb/footer.sh $@.so $(VERSION) $(DUCKDB_PLATFORM) > $@

duckdb: duckdb-extension $(OUT)/urivet ## the extension for DuckDB and its tests, in an engine from npm
	@DUCKDB_ENGINE='$(DUCKDB_ENGINE)' DUCKDB_EXTENSION=$(abspath $(OUT)/urivet.duckdb_extension) sh tests/duckdb/run.sh $(DUCKDB_TEST)
duckdb-cost: duckdb-extension # what the functions cost a row, over a million URLs
	@DUCKDB_ENGINE='$(DUCKDB_ENGINE)' DUCKDB_EXTENSION=$(abspath $(OUT)/urivet.duckdb_extension) sh tests/duckdb/run.sh cost
