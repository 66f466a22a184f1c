#!/usr/bin/env bash
# Without root, and without BPF, rungs 1 and 2 work from /proc and what is locked says why.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
need setpriv
"$WORK/work_enoent" 170 >"$T/out" &
PIDS+=($!)

look() {
	wait_for 'GLANCE'
	wait_for 'memory +[^ ]'
	keys 2
	wait_for 'PROCESSES'
	keys '\'
	type_text work_enoent
	keys Enter
	wait_for '1 of [0-9]+ rows'
	keys Enter
	wait_for "work_enoent\[${PIDS[0]}\]"
	keys s
	wait_for "$1"
	leave
}

cp "$RUNG" "$T/rung"
chmod 755 "$T" "$T/rung"
open_terminal 110 34 "$T/rung --no-bpf"
look 'BPF|bpf'
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$T/nobody" && chmod 777 "$T/nobody"
	type_text "clear; HOME=$T/nobody XDG_STATE_HOME=$T/nobody setpriv --reuid 65534 --regid 65534 --clear-groups $T/rung"
	keys Enter
	look 'CAP_|root|ermi|EPERM|denied'
fi
echo ok
