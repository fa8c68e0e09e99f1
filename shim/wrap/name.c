/* name.c - calls that give a file another name, by which it may still have to be settled. */
#include "wrap.h"

static int renamed(int done, int dir, const char *path)
{
	if (done == 0)
		engine_renamed(dir, path);
	return done;
}

EXPORT int rename(const char *from, const char *to)
{
	all_settled();
	return renamed(next.rename(from, to), AT_FDCWD, to);
}

EXPORT int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	all_settled();
	return renamed(next.renameat(from_dir, from, to_dir, to), to_dir, to);
}

EXPORT int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	all_settled();
	return renamed(next.renameat2(from_dir, from, to_dir, to, flags), to_dir, to);
}
