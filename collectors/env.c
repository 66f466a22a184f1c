/* The live host's directories. tracefs is mounted detached when nobody has: it needs no place in
 * the tree and is gone with its fd, also after a crash. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "collectors/collector.h"

static const struct request no_focus;

static int open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int tracefs_at(const char *path)
{
	struct statfs fs;
	int fd = open_dir(path);

	if (fd < 0)
		return -1;
	if (fstatfs(fd, &fs) == 0 && fs.f_type == TRACEFS_MAGIC)
		return fd;
	close(fd);
	return -1;
}

static int tracefs_mount(void)
{
	int mount_fd = -1, fs_fd = fsopen("tracefs", FSOPEN_CLOEXEC);

	if (fs_fd < 0)
		return -1;
	if (fsconfig(fs_fd, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mount_fd = fsmount(fs_fd, FSMOUNT_CLOEXEC,
				   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	close(fs_fd);
	return mount_fd;
}

static int tracefs_open(void)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		int fd = tracefs_at(places[i]);
		if (fd >= 0)
			return fd;
	}
	return tracefs_mount();
}

int collector_env_live(struct collector_env *env, struct err *e)
{
	*env = (struct collector_env){
		.proc_fd = -1, .sys_fd = -1, .tracefs_fd = -1, .focus = &no_focus
	};
	env->proc_fd = open_dir("/proc");
	if (env->proc_fd < 0)
		return err_errno(e, errno, "/proc");
	env->sys_fd = open_dir("/sys");
	env->tracefs_fd = tracefs_open();
	env->may_bpf = true;
	return 0;
}

void collector_env_fini(struct collector_env *env)
{
	int *const fds[] = { &env->proc_fd, &env->sys_fd, &env->tracefs_fd };

	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}
