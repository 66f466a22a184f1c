/* Tries one feature and finds the words for what is missing. */
#include "collectors/tasks/caps.h"

#include <errno.h>
#include <unistd.h>

struct cap_result cap_try(const struct cap *c, const struct collector_env *env)
{
	struct cap_result r = { .cap = c, .fix = "" };
	int rc = c->attempt(env, &r.why);

	if (rc >= 0) {
		r.has = true;
		r.why = (struct err){ 0 };
		return r;
	}
	if (!r.why.code)
		err_errno(&r.why, -rc, "%s", c->name);
	bool is_denied = r.why.code == EPERM || r.why.code == EACCES;
	r.fix = is_denied && geteuid() != 0 && !c->is_fix_for_users
			? "root, or the capabilities CAP_BPF, CAP_PERFMON and CAP_SYS_PTRACE"
			: c->fix;
	return r;
}
