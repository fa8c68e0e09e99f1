/*
 * process.c - in which process we are: the one that owns the table, its fork child, or a child
 * of vfork(2) that borrows its memory.
 */
#include "process.h"

#include "align.h"
#include "sys.h"

#include <stddef.h>
#include <sys/mman.h>

/* A page that fork(2) hands to the child as zeros (madvise(2), MADV_WIPEONFORK). */
static struct owner {
	long pid;
} * owner;

__thread char process_thread_own;

void process_begin(void)
{
	static struct owner kept_on_fork;
	long page = sys_map(PAGE);

	if (sys_failed(page) || sys_failed(sys_madvise((void *)page, PAGE, MADV_WIPEONFORK)))
		owner = &kept_on_fork;
	else
		owner = (struct owner *)page;
	owner->pid = sys_getpid();
}

bool process_is_new(void)
{
	return owner && !owner->pid;
}

void process_own(void)
{
	owner->pid = sys_getpid();
}

bool process_is_owner(void)
{
	return owner && owner->pid == sys_getpid();
}
