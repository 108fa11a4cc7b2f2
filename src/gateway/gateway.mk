# SPDX-License-Identifier: Apache-2.0
# Guards for gateways and servers.
# The helper opens libssl where TLS is asked for.
$(eval $(call optional,libssl,gateway/serve/tls,LIBSSL,OPENED))
.PHONY: gateways gateway-load install-gateways uninstall-gateways
NGINX_SOURCE ?= /usr/share/nginx/src
NGINX_MODULE := $(OUT)/nginx/ngx_http_urivet_module.so
HAVE_NGINX := $(wildcard $(NGINX_SOURCE)/configure)
gateways: $(if $(HAVE_NGINX),all $(NGINX_MODULE)) ## builds the guards for gateways
	$(if $(HAVE_NGINX),@:,$(call lacks,$@,nginx nginx-dev))

$(NGINX_MODULE): $(wildcard src/gateway/*.[ch] src/gateway/nginx/*) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)CC='$(CC)' CFLAGS='$($(VARIANT)_CFLAGS) $(CFLAGS)' LDFLAGS='$($(VARIANT)_LDFLAGS) $(LDFLAGS)' LIBS='$(LOADER_LIBS)' \
	    bash src/gateway/nginx/build.sh $(NGINX_SOURCE) $(@D) $(OUT)

# nginx loads modules from the folder set when it was built; this is Debian's.
NGINX_MODULES ?= $(shell nginx -V 2>&1 | sed -n 's/.*--modules-path=\([^ ]*\).*/\1/p')
install-gateways: gateways # installs the module where nginx looks for it; DESTDIR is put before the path
	$(if $(NGINX_MODULES),,$(error make $@ needs nginx (apt-get install nginx), or NGINX_MODULES=FOLDER))
	$(INSTALL) -d $(DESTDIR)$(NGINX_MODULES)
	$(INSTALL) -m 644 $(NGINX_MODULE) $(DESTDIR)$(NGINX_MODULES)
	$(call stripped,--strip-unneeded $(DESTDIR)$(NGINX_MODULES)/$(notdir $(NGINX_MODULE)))

uninstall-gateways: # removes the module
	rm -f $(DESTDIR)$(NGINX_MODULES)/$(notdir $(NGINX_MODULE))

# Runs in a network namespace of its own if the system allows it.
REQUESTS ?= 200000
SWAPS    ?= 50
gateway-load: gateways # measures servers with and without their guard, in turns, then injects faults under load; REQUESTS=200000 SWAPS=50
	@inside=; /usr/bin/python3 -B fuzz/lab/wire/cage.py true 2>/dev/null && inside='/usr/bin/python3 -B fuzz/lab/wire/cage.py'; \
	    $$inside /usr/bin/python3 -B fuzz/lab/gateway/load.py --requests=$(REQUESTS) --swaps=$(SWAPS)
