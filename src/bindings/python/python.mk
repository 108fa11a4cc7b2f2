# SPDX-License-Identifier: Apache-2.0
# The Python package: the extension of this build next to its modules, a source distribution and a wheel.
##@ Languages
.PHONY: python python-module python-check
PYTHON_CONFIG := $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)
PYTHON_H  := $(wildcard $(PYTHON_CONFIG)/Python.h)
PYTHON_SO := $(OUT)/python/urivet/_urivet.abi3.so
PYTHON_PY := $(patsubst src/bindings/python/%,$(OUT)/python/%,$(wildcard src/bindings/python/urivet/*.py src/bindings/python/urivet/*.pyi src/bindings/python/urivet/py.typed))
PYTHON_O  := $(call objects,src/bindings/python/extension/*.c)
# A fixed time stamp, the earliest that zip can store: packages are reproducible and never newer than their
# sources.
SOURCE_DATE_EPOCH ?= 315619200

python-module: $(PYTHON_SO) $(PYTHON_PY) # builds the extension beside its modules, without packages
python: $(if $(PYTHON_H),python-module $(if $(filter release,$(VARIANT)),$(OUT)/python/dist/built)) ## builds the Python package, its source distribution and wheel
	$(if $(PYTHON_H),@:,$(call lacks,$@,python3-dev python3-setuptools python3-wheel python3-build))

# Python's header has members without const for constant strings, and void * for functions.
$(PYTHON_O): OUR_CFLAGS += -isystem $(PYTHON_CONFIG) -Wno-pedantic -Wno-write-strings
$(PYTHON_O): CPPFLAGS += -D_POSIX_C_SOURCE=200809L
# The library's symbols stay local: the process may contain another version of it.
$(PYTHON_SO): $(PYTHON_O) $(OUT)/liburivet-policy.a $(OUT)/liburivet.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(LINK) -shared -pthread -Wl,--exclude-libs,ALL -o $@ $^ $(LOADER_LIBS) $(LDLIBS)

$(OUT)/python/urivet/%: src/bindings/python/urivet/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The source distribution contains the sources of the library as well; the wheel is built from it.
PYTHON_PACKAGED = LICENSE include src/core src/policyfile src/common src/bindings/python
$(OUT)/python/dist/built: $(PYTHON_O:$B/%.o=%.c) $(wildcard src/bindings/python/*.* src/bindings/python/*/*) $(LIB_O:$B/%.o=%.c) $(LOADER_O:$B/%.o=%.c) $(wildcard include/*.h include/urivet/*)
	$(call say,DIST)
	$(Q)PYTHON='$(PYTHON)' SOURCE_DATE_EPOCH='$(SOURCE_DATE_EPOCH)' sh src/bindings/python/dist.sh $(OUT)/python
	$(Q)touch $@

python-check: python # runs the tests of the Python package
	@PYTHON='$(PYTHON)' sh tests/bindings/python/run.sh $(OUT)/python
