#include "collectors/profile/identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* Numbers of fields in /proc/PID/stat, as in proc(5). */
enum { FIELD_STATE = 3, FIELD_START = 22, FIELD_CODE = 26, FIELD_STACK = 28 };

void identities_start(struct identities *ids)
{
	__typeof__(ids->now) old = ids->before;

	/* In a look without samples nobody was asked for: keep what is known. */
	if (!ids->now.len)
		return;
	ids->before = ids->now;
	ids->now = old;
	VEC_CLEAR(&ids->now);
	map_clear(&ids->index);
}

bool identity_parse(char *stat, uint32_t tgid, uint64_t tick_ns, struct image *image, const char **comm)
{
	char *open = strchr(stat, '('), *close = strrchr(stat, ')'), *at;
	uint64_t field[FIELD_STACK + 1] = { 0 };

	if (!open || !close || close < open || close[1] != ' ')
		return false;
	*close = 0;
	*comm = open + 1;
	at = close + 2;
	if (!*at)
		return false;
	at++;
	for (int i = FIELD_STATE + 1; i <= FIELD_STACK; i++) {
		char *end;
		field[i] = strtoull(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	/* exec keeps pid and start, but hardly both of these addresses and the name. */
	uint64_t parts[3] = { field[FIELD_CODE], field[FIELD_STACK], map_hash(*comm, strlen(*comm)) };
	*image = (struct image){ .tgid = tgid, .start_ns = field[FIELD_START] * tick_ns,
				 .image = map_hash(parts, sizeof(parts)) };
	return true;
}

static bool read_identity(struct identity *id, struct symbols *s, int proc_fd, uint32_t tgid)
{
	char name[32], stat[1024];
	const char *comm;

	snprintf(name, sizeof(name), "%u/stat", tgid);
	int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, stat, sizeof(stat) - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	stat[n] = 0;
	if (!identity_parse(stat, tgid, NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK), &id->image, &comm))
		return false;
	id->comm = symbols_word(s, comm);
	id->image.name = id->comm.utf8;
	return true;
}

void identities_hear(struct identities *ids, struct symbols *s, uint32_t tgid, const char *comm)
{
	struct text word = symbols_word(s, comm);
	struct identity *id = VEC_ADD(&ids->before);

	if (id)
		*id = (struct identity){ .image = { .tgid = tgid, .name = word.utf8 }, .comm = word };
}

const struct identity *identities_find(struct identities *ids, struct symbols *s, int proc_fd, uint32_t tgid)
{
	uint64_t *at = map_get(&ids->index, tgid);

	if (at)
		return &ids->now.ptr[*at];
	struct identity *id = VEC_ADD(&ids->now);
	if (!id)
		return NULL;
	id->image.tgid = tgid;
	if (!read_identity(id, s, proc_fd, tgid))
		for (uint32_t i = 0; i < ids->before.len; i++)
			if (ids->before.ptr[i].image.tgid == tgid)
				*id = ids->before.ptr[i];
	map_put(&ids->index, tgid, ids->now.len - 1);
	return id;
}

void identities_fini(struct identities *ids)
{
	VEC_FINI(&ids->now);
	VEC_FINI(&ids->before);
	map_fini(&ids->index);
}
