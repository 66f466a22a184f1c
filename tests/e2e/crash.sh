#!/usr/bin/env bash
# However the console ends, the terminal is usable after: lines echo and the main screen is back.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
open_terminal 100 30 'stty -a > before'
wait_for 'shell>'
for sig in SEGV TERM HUP INT ABRT; do
	type_text "clear; echo marker-$sig; $RUNG"
	keys Enter
	wait_for 'GLANCE'
	pid=$(rung_pid)
	[ -n "$pid" ] || { echo "no console"; exit 1; }
	kill -"$sig" "$pid"
	wait_gone 'GLANCE'
	wait_for "marker-$sig"
	type_text "stty -a > after-$sig; echo typed-\$((6*7))"
	keys Enter
	wait_for 'typed-42'
	diff "$T/before" "$T/after-$sig" || { echo "the terminal's modes changed after $sig"; exit 1; }
done
echo ok
