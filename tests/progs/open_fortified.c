/* open_fortified.c - the __open*_2 names that fortified programs call are the same as open. */
#include "prog.h"

#ifdef __GLIBC__
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags);

static void use(int fd)
{
	must(fd >= 0, "open");
	read_all(fd);
	must_close(fd);
}

int main(void)
{
	use(__open_2("src", O_RDONLY));
	use(__open64_2("src", O_RDONLY));
	use(__openat_2(AT_FDCWD, "src", O_RDONLY));
	use(__openat64_2(AT_FDCWD, "src", O_RDONLY));
	must_fail(__open64_2("absent", O_RDONLY), ENOENT, "absent");
	return 0;
}
#else
int main(void)
{
	cannot("not glibc");
}
#endif
