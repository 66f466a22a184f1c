#!/usr/bin/env bash
# Ctrl-Z gives the shell back, fg brings the console back.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
open_terminal 100 30 "$RUNG"
wait_for 'GLANCE'
keys C-z
wait_for 'Stopped'
type_text 'echo back-in-$((40+2))'
keys Enter
wait_for 'back-in-42'
type_text 'fg'
keys Enter
wait_for 'GLANCE'
wait_for 'CPU'
leave
echo ok
