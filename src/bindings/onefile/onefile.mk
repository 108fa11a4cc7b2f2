# SPDX-License-Identifier: Apache-2.0
# The library as two files that any build can include: urivet.c and urivet.h.
.PHONY: onefile
ONEFILE := build/onefile/urivet.c build/onefile/urivet.h
onefile: $(ONEFILE) ## writes the library as one C file and its header, to build/onefile
	@wc -lc $(ONEFILE)

$(ONEFILE): src/bindings/onefile/onefile.awk $(HEADERS) $(wildcard include/urivet/*.def $(FLOORS:%=src/core/%/*))
build/onefile/urivet.h:
	@mkdir -p $(@D)
	$(call say,ONE)
	$(Q)LC_ALL=C awk -f src/bindings/onefile/onefile.awk -v version=$(VERSION) -v header=yes $(HEADERS) >$@
build/onefile/urivet.c:
	@mkdir -p $(@D)
	$(call say,ONE)
	$(Q)LC_ALL=C awk -f src/bindings/onefile/onefile.awk -v version=$(VERSION) $(foreach floor,$(FLOORS),$(sort $(wildcard src/core/$(floor)/*.c))) >$@
