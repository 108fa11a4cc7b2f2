# SPDX-License-Identifier: Apache-2.0
# Compiler settings of the variants that only fuzzing needs.
# Harnesses for libFuzzer and for AFL++ (cmplog: its second binary).
fuzz_CC         = clang-19
fuzz_CFLAGS     = -O2 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=all
fuzz_LDFLAGS    = -fsanitize=address,undefined
fuzz_ENGINE     = -fsanitize=fuzzer
# Third-party parsers in one process, built without sanitizers: a page without access follows each input.
differential_CC     = clang-19
differential_CFLAGS = -O1 -gline-tables-only -fsanitize=fuzzer-no-link
differential_ENGINE = -fsanitize=fuzzer
afl_CC          = AFL_LLVM_DENYLIST=fuzz/afl.deny afl-clang-lto
afl_CFLAGS      = -O2
afl_ENGINE      = -fsanitize=fuzzer
cmplog_CC       = AFL_LLVM_DENYLIST=fuzz/afl.deny AFL_LLVM_CMPLOG=1 afl-clang-lto
cmplog_CFLAGS   = -O2
cmplog_ENGINE   = -fsanitize=fuzzer
afl_AR          = llvm-ar
cmplog_AR       = llvm-ar
