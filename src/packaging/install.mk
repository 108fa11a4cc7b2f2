# SPDX-License-Identifier: Apache-2.0
# What `make install` installs, and where.
PREFIX  ?= /usr/local
# Debian's compilers report the folder for libraries of their machine.
ifneq ($(filter /usr /usr/local,$(PREFIX)),)
MULTIARCH := $(shell $(CC) $($(VARIANT)_CFLAGS) $(CFLAGS) -print-multiarch 2>/dev/null || dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
endif
LIBDIR  ?= $(PREFIX)/lib$(MULTIARCH:%=/%)
INCLUDEDIR ?= $(PREFIX)/include
BINDIR  ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR  ?= $(DATADIR)/man
DOCDIR  ?= $(DATADIR)/doc/urivet
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR  ?= $(DATADIR)/zsh/$(if $(and $(MULTIARCH),$(filter /usr,$(PREFIX))),vendor-completions,site-functions)
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
# STRIP= keeps the symbols. By default the strip of CC's target machine removes them.
STRIP   ?= $(or $(shell $(CC) -print-prog-name=strip 2>/dev/null),strip)
stripped = $(if $(STRIP),$(STRIP) $(1))

# Always written anew, because it contains the paths given in this call.
$(OUT)/urivet.pc: src/core/urivet.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|' $< > $@

# The libraries that a static program must link as well: the optional dependencies of this build. Programs that
# link the shared library need no headers of these.
STATIC_LIBS = $(strip $(LOADER_LIBS))
$(OUT)/liburivet-policy.pc: src/policyfile/liburivet-policy.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|;s|@LIBRARIES@|$(STATIC_LIBS)|' $< > $@

# The same for CMake.
$(OUT)/%.cmake: src/packaging/%.cmake.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e 's|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|;s|@VERSION@|$(VERSION)|;s|@MAJOR@|$(MAJOR)|;s|@LIBRARIES@|$(STATIC_LIBS)|' $< > $@

# The catalogue of findings as one JSON array.
$(OUT)/findings.json: $(OUT)/urivet
	$(Q)$(RUN) $(OUT)/urivet findings --format=json > $@.lines
	$(Q)sed '1s/^/[/;$$!s/$$/,/;$$s/$$/]/' $@.lines > $@ && rm $@.lines
$(OUT)/completion.%: $(OUT)/urivet
	$(Q)$(RUN) $(OUT)/urivet completion $* > $@

# Installed files, as SOURCE:DESTINATION.
INSTALLED = $(OUT)/urivet:$(BINDIR)/urivet \
    $(foreach page,$(PAGES) urivet.3 urivet-policy.3,$(OUT)/$(page):$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page)) \
    $(foreach header,$(sort $(wildcard include/*.h include/*/*.h include/*/*.def)),$(header):$(header:include/%=$(INCLUDEDIR)/%)) \
    $(OUT)/liburivet.a:$(LIBDIR)/liburivet.a $(OUT)/$(SONAME):$(LIBDIR)/liburivet.so.$(VERSION) \
    $(OUT)/liburivet-policy.a:$(LIBDIR)/liburivet-policy.a $(OUT)/$(POLICY_SONAME):$(LIBDIR)/liburivet-policy.so.$(VERSION) \
    $(OUT)/urivet.pc:$(LIBDIR)/pkgconfig/urivet.pc $(OUT)/liburivet-policy.pc:$(LIBDIR)/pkgconfig/liburivet-policy.pc \
    $(foreach file,urivet-config.cmake urivet-config-version.cmake,$(OUT)/$(file):$(LIBDIR)/cmake/urivet/$(file)) \
    src/examples/policies/policy.schema.json:$(DATADIR)/urivet/policy.schema.json $(OUT)/findings.json:$(DATADIR)/urivet/findings.json \
    $(OUT)/completion.bash:$(BASHDIR)/urivet $(OUT)/completion.zsh:$(ZSHDIR)/_urivet \
    $(OUT)/completion.fish:$(FISHDIR)/urivet.fish \
    $(foreach example,check.c fetch.c gateway.c batch.c policy.c coprocess.py coprocess.mjs,src/examples/$(example):$(DOCDIR)/examples/$(example)) \
    $(foreach example,$(sort $(wildcard src/gateway/examples/*)),$(example):$(DOCDIR)/examples/$(notdir $(example))) \
    $(foreach policy,$(sort $(wildcard src/examples/policies/*.yaml src/examples/policies/*.json src/examples/policies/tests/*.yaml src/examples/policies/applications/*.yaml src/examples/policies/applications/tests/*.yaml)),$(policy):$(policy:src/examples/%=$(DOCDIR)/%))
# Links that point to liburivet.so.$(VERSION) and liburivet-policy.so.$(VERSION).
LINKS    = $(addprefix $(LIBDIR)/,$(SONAME) liburivet.so $(POLICY_SONAME) liburivet-policy.so)
sources  = $(foreach pair,$(1),$(firstword $(subst :, ,$(pair))))
places   = $(foreach pair,$(1),$(DESTDIR)$(lastword $(subst :, ,$(pair))))
mode     = $(if $(filter $(OUT)/urivet $(OUT)/$(SONAME) $(OUT)/$(POLICY_SONAME),$(1)),755,644)
define put
$(INSTALL) -m $(call mode,$(call sources,$(1))) $(call sources,$(1)) $(call places,$(1))

endef
define strip_library
$(call stripped,--strip-debug $(1).a)
$(call stripped,--strip-unneeded $(1).so.$(VERSION))

endef

# Makes the libraries usable where nothing else, such as a package, does: programs find them by ldconfig's cache.
define usable
PATH=$$PATH:/sbin:/usr/sbin; [ "$$(id -u)" != 0 ] || ldconfig 2>/dev/null; \
	case "$$(ldconfig -p 2>/dev/null)" in *$(LIBDIR)/$(SONAME)*) ;; *) \
	    echo 'Programs do not find $(SONAME) yet: run ldconfig as root, or set LD_LIBRARY_PATH=$(LIBDIR).' ;; esac; \
	command -v $(PKG_CONFIG) >/dev/null || echo 'Programs in C are built with pkg-config, which is missing: apt-get install pkg-config.'
endef
