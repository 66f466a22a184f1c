#!/usr/bin/env bash
# Follows the tool recipe of docs/ADDING.md to the letter in a copy of the tree: only its own files are added.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SOURCE" || exit 1
mkdir "$work/tree"
(git ls-files 2>/dev/null || find . -type f -not -path './build/*' -not -path './.git/*') | tar -cf - -T - 2>/dev/null | tar -xf - -C "$work/tree"
added=$(awk -v top="$work/tree" '
	/^```c$/ { in_code = 1; file = ""; next }
	/^```$/ { in_code = 0; next }
	in_code && /^\/\* file: / { file = $3; print file; next }
	in_code && file { print > (top "/" file) }' docs/ADDING.md)
[ "$(echo "$added" | wc -l)" = 2 ] || { echo "the recipe must name two files, it names: $added"; exit 1; }
cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug >"$work/log" 2>&1 &&
	cmake --build "$work/build" --target rung >>"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
"$work/build/rung" list | grep -q '^ *wakeups ' || { echo "the new tool is not listed"; "$work/build/rung" list; exit 1; }
if [ "$(id -u)" = 0 ] && [ -e /sys/kernel/btf/vmlinux ]; then
	"$work/build/rung" tool wakeups 1 1 >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; exit 1; }
	grep -qE '[0-9]' "$work/out" || { echo "the new tool shows nothing"; cat "$work/out" "$work/err"; exit 1; }
fi
echo ok
