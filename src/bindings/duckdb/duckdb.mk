# SPDX-License-Identifier: Apache-2.0
# The extension for DuckDB: needs only a C compiler to build, and an engine for its tests.
##@ Build and use
.PHONY: duckdb duckdb-extension
DUCKDB_MACHINE  := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
DUCKDB_PLATFORM ?= linux_$(patsubst aarch64,arm64,$(patsubst x86_64,amd64,$(DUCKDB_MACHINE)))
DUCKDB_O        := $(call objects,src/bindings/duckdb/*.c)
# The engine that the tests load the extension into, from npm.
DUCKDB_ENGINE   ?= @duckdb/node-api@1.5.6-r.1

duckdb-extension: $(OUT)/urivet.duckdb_extension # builds the extension for DuckDB

$(OUT)/urivet.duckdb_extension: $(DUCKDB_O) $(OUT)/liburivet.a src/bindings/duckdb/footer.sh
	$(call say,LD)
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@.so $(DUCKDB_O) $(OUT)/liburivet.a
	$(Q)sh src/bindings/duckdb/footer.sh $@.so $(VERSION) $(DUCKDB_PLATFORM) > $@

duckdb: duckdb-extension $(OUT)/urivet ## builds the extension for DuckDB and tests it in an engine from npm
	@DUCKDB_ENGINE='$(DUCKDB_ENGINE)' DUCKDB_EXTENSION=$(abspath $(OUT)/urivet.duckdb_extension) sh tests/bindings/duckdb/run.sh $(DUCKDB_TEST)
