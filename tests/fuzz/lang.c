/* Any bytes as a program: compile, dump and complete without a crash, and keep what results
 * promise. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lang/lang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
	if (!holds)
		abort();
}

/** Relocations and jumps stay inside their program. */
static void check_programs(const struct lang_result *out)
{
	for (uint32_t i = 0; i < out->nprogs; i++) {
		const struct lang_prog *prog = &out->progs[i];

		demand(prog->ninsns > 0 &&
		       prog->insns[prog->ninsns - 1].code == (BPF_JMP | BPF_EXIT));
		for (uint32_t r = 0; r < prog->nrelocs; r++)
			demand(prog->relocs[r].at + 1 < prog->ninsns &&
			       prog->relocs[r].i_map < out->nmaps);
		for (uint32_t at = 0; at < prog->ninsns; at++) {
			uint8_t code = prog->insns[at].code;
			int64_t target = (int64_t)at + 1 + prog->insns[at].off;

			if (BPF_CLASS(code) == BPF_JMP && BPF_OP(code) != BPF_CALL &&
			    BPF_OP(code) != BPF_EXIT)
				demand(target >= 0 && target < prog->ninsns);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lang_host host = { .tracefs_fd = open(RUNG_TESTS "/lang/tracefs",
						     O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	struct arena arena = { .limit_bytes = 256u << 20 };
	char *text = malloc(size + 1);
	struct lang_result out;
	struct text lines[LANG_DIAG_LINES];
	struct diag d;

	if (text) {
		memcpy(text, data, size);
		text[size] = '\0';
		if (lang_compile(text, &host, &arena, &out, &d) == 0) {
			check_programs(&out);
			demand(lang_dump(text, &host, "asm", &arena, &d) != NULL);
			demand(lang_dump(text, &host, "ir", &arena, &d) != NULL);
		} else {
			demand(d.message[0] && d.line && d.column);
			demand(lang_diag_text(&arena, text, &d, lines) >= 3);
		}
		lang_dump(text, &host, "ast", &arena, &d);
		free(lang_complete(text, strlen(text), &host));
	}
	free(text);
	arena_fini(&arena);
	if (host.tracefs_fd >= 0)
		close(host.tracefs_fd);
	return 0;
}
