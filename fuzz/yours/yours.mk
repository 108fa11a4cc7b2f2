# SPDX-License-Identifier: Apache-2.0
# A parser of somebody: compared with all others as a program, fuzzed as a C function.
.PHONY: versus yours
comma := ,
versus: all ## your parser against all others; MINE='./prog', READER=, AGAINST=, N=20000, TIME=20, BLIND=, SEED=, FILES=
	@mkdir -p build/versus
	@URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/yours/versus.py $(if $(READER),--reader='$(READER)',$(if $(MINE),'$(MINE)')) \
		--count=$(N) --time=$(if $(filter file,$(origin TIME)),20,$(TIME)) --seed='$(SEED)' $(AGAINST:%=--against='%') $(BLIND:%=--blind='%') \
		$(LIMIT:%=--limit=%) $(WITH_MOST:%=--with-most) -o build/versus/report.html -o build/versus/report.tsv $(if $(FILES),--files $(FILES))
