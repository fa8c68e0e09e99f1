/* status.c - the one function of our own that is exported: nocache.h. */
#include "nocache.h"

#include "wrap.h"

EXPORT int nocache_status(int fd, const char **policy, const char **reason)
{
	enum policy done;
	enum reason why;

	settled(fd);
	if (!engine_status(fd, &done, &why))
		return -1;
	if (policy)
		*policy = policy_name(done);
	if (reason)
		*reason = reason_word(why);
	return 0;
}
