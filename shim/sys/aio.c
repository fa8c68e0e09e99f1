/* aio.c - the system calls of sys.h for Linux native AIO. */
#include "sys.h"

#include "call.h"

#include <sys/syscall.h>

long sys_aio_setup(unsigned requests, unsigned long *context)
{
	return CALL2(__NR_io_setup, requests, context);
}

long sys_aio_submit(unsigned long context, struct iocb *request)
{
	return CALL3(__NR_io_submit, context, 1, &request);
}

long sys_aio_wait(unsigned long context, struct io_event *event)
{
	return CALL5(__NR_io_getevents, context, 1, 1, event, 0);
}
