#!/usr/bin/env bash
# Folders only look down: each may include only what its line names. Certain libraries have one door.
set -u
cd "$SOURCE" || exit 1

allowed() {
	case $1 in
	base) echo "base" ;;
	frame) echo "frame base" ;;
	triage) echo "triage frame base" ;;
	collectors) echo "collectors frame base lang bpf" ;;
	bpf) echo "bpf" ;;
	lang) echo "lang base bpf" ;;
	session) echo "session frame base" ;;
	ui) echo "ui frame base" ;;
	panes) echo "panes ui triage frame base" ;;
	commands) echo "commands panes ui session triage collectors lang frame base bpf" ;;
	esac
}

check() { # the tree at $1
	local bad=0 f dir inc
	for dir in base frame triage collectors bpf lang session ui panes commands; do
		while IFS=: read -r f inc; do
			inc=${inc#*\"}
			case $inc in
			*/*) ;;
			*) echo "$f: include \"${inc%\"*}\" must carry its folder"; bad=1; continue ;;
			esac
			inc=${inc%%/*}
			case " $(allowed "$dir") " in
			*" $inc "*) ;;
			*) echo "$f: $dir may not include $inc"; bad=1 ;;
			esac
		done < <(grep -rHoE '^[[:space:]]*#[[:space:]]*include "[^"]*"' --include='*.[ch]' "$1/$dir" 2>/dev/null)
	done
	door() { # regex of the header, files that may include it
		local hits
		hits=$(cd "$1" && grep -rlE "#include <($2)" --include='*.[ch]' base frame triage collectors lang session ui panes commands main.c 2>/dev/null | grep -vE "$3")
		[ -z "$hits" ] || { echo "may not include <$2>: $hits"; bad=1; }
	}
	door "$1" '(ncursesw/)?(n?curses|term)\.h' '^ui/term_curses\.c$'
	door "$1" 'readline/' '^ui/prompt\.c$'
	door "$1" 'sqlite3\.h' '^session/'
	door "$1" 'bpf/(libbpf|bpf)\.h' '^collectors/'
	return $bad
}

check . || exit 1

# The check must be able to fail: a tree with one upward include is refused.
seeded=$(mktemp -d)
trap 'rm -rf "$seeded"' EXIT
mkdir -p "$seeded/panes"
echo '#include "collectors/collector.h"' >"$seeded/panes/b.c"
check "$seeded" | grep -q 'panes may not include collectors' || { echo "the check cannot fail"; exit 1; }
echo ok
