/* Owns the read loop over an iterator. */
#include "collectors/tasks/drain.h"

#include <errno.h>
#include <unistd.h>

#include "base/vec.h"

/* An iterator hands out at most this much at once: with that much room no read is cut short by us.
 */
#define ROOM_BYTES (32 * 1024)

int iter_drain(int fd, void **ptr, uint32_t *len, uint32_t *cap, size_t elem_bytes, struct err *e)
{
	size_t bytes = 0;
	int err = 0;

	for (;;) {
		if (!vec_reserve(ptr, cap, (uint32_t)((bytes + ROOM_BYTES) / elem_bytes + 1),
				 elem_bytes)) {
			err = err_errno(e, ENOMEM, "reading an iterator");
			break;
		}
		ssize_t n = read(fd, (char *)*ptr + bytes, *cap * elem_bytes - bytes);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			err = err_errno(e, errno, "reading an iterator");
		if (n <= 0)
			break;
		bytes += (size_t)n;
	}
	close(fd);
	*len = (uint32_t)(bytes / elem_bytes);
	return err;
}
