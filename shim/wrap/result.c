/* result.c - the only file that touches errno. */
#include "wrap.h"

#include "sys.h"

#include <errno.h>

ssize_t result(ssize_t value)
{
	if (!sys_failed(value))
		return value;
	errno = (int)-value;
	return -1;
}

int result_error(void)
{
	return errno;
}

void result_restore(int error)
{
	errno = error;
}

int stream_fd(FILE *stream)
{
	int error = errno, fd = fileno(stream);

	errno = error;
	return fd;
}
