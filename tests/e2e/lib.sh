# Real terminals for end-to-end tests: a private tmux server, keys in, screens out, waiting for text.
set -u
T=$(mktemp -d)
export LC_ALL=C.UTF-8
export XDG_STATE_HOME=$T/state XDG_CONFIG_HOME=$T/config
SOCK=rung-$$
PIDS=()

tm() { tmux -u -L "$SOCK" -f /dev/null "$@"; }

cleanup() {
	tm kill-server 2>/dev/null
	for p in "${PIDS[@]:-}"; do [ -n "$p" ] && kill "$p" 2>/dev/null; done
	rm -rf "$T"
}
trap cleanup EXIT

# open COLS ROWS COMMAND...: a shell of its own, so that what comes after rung can be seen too.
open_terminal() {
	local cols=$1 rows=$2
	shift 2
	tm new-session -d -x "$cols" -y "$rows" "exec env PS1='[\$?] shell> ' bash --norc --noprofile"
	tm set-option -g status off >/dev/null
	tm set-option -g remain-on-exit on >/dev/null
	wait_for 'shell>'
	tm send-keys "cd $T && clear && $*" Enter
}

# leave: quit the console whatever it asks, and require that it ended well (its exit status is in the prompt).
leave() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		screen | grep -q 'shell>' && break
		keys q
		sleep 0.2
		screen | grep -q 'shell>' || keys y
	done
	wait_for '\[[0-9]+\] shell>'
	keys C-u
	screen | grep -qE '\[0\] shell>' || { echo "it did not end well:"; screen; exit 1; }
}

screen() { tm capture-pane -p; }
keys() { tm send-keys "$@"; }
type_text() { tm send-keys -l "$1"; }

# wait_for REGEX [seconds]: until the screen shows it; the limit only bounds a failure.
wait_for() {
	local end=$((SECONDS + ${2:-30}))
	until screen | grep -qE -- "$1"; do
		if [ $SECONDS -ge $end ]; then
			echo "never saw: $1"
			echo "--- the screen:"
			screen
			exit 1
		fi
		sleep 0.1
	done
}

wait_gone() {
	local end=$((SECONDS + ${2:-30}))
	while screen | grep -qE -- "$1"; do
		[ $SECONDS -lt $end ] || { echo "still there: $1"; screen; exit 1; }
		sleep 0.1
	done
}

rung_pid() { pgrep -f "^$RUNG" | while read -r p; do [ "$(readlink "/proc/$p/exe")" = "$(readlink -f "$RUNG")" ] && echo "$p"; done | head -1; }

need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }; }
need tmux
