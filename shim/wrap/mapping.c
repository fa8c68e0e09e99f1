/* mapping.c - calls that map files into memory, where their bytes move unseen. */
#include "usermem.h"
#include "wrap.h"

static void *mapped(int fd, int protection, int flags, void *address)
{
	struct file *file = fd >= 0 && !(flags & MAP_ANONYMOUS) ? managed(fd) : NULL;

	if (file && address != MAP_FAILED)
		engine_mapped(file, flags & MAP_SHARED && protection & PROT_WRITE);
	return address;
}

/* The descriptor is met first, so that what was cached is asked before pages are faulted in. */
#define MMAP(name, offset_type)                                                                    \
	EXPORT void *name(void *address, size_t length, int protection, int flags, int fd,         \
			  offset_type offset)                                                      \
	{                                                                                          \
		ensure_started();                                                                  \
		usermem_changed();                                                                 \
		if (fd >= 0 && !(flags & MAP_ANONYMOUS))                                           \
			managed(fd);                                                               \
		return mapped(fd, protection, flags,                                               \
			      next.name(address, length, protection, flags, fd, offset));          \
	}

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

EXPORT int munmap(void *address, size_t length)
{
	int done;

	ensure_started();
	usermem_changed();
	done = next.munmap(address, length);
	if (done == 0)
		engine_unmapped(length);
	return done;
}

EXPORT int mprotect(void *address, size_t length, int protection)
{
	ensure_started();
	usermem_changed();
	return next.mprotect(address, length, protection);
}

/* The fifth argument is there only with MREMAP_FIXED (mremap(2)); reading it does no harm. */
EXPORT void *mremap(void *address, size_t length, size_t new_length, int flags, ...)
{
	va_list list;
	void *new_address;

	va_start(list, flags);
	new_address = va_arg(list, void *);
	va_end(list);
	ensure_started();
	usermem_changed();
	return next.mremap(address, length, new_length, flags, new_address);
}
