#!/usr/bin/env bash
# The user's keys are layered on the defaults, mistakes in them are named by line, help shows the live map.
. "$SOURCE/tests/e2e/lib.sh" || exit 1
mkdir -p "$XDG_CONFIG_HOME/rung"
printf '# mine\nglobal x help Show the keys, my way\n' >"$XDG_CONFIG_HOME/rung/keys"
open_terminal 120 50 "$RUNG"
wait_for 'GLANCE'
keys x
wait_for 'Show the keys, my way'
keys BSpace
leave
printf '# mine\n\nglobal x no-such-action Oops\n' >"$XDG_CONFIG_HOME/rung/keys"
"$RUNG" --replay "$SOURCE/tests/e2e/idle.frame" --dump >"$T/out" 2>"$T/err" && { echo "a wrong keymap was accepted"; exit 1; }
grep -qE 'rung/keys:3:.*no-such-action' "$T/err" || { echo "the mistake is not named"; cat "$T/err"; exit 1; }
echo ok
