/* plugin.c - the part of host.c that is loaded late, and bound to libc before anything preloaded.
 */
#include <sys/types.h>
#include <unistd.h>

ssize_t plugin_read(int fd, void *buffer, size_t n);
ssize_t plugin_write(int fd, const void *buffer, size_t n);
off_t plugin_seek(int fd, off_t offset);
int plugin_close(int fd);

ssize_t plugin_read(int fd, void *buffer, size_t n)
{
	return read(fd, buffer, n);
}

ssize_t plugin_write(int fd, const void *buffer, size_t n)
{
	return write(fd, buffer, n);
}

off_t plugin_seek(int fd, off_t offset)
{
	return lseek(fd, offset, SEEK_SET);
}

int plugin_close(int fd)
{
	return close(fd);
}
