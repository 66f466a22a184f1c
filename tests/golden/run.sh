#!/usr/bin/env bash
# Every golden/<pane>/<case>.frame is shown at each size that has a <case>.<COLSxROWS>.screen beside it,
# after the keys in <case>.keys and with the options in <case>.args, and must look the same. GOLDEN=update rewrites the screens.
set -u
cd "$(dirname "$0")" || exit 1
RUNG=${RUNG:?RUNG is the program to test}
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
export XDG_STATE_HOME=$state XDG_CONFIG_HOME=$state INPUTRC=/dev/null TZ=UTC LC_ALL=C.UTF-8
passed=0 failed=0

shopt -s nullglob
for frame in */*.frame; do
	case=${frame%.frame}
	keys= args=()
	[ -f "$case.keys" ] && keys=$(<"$case.keys")
	[ -f "$case.args" ] && read -r -a args <"$case.args"
	screens=("$case".*x*.screen)
	if [ ${#screens[@]} -eq 0 ]; then
		echo "FAILED $frame: no screen beside it; touch $case.80x24.screen and run with GOLDEN=update"
		failed=$((failed + 1))
	fi
	for screen in "${screens[@]}"; do
		size=${screen%.screen}
		size=${size##*.}
		got=$state/got
		if ! timeout 20 "$RUNG" --replay "$frame" --keys "$keys" --size "$size" "${args[@]}" --dump >"$got" 2>"$state/err" </dev/null; then
			echo "FAILED $screen: the program failed: $(head -c 400 "$state/err")"
			failed=$((failed + 1))
		elif [ "${GOLDEN:-}" = update ]; then
			cp "$got" "$screen"
			passed=$((passed + 1))
		elif diff -u --label "$screen" --label shown "$screen" "$got"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
