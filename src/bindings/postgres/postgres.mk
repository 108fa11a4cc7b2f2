# SPDX-License-Identifier: Apache-2.0
# The extension for PostgreSQL.
##@ Build and use
.PHONY: postgres postgres-extension install-postgres uninstall-postgres
PG_CONFIG ?= $(firstword $(wildcard /usr/lib/postgresql/*/bin/pg_config) pg_config)
# The releases that "ALTER EXTENSION urivet UPDATE" can start from.
PG_EARLIER ?=
PG_MODULE_VERSION ?= $(VERSION)
PG_MODULE_PATCH   ?= $(call version,PATCH)
PG_MODULE_RELEASE ?= $(shell expr $(MAJOR) '*' 10000 + $(MINOR) '*' 100 + $(PG_MODULE_PATCH))
PG_FOLDER  ?= $(OUT)/postgres
HAVE_PGXS  := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
PG_MAKE     = env -u MAKEFLAGS -u MFLAGS $(MAKE) -C $(PG_FOLDER) PG_CONFIG=$(PG_CONFIG) EXTENSION_VERSION=$(PG_MODULE_VERSION) URIVET_INCLUDE=$(CURDIR)/include \
              CORE=$(abspath $(OUT)/liburivet.a) OUR_FLAGS='-DURIVET_RELEASE=$(PG_MODULE_RELEASE) -ffile-prefix-map=$(CURDIR)=. $(PG_FLAGS)'
PG_SOURCES := $(wildcard src/bindings/postgres/*)

postgres-extension: $(if $(HAVE_PGXS),$(PG_FOLDER)/built) # builds the extension for PostgreSQL
	$(if $(HAVE_PGXS),@:,$(call lacks,$@,postgresql-15 postgresql-server-dev-15))

postgres: postgres-extension $(OUT)/urivet ## builds the extension for PostgreSQL and tests it in temporary clusters
	@PG_CONFIG=$(PG_CONFIG) sh tests/bindings/postgres/run.sh

substituted = sed -e 's/@VERSION@/$(PG_MODULE_VERSION)/g' -e 's/@RELEASE@/$(PG_MODULE_RELEASE)/g'
$(PG_FOLDER)/built: $(PG_SOURCES) $(OUT)/liburivet.a
	$(call say,PG)
	$(Q)mkdir -p $(@D) && rm -f $(@D)/*.sql $(@D)/*.so
	$(Q)cp $(filter %.c %.h %.map %/Makefile,$(PG_SOURCES)) $(@D)
	$(Q)$(substituted) src/bindings/postgres/urivet.control.in > $(@D)/urivet.control
	$(Q)cd src/bindings/postgres && cat install.sql.in functions.sql.in tables.sql.in | $(substituted) > $(abspath $(@D))/urivet--$(PG_MODULE_VERSION).sql
	$(Q)cd src/bindings/postgres && for old in $(PG_EARLIER); do cat upgrade.sql.in functions.sql.in upgraded.sql.in | \
	    $(substituted) > $(abspath $(@D))/urivet--$$old--$(PG_MODULE_VERSION).sql; done
	$(Q)$(PG_MAKE) -s all
	$(Q)touch $@

install-postgres: postgres-extension $(OUT)/urivet # installs the extension where the server looks for it; DESTDIR is put before the path
	$(PG_MAKE) -s install DESTDIR=$(DESTDIR)
uninstall-postgres: # removes the extension
	$(PG_MAKE) -s uninstall DESTDIR=$(DESTDIR)
