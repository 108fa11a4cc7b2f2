# SPDX-License-Identifier: Apache-2.0
# The wire laboratory: which requests clients send, proxies forward and servers route.
.PHONY: wire wire-deps wire-judge wire-targets wire-control wire-quick
WIRE := URIVET=$(OUT)/urivet PYTHON=$(PYTHON) $(PYTHON) -B fuzz/lab/wire
wire-deps: # installs its clients, proxies and servers
	@sh fuzz/install.sh build/wire fuzz/lab/wire/clients.tsv fuzz/lab/wire/proxies.tsv fuzz/lab/wire/servers.tsv
	@$(WIRE)/wire.py exhibits
wire: all ## records what goes over the wire: build/wire/report.html and facts.json
	@$(WIRE)/wire.py report
wire-judge: all # fails if a client's request differs from the accepted URL; N, SEED, POLICY
	@$(WIRE)/wire.py judge --count=$(N) --seed=$(SEED) --policy=$(POLICY)
wire-targets: all # fails if an accepted target gets past a rule to a secret; POLICY=gateway
	@$(WIRE)/chains.py targets $(if $(filter-out file,$(origin POLICY)),--policy=$(POLICY))
wire-control: all # does the same, and fails if a known bypass does not return once its rule is waived
	@$(WIRE)/chains.py control
wire-quick: all # does both, with the programs that can be installed within two minutes
	@$(WIRE)/wire.py judge --quick --count=1200 --seed=$(SEED)
	@$(WIRE)/chains.py targets --quick
	@$(WIRE)/chains.py control --quick
