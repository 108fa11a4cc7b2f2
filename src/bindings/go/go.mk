# SPDX-License-Identifier: Apache-2.0
# The Go module: the library as one file, which cgo compiles, and guards for net/http.
.PHONY: go go-check
GO        ?= go
# The path that programs import it by. It has no home on the web: programs name a folder by `replace`.
GO_MODULE ?= urivet.invalid/urivet
GO_FILES  := $(wildcard src/bindings/go/*.go src/bindings/go/README.md)
GO_BUILT  := $(patsubst src/bindings/go/%,build/go/%,$(GO_FILES)) build/go/urivet.c build/go/urivet.h build/go/go.mod build/go/LICENSE
go: $(GO_BUILT) ## writes the Go module, with the library inside, to build/go

build/go/%: src/bindings/go/% src/bindings/go/go.mk
	$(Q)mkdir -p $(@D) && sed 's|urivet\.invalid/urivet|$(GO_MODULE)|g' $< >$@
build/go/urivet.c build/go/urivet.h: build/go/%: build/onefile/%
	$(Q)mkdir -p $(@D) && cp $< $@
build/go/LICENSE: LICENSE
	$(Q)mkdir -p $(@D) && cp $< $@
build/go/go.mod: src/bindings/go/go.mk
	$(Q)mkdir -p $(@D) && printf 'module %s\n\ngo 1.19\n' '$(GO_MODULE)' >$@

go-check: go # tests the Go module: shared binding cases, guards with negative controls, race detector, fuzzing
	@GO='$(GO)' sh tests/bindings/go/run.sh build/go
