/* A parent in vfork() waits uninterruptibly for its child, here until standard input closes. */
#include <unistd.h>

int main(void)
{
	char c;

	if (!vfork()) {
		while (read(0, &c, 1) > 0)
			;
		_exit(0);
	}
	return 0;
}
