/*
 * aio.c - POSIX asynchronous I/O. libc's own threads move the bytes, unseen; they are counted when
 * the request is made: what it asks for, and of a read no more than there is.
 */
#include "wrap.h"

#include "sys.h"

#include <linux/stat.h>

static int64_t within(int fd, int64_t offset, int64_t n)
{
	struct statx st;

	return sys_failed(sys_stat(fd, &st)) ? n : larger(smaller(n, file_size(&st) - offset), 0);
}

static void will_transfer(int fd, int opcode, off64_t offset, size_t n)
{
	struct file *file = managed(fd);

	engine_shares(fd, REASON_SHARED);
	if (!file || (opcode != LIO_READ && opcode != LIO_WRITE))
		return;
	if (opcode == LIO_READ) {
		engine_reads(file, fd, offset, n);
		engine_did_read(file, fd, (ssize_t)within(fd, offset, (int64_t)n));
	} else {
		engine_did_write(file, fd, offset + (off64_t)n, (ssize_t)n);
	}
}

#define AIO(name, control_block, opcode)                                                           \
	EXPORT int name(struct control_block *request)                                             \
	{                                                                                          \
		ensure_started();                                                                  \
		will_transfer(request->aio_fildes, opcode, request->aio_offset,                    \
			      request->aio_nbytes);                                                \
		return next.name(request);                                                         \
	}

AIO(aio_read, aiocb, LIO_READ)
AIO(aio_read64, aiocb64, LIO_READ)
AIO(aio_write, aiocb, LIO_WRITE)
AIO(aio_write64, aiocb64, LIO_WRITE)

#define LIO_LISTIO(name, request)                                                                  \
	EXPORT int name(int mode, request *restrict list, int count,                               \
			struct sigevent *restrict event)                                           \
	{                                                                                          \
		ensure_started();                                                                  \
		for (int i = 0; i < count; i++)                                                    \
			if (list[i])                                                               \
				will_transfer(list[i]->aio_fildes, list[i]->aio_lio_opcode,        \
					      list[i]->aio_offset, list[i]->aio_nbytes);           \
		return next.name(mode, list, count, event);                                        \
	}

LIO_LISTIO(lio_listio, lio_request)
LIO_LISTIO(lio_listio64, struct aiocb64 *const)
#if defined(__GLIBC__) && !defined(__aarch64__)
LIO_LISTIO(lio_listio_old, lio_request)
LIO_LISTIO(lio_listio64_old, struct aiocb64 *const)
LIO_LISTIO(lio_listio_librt, lio_request)
LIO_LISTIO(lio_listio64_librt, struct aiocb64 *const)
NOW(lio_listio, "GLIBC_2.34")
NOW(lio_listio64, "GLIBC_2.34")
#endif
