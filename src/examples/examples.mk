# SPDX-License-Identifier: Apache-2.0
# Examples to copy. fetch_unguarded shows what happens without the guard.
.PHONY: examples
examples: $(OUT)/fetch $(OUT)/fetch_unguarded # builds src/examples, which need libcurl
CURL = $(shell $(PKG_CONFIG) --exists 'libcurl >= 7.85' 2>/dev/null && echo libcurl)
$(OUT)/fetch_unguarded: private CPPFLAGS += -DWITHOUT_GUARD
$(OUT)/fetch $(OUT)/fetch_unguarded: src/examples/fetch.c $(OUT)/liburivet.a Makefile src/examples/examples.mk
	@mkdir -p $B
	$(call say,LD)
	$(Q)$(if $(CURL),,echo 'examples need libcurl4-openssl-dev, 7.85 or newer' >&2; exit 1;) \
	$(COMPILE) -MF $B/$(@F).d $(OUR_LDFLAGS) $($(VARIANT)_LDFLAGS) $(LDFLAGS) \
	    $(shell $(PKG_CONFIG) --cflags libcurl) -o $@ $< $(OUT)/liburivet.a $(LDLIBS) \
	    $(shell $(PKG_CONFIG) --libs libcurl)
