#!/bin/sh
# Fails if the binary that lives inside a box needs anything but the kernel: no interpreter, no library, no undefined symbol.
# A child of clone3 must not allocate, lock, or throw: another thread may have held that lock.
set -eu
bad=$(nm -u "$1" 2>/dev/null || true)
[ -z "$bad" ] || { printf 'sandbox/inside has undefined symbols:\n%s\n' "$bad"; exit 1; }
if readelf -lW "$1" | grep -qE 'INTERP|DYNAMIC'; then echo 'the launcher is not fully static'; exit 1; fi
libc=$(nm "$1" | awk '{print $3}' | grep -E '^(malloc|printf|_Unwind|__cxa|__libc|pthread)' || true)
[ -z "$libc" ] || { printf 'sandbox/inside pulls in libc:\n%s\n' "$libc"; exit 1; }
echo "inside symbols ok"
