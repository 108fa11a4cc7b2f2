# SPDX-License-Identifier: Apache-2.0
# Your own parser: compared with all others as a program, or fuzzed as a C function.
##@ Fuzz
.PHONY: versus yours
versus: export MINE := $(MINE)
versus: all ## compares your parser with all others; MINE='./prog', READER=, AGAINST=, N=20000, TIME=20, BLIND=, SEED=, FILES=
	@mkdir -p build/versus
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/lab/yours/versus.py $(if $(READER),--reader='$(READER)',$(if $(MINE),"$$MINE")) \
		--count=$(N) --time=$(if $(filter file,$(origin TIME)),20,$(TIME)) --seed='$(SEED)' $(AGAINST:%=--against='%') $(BLIND:%=--blind='%') \
		$(LIMIT:%=--limit=%) $(WITH_MOST:%=--with-most) -o build/versus/report.html -o build/versus/report.tsv $(if $(FILES),--files $(FILES))

yours: all # fuzzes your C function with libFuzzer, then compares it; YOURS="mine.c", TIME=60, YOURS_FLAGS=, YOURS_LIBS=, ABORT=1, AGAINST=
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' FLAGS='$(YOURS_FLAGS)' LIBS='$(YOURS_LIBS)' AGAINST='$(AGAINST)' BLIND='$(BLIND)' ABORT='$(ABORT)' \
		URIVET='$(OUT)/urivet' sh fuzz/lab/yours/yours.sh $(TIME) $(YOURS)

# Installed files: the harness for your reader, and templates for a reader.
YOURS_KIT := $(addprefix fuzz/lab/yours/,yours.h fuzz_yours.c) $(sort $(wildcard fuzz/lab/yours/templates/mine.*))
