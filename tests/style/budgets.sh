#!/usr/bin/env bash
# Sizes that keep the tree readable: lines per file, lines per function, mutable file-scope state, left-over marks.
set -u
cd "$SOURCE" || exit 1
bad=0
say() { echo "$*"; bad=1; }
sources=$(git ls-files '*.c' '*.h' 2>/dev/null | grep -v '^tests/')
[ -n "$sources" ] || sources=$(find base frame triage collectors lang session ui panes commands bpf main.c -name '*.[ch]')

while read -r lines file; do
	[ "$file" = total ] && continue
	[ "$lines" -le 600 ] || say "$file: $lines lines (600 at most)"
done < <(echo "$sources" | xargs wc -l)

# A function body runs from a line that is "{" to the next line that is "}".
long=$(echo "$sources" | xargs awk '
	FNR == 1 { start = 0 }
	/^\{$/ { start = FNR }
	/^\}$/ { if (start && FNR - start - 1 > 80) print FILENAME ":" start ": " FNR - start - 1 " lines"; start = 0 }')
[ -z "$long" ] || say "functions above 80 lines:
$long"

globals=$(echo "$sources" | grep '\.c$' | grep -vE '^(bpf/|main\.c$|ui/term_curses\.c$)' | xargs grep -nE \
	'^static (volatile |_Atomic |unsigned |struct |enum )*[a-z_0-9]+ \**[a-z_0-9]+(\[[^]]*\])*( =|;)' | grep -vE 'static (inline|const)|\bconst\b')
[ -z "$globals" ] || say "mutable file-scope variables:
$globals"

marks=$(echo "$sources" | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b')
[ -z "$marks" ] || say "left-over marks:
$marks"

# Every public function has a sentence directly above it.
bare=$(echo "$sources" | grep '\.h$' | grep -v '^bpf/' | xargs awk '
	FNR == 1 { prev = "" }
	/^[a-z].*\(.*[;,]$/ && !/^(typedef|static|extern|struct [a-z_]+ \{)/ && prev !~ /(\*\/|PRINTF_LIKE|;)[[:space:]]*$/ && prev !~ /^(PRINTF|OWNED)/ {
		print FILENAME ":" FNR ": " $0 }
	/[^[:space:]]/ { prev = $0 }')
[ -z "$bare" ] || say "declarations without a sentence:
$bare"
[ $bad = 0 ] && echo ok
exit $bad
