#!/usr/bin/env bash
# Bytes that were not cleaned cannot be drawn or printed: handing a char * over does not compile.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-fsyntax-only -Wall -Wextra -Werror -std=c17 -D_GNU_SOURCE -I$SOURCE"
bad=0
try() { # name, expression that must be refused
	printf '#include "frame/finding.h"\n#include "ui/canvas.h"\nvoid f(struct canvas *c, char *raw, struct text_buf *b);\nvoid f(struct canvas *c, char *raw, struct text_buf *b)\n{\n\t(void)c; (void)raw; (void)b;\n\t%s;\n}\n' "$2" >"$work/$1.c"
	for cc in gcc clang; do
		if $cc $flags "$work/$1.c" 2>/dev/null; then
			[ "$3" = refused ] && { echo "$cc accepted: $2"; bad=1; }
		else
			[ "$3" = accepted ] && { echo "$cc refused: $2"; bad=1; }
		fi
	done
}
try good 'canvas_put(c, 0, 0, TEXT("ours"), STYLE_PLAIN)' accepted
try put 'canvas_put(c, 0, 0, raw, STYLE_PLAIN)' refused
try field 'canvas_field(c, 0, 0, 9, false, raw, STYLE_PLAIN)' refused
try literal 'canvas_put(c, 0, 0, TEXT(raw), STYLE_PLAIN)' refused
try keep 'text_keep(b, raw)' refused
try row 'struct task_row t = { .comm = raw }; (void)t' refused
[ $bad = 0 ] && echo ok
exit $bad
