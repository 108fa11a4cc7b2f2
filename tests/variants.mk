# SPDX-License-Identifier: Apache-2.0
# Compiler settings of the variants that only tests need.
stack_CC        = gcc
stack_CFLAGS    = $(release_CFLAGS) -fcallgraph-info=su,da
# Other machines: 32 bits (lib32gcc-12-dev, libc6-dev-i386; the kernel's headers are those of 64 bits), and
# big-endian (gcc-s390x-linux-gnu, libc6-dev-s390x-cross, qemu-user).
m32_CC          = gcc
m32_CFLAGS      = -m32 -O2 -Werror -D_FILE_OFFSET_BITS=64 -isystem /usr/include/x86_64-linux-gnu
m32_LDFLAGS     = -m32
m32_RUN         = $(shell build/portable/probe 2>/dev/null || echo qemu-i386)
s390x_CC        = s390x-linux-gnu-gcc
s390x_CFLAGS    = -O2 -Werror
s390x_RUN       = qemu-s390x -L /usr/s390x-linux-gnu
# Vector code of 64-bit ARM (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user).
aarch64_CC      = aarch64-linux-gnu-gcc
aarch64_CFLAGS  = -O2 -Werror
aarch64_RUN     = qemu-aarch64 -L /usr/aarch64-linux-gnu
# The release build without all vector code, or without AVX2.
vectors-no_CFLAGS   = $(release_CFLAGS)
vectors-sse2_CFLAGS = $(release_CFLAGS)
cover_CC        = clang-19
cover_CFLAGS    = -O1 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
cover_LDFLAGS   = -fprofile-instr-generate
# For the command, which has threads: one lost count also falsifies the counts derived from it.
atomic_CC       = clang-19
atomic_CFLAGS   = $(cover_CFLAGS) -fprofile-update=atomic
atomic_LDFLAGS  = $(cover_LDFLAGS)
# ThreadSanitizer: finds data races.
tsan_CC         = clang-19
tsan_CFLAGS     = -O1 -fno-omit-frame-pointer -fsanitize=thread
tsan_LDFLAGS    = -fsanitize=thread
