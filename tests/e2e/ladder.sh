#!/usr/bin/env bash
# From the glance to a missing file by keys alone; the snapshot shows the same again.
. "$SOURCE/tests/e2e/lib.sh" || exit 1

"$WORK/work_enoent" 170 >"$T/out" &
PIDS+=($!)
victim=$!
open_terminal 120 36 "$RUNG"
wait_for 'GLANCE'
wait_for 'UTILISATION|CPU'
keys 2
wait_for 'PROCESSES|processes'
wait_for 'work_enoent|COMM|comm|COMMAND'
keys '\'
type_text 'work_enoent'
keys Enter
wait_for "$victim"
keys Enter
wait_for "work_enoent\[$victim\]"
keys s
wait_for 'openat'
keys Enter
wait_for '/no/such/place/app.conf'
wait_for 'ENOENT'
type_text ':w '
type_text "$T/incident.rung"
keys Enter
wait_for 'incident.rung'
leave
[ -s "$T/incident.rung" ] || { echo "no snapshot"; exit 1; }
[ "$(stat -c %a "$T/incident.rung")" = 600 ] || { echo "a snapshot is for its owner only"; exit 1; }
sqlite3 "$T/incident.rung" 'select count(*) from trail' | grep -qv '^0$' || { echo "the trail is empty"; exit 1; }

keys C-l
type_text "clear; $RUNG open $T/incident.rung"
keys Enter
wait_for 'GLANCE'
keys 2
wait_for 'PROCESSES|processes'
keys '\'
type_text 'work_enoent'
keys Enter
wait_for "$victim"
keys Enter
wait_for "work_enoent\[$victim\]"
keys s
wait_for 'openat'
keys Enter
wait_for '/no/such/place/app.conf'
wait_for 'ENOENT'
leave
"$RUNG" export "$T/incident.rung" --format md >"$T/report.md" || exit 1
grep -q "openat in work.*enoent" "$T/report.md" || { echo "the report does not name it"; cat "$T/report.md"; exit 1; }
"$RUNG" export "$T/incident.rung" --format json | python3 -m json.tool >/dev/null || { echo "bad JSON"; exit 1; }
echo ok
