# SPDX-License-Identifier: Apache-2.0
# The Go module: the library as one file, which cgo compiles, and guards for net/http.
.PHONY: go go-check
GO        ?= go
# The path that programs import it by. It has no home on the web: programs name a folder by `replace`.
GO_MODULE ?= urivet.invalid/urivet
GO_FILES  := $(patsubst src/bindings/go/%,build/go/%,$(wildcard src/bindings/go/*.go) src/bindings/go/README.md)
go: $(GO_FILES) $(addprefix build/go/,example_test.go urivet.c urivet.h LICENSE go.mod) ## writes the Go module, with the library inside, to build/go

$(GO_FILES): build/go/%: src/bindings/go/%
build/go/example_test.go: tests/bindings/go/example_test.go
build/go/urivet.c build/go/urivet.h: build/go/%: build/onefile/%
build/go/LICENSE: LICENSE
$(GO_FILES) $(addprefix build/go/,example_test.go urivet.c urivet.h LICENSE):
	$(Q)mkdir -p $(@D) && sed 's|urivet\.invalid/urivet|$(GO_MODULE)|g' $< >$@
build/go/go.mod: src/bindings/go/go.mk
	$(Q)mkdir -p $(@D) && printf 'module %s\n\ngo 1.19\n' '$(GO_MODULE)' >$@

go-check: all go # tests the Go module: shared binding cases, guards with negative controls, race detector, fuzzing
	@GO='$(GO)' sh tests/bindings/go/run.sh build/go
