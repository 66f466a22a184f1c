#!/usr/bin/env bash
# A terminal made tiny and large again comes back whole.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
open_terminal 100 30 "$RUNG"
wait_for 'GLANCE'
pid=$(rung_pid)
for size in '20 5' '1 1' '200 60' '3 40' '100 30'; do
	tm resize-window -x "${size% *}" -y "${size#* }"
	keys j
	[ -d "/proc/$pid" ] || { echo "died at $size"; exit 1; }
done
wait_for 'GLANCE'
wait_for 'CPU'
keys '?'
wait_for 'help|HELP|Keys|keys'
tm resize-window -x 20 -y 5
tm resize-window -x 100 -y 30
keys BSpace
wait_for 'CPU'
[ -d "/proc/$pid" ] || { echo "died"; exit 1; }
leave
echo ok
