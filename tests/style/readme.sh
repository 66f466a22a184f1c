#!/usr/bin/env bash
# The screen in the README is one that the program draws today: the golden glance of a saturated disk.
set -u
cd "$SOURCE" || exit 1
awk '/^## A screen/ { wait = 1 } wait && /^```$/ { if (open) exit; open = 1; next } open { print }' README.md |
	diff - <(sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' tests/golden/glance/disk.100x30.screen) || { echo "the README's screen is out of date"; exit 1; }
echo ok
