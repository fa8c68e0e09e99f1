/*
 * musl.h - what glibc's headers have and musl's lack, where the library is built for musl.
 *
 * The names for 64-bit offsets are there of old for binaries, but the headers make them macros for
 * the plain ones (or say nothing of them, since 1.2.4): here they are functions again. The types
 * stay what the plain ones are; of a struct that a function is named like, a pointer is enough.
 */
#ifndef NOCACHE_WRAP_MUSL_H
#define NOCACHE_WRAP_MUSL_H

#ifdef __GLIBC__
typedef unsigned long ioctl_request;
typedef int sendmmsg_flags;
typedef struct aiocb *const lio_request;
#else
typedef int ioctl_request;
typedef unsigned sendmmsg_flags;
typedef struct aiocb *restrict const lio_request;
typedef int __rlimit_resource_t;

#undef open64
#undef openat64
#undef creat64
#undef fallocate64
#undef lockf64
#undef posix_fadvise64
#undef posix_fallocate64
#undef lseek64
#undef pread64
#undef pwrite64
#undef truncate64
#undef ftruncate64
#undef tmpfile64
#undef fopen64
#undef freopen64
#undef fseeko64
#undef fsetpos64
#undef mkstemp64
#undef mkostemp64
#undef mkstemps64
#undef mkostemps64
#undef aio_read64
#undef aio_write64
#undef lio_listio64
#undef stat64
#undef fstat64
#undef lstat64
#undef fstatat64
#undef fstatfs64
#undef fstatvfs64
#undef mmap64
#undef prlimit64
#undef setrlimit64
#undef sendfile64
#undef preadv64
#undef pwritev64
#undef preadv64v2
#undef pwritev64v2

struct stat64;
struct statx;

#ifndef off64_t
#define off64_t off_t
#endif
#ifndef fpos64_t
#define fpos64_t fpos_t
#endif
#ifndef aiocb64
#define aiocb64 aiocb
#endif
#ifndef rlimit64
#define rlimit64 rlimit
#endif
#ifndef F_SETLK64
#define F_SETLK64 F_SETLK
#define F_SETLKW64 F_SETLKW
#endif
#endif

#endif
