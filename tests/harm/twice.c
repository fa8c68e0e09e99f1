/* twice.c - one process has a file open twice, by two names: twice ONE OTHER. Reads it all by the
 * first, closes that, and reads it by the second. Prints what the second reading took from a
 * device, in bytes (proc(5), read_bytes); with a third word the second is closed unread. */
#include "pattern.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long long from_device(void)
{
	static const char key[] = "\nread_bytes: ";
	char text[512] = "", *at;
	int fd = open("/proc/self/io", O_RDONLY);

	if (read(fd, text, sizeof(text) - 1) < 0)
		exit(1);
	close(fd);
	at = strstr(text, key);
	return at ? atoll(at + sizeof(key) - 1) : -1;
}

static void read_all(int fd)
{
	static unsigned char buffer[16 << 10];
	long long at = 0;
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) > 0) {
		if (pattern_check(buffer, n, at) != (size_t)n)
			exit(1);
		at += n;
	}
	if (n < 0 || !at)
		exit(1);
}

int main(int argc, char **argv)
{
	int one = open(argv[1], O_RDONLY), other = argc > 2 ? open(argv[2], O_RDONLY) : -1;
	long long before;

	if (one < 0 || other < 0)
		return 1;
	read_all(one);
	close(one);
	before = from_device();
	if (argc == 3)
		read_all(other);
	printf("%lld\n", from_device() - before);
	close(other);
	return 0;
}
