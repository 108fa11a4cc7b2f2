# SPDX-License-Identifier: Apache-2.0
# What stands in the way of requests. Each is built where this machine has what it needs.
.PHONY: gateways gateway-load install-gateways uninstall-gateways
NGINX_SOURCE ?= /usr/share/nginx/src
NGINX_MODULE := $(OUT)/nginx/ngx_http_urivet_module.so
gateways: all $(if $(wildcard $(NGINX_SOURCE)/configure),$(NGINX_MODULE)) ## what stands in gateways, as far as this machine has what it needs
	@test -e $(NGINX_SOURCE)/configure || echo 'The nginx module is not built: it needs nginx-dev (apt-get install nginx nginx-dev).'

$(NGINX_MODULE): $(wildcard src/gateway/*.[ch] src/gateway/nginx/*) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	$(call say,LD)
	$(Q)CC='$(CC)' CFLAGS='$($(VARIANT)_CFLAGS) $(CFLAGS)' LDFLAGS='$($(VARIANT)_LDFLAGS) $(LDFLAGS)' LIBS='$(LOADER_LIBS)' \
	    bash src/gateway/nginx/build.sh $(NGINX_SOURCE) $(@D) $(OUT)

# nginx loads modules from where it was told to look for them: Debian's from here
NGINX_MODULES ?= $(shell nginx -V 2>&1 | sed -n 's/.*--modules-path=\([^ ]*\).*/\1/p')
install-gateways: gateways ## installs the module where nginx looks for it; DESTDIR comes before it
	$(if $(NGINX_MODULES),,$(error nginx is not here: say NGINX_MODULES=FOLDER))
	$(INSTALL) -d $(DESTDIR)$(NGINX_MODULES)
	$(INSTALL) -m 644 $(NGINX_MODULE) $(DESTDIR)$(NGINX_MODULES)
	$(call stripped,--strip-unneeded $(DESTDIR)$(NGINX_MODULES)/$(notdir $(NGINX_MODULE)))

uninstall-gateways: # takes the module away
	rm -f $(DESTDIR)$(NGINX_MODULES)/$(notdir $(NGINX_MODULE))

# in a network of its own where there may be one
REQUESTS ?= 200000
SWAPS    ?= 50
gateway-load: gateways # servers with their guard and without, in turns, then faults under load; REQUESTS=200000 SWAPS=50
	@inside=; /usr/bin/python3 -B fuzz/wire/cage.py true 2>/dev/null && inside='/usr/bin/python3 -B fuzz/wire/cage.py'; \
	    $$inside /usr/bin/python3 -B tests/gateway/load.py --requests=$(REQUESTS) --swaps=$(SWAPS)
