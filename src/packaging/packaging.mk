# SPDX-License-Identifier: Apache-2.0
# Packages: Debian's, and what they install, for other systems.
.PHONY: dist deb install-all install-serve uninstall-serve install-python uninstall-python
UNITDIR     ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
SYSCONFDIR  ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
PYTHONDIR   ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("platlib"))' 2>/dev/null)

# All parts are built before any is installed. If one cannot be installed, those before it are removed again.
PARTS := serve fuzz gateways postgres python
# What each part is built by, and the Debian packages that it lacks.
built_fuzz     = $(OUT)/mutator.so
built_gateways = gateways
built_postgres = postgres-extension
built_python   = python-extension
lacks_gateways = $(if $(NGINX_MODULES),,nginx) $(if $(HAVE_NGINX),,nginx-dev)
lacks_postgres = $(if $(HAVE_PGXS),,postgresql-server-dev-15)
lacks_python   = $(if $(PYTHON_H),,python3-dev)
PARTS_LACK     = $(strip $(foreach part,$(PARTS),$(lacks_$(part))))
install-all: ## installs what the Debian packages contain; each of install-serve, -fuzz, -gateways, -postgres, -python alone too
	$(if $(PARTS_LACK),$(call lacks,$@,$(PARTS_LACK)))
	$(Q)$(MAKE) all docs $(foreach part,$(PARTS),$(built_$(part)))
	$(Q)$(MAKE) install $(PARTS:%=install-%) || { $(MAKE) -s uninstall $(PARTS:%=uninstall-%) >/dev/null 2>&1; \
	    echo 'make $@: not every part could be installed; those that were are removed again' >&2; exit 2; }

# The service of `urivet serve`, as SOURCE:DESTINATION.
SERVICE = urivet-serve.service:$(UNITDIR)/urivet-serve.service urivet-serve.socket:$(UNITDIR)/urivet-serve.socket \
    sysusers.conf:$(SYSUSERSDIR)/urivet-serve.conf urivet-serve.default:$(SYSCONFDIR)/default/urivet-serve \
    urivet-serve.apparmor:$(SYSCONFDIR)/apparmor.d/urivet-serve
define put_service
sed -e 's|/usr/local/bin|$(BINDIR)|;s|@BINDIR@|$(BINDIR)|;s|/etc/default|$(SYSCONFDIR)/default|' src/gateway/examples/$(call sources,$(1)) > $(call places,$(1)) && chmod 644 $(call places,$(1))

endef
install-serve: # installs the service for systemd: units, options, user, and the profile for AppArmor
	$(INSTALL) -d $(sort $(dir $(call places,$(SERVICE))))
	$(foreach pair,$(SERVICE),$(call put_service,$(pair)))

# The package for Python, with what importlib.metadata reads.
PYTHON_FILES = $(patsubst src/bindings/python/urivet/%,%,$(wildcard src/bindings/python/urivet/*.py src/bindings/python/urivet/*.pyi src/bindings/python/urivet/py.typed)) _urivet.abi3.so
PYTHON_ABOUT = $(DESTDIR)$(PYTHONDIR)/urivet-$(VERSION).dist-info
.PHONY: python-extension
python-extension: $(if $(PYTHON_H),$(PYTHON_SO) $(PYTHON_PY)) # builds what install-python installs
	$(if $(PYTHON_H),@:,$(call lacks,$@,python3-dev))
install-python: python-extension # installs the package for Python where PYTHON looks for it
	$(INSTALL) -d $(DESTDIR)$(PYTHONDIR)/urivet $(PYTHON_ABOUT)
	$(INSTALL) -m 644 $(addprefix $(OUT)/python/urivet/,$(PYTHON_FILES)) $(DESTDIR)$(PYTHONDIR)/urivet
	$(call stripped,--strip-unneeded $(DESTDIR)$(PYTHONDIR)/urivet/_urivet.abi3.so)
	printf 'Metadata-Version: 2.1\nName: urivet\nVersion: $(VERSION)\nLicense: Apache-2.0\n' > $(PYTHON_ABOUT)/METADATA
	chmod 644 $(PYTHON_ABOUT)/METADATA

uninstall: uninstall-serve uninstall-python
uninstall-serve: # removes what install-serve installed
	rm -f $(call places,$(SERVICE))
uninstall-python: # removes what install-python installed
	rm -f $(addprefix $(DESTDIR)$(PYTHONDIR)/urivet/,$(PYTHON_FILES)) $(PYTHON_ABOUT)/METADATA
	@rmdir $(DESTDIR)$(PYTHONDIR)/urivet $(PYTHON_ABOUT) 2>/dev/null || :

##@ Packages
dist: ## writes the source release, the package for npm, a wheel for any Linux with glibc, and the bill of materials to build/dist
	@PYTHON='$(PYTHON)' MAKE='$(SUBMAKE)' sh src/packaging/dist.sh $(VERSION) build/dist
deb: ## builds the packages for Debian in build/deb, from the source release
	@PYTHON='$(PYTHON)' MAKE='$(MAKE)' sh src/packaging/deb.sh $(VERSION) build/deb
