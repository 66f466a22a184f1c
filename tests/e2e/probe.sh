#!/usr/bin/env bash
# The prompt: an error points at its column, a program runs and shows its counts, history brings it back.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
"$WORK/work_enoent" 170 >"$T/out" &
PIDS+=($!)
open_terminal 120 36 "$RUNG"
wait_for 'GLANCE'
keys ':'
type_text 'tracepoint:syscalls:sys_enter_openat { @[comn] = count() }'
keys Enter
wait_for '\^'
keys Escape
keys ':'
type_text 'tracepoint:syscalls:sys_enter_openat { @[comm] = count() }'
keys Enter
wait_for 'work_enoent'
wait_for 'running'
keys ':'
keys Up
wait_for '@\[comm\] = count\(\)'
keys Escape
wait_for 'work_enoent'
leave
echo ok
