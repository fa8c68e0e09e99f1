/* engine_growth.c - a file that grows past a line gets the rule that holds beyond it. */
#include "engine_growth.h"

#include "engine.h"
#include "engine_treat.h"
#include "process.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/stat.h>

/* Where the next bytes that go to the description's own offset will begin. */
static int64_t own_offset(int fd, int64_t size)
{
	long flags = sys_getflags(fd);

	return sys_failed(flags) || flags & O_APPEND ? size : larger(sys_position(fd), 0);
}

void engine_draw_line(struct file *file, int fd, int64_t line, int64_t size)
{
	if (line != INT64_MAX)
		atomic_store_explicit(&file->until_line, line - own_offset(fd, size),
				      memory_order_relaxed);
	atomic_store_explicit(&file->line, line, memory_order_relaxed);
}

static bool is_treated_so(const struct file *file, const struct treatment *treatment)
{
	const struct treatment *asked = treatment ? treatment : &policy_off;
	const struct treatment *now = file_treatment(file);

	return asked->policy == now->policy && asked->keep == now->keep &&
	       asked->relaxed == now->relaxed && asked->window == now->window &&
	       asked->block == now->block && asked->depth == now->depth;
}

/* A line that was crossed is gone: the file does not come back under a rule by shrinking. */
static void ask(struct file *file, int fd, const struct statx *st)
{
	int64_t line = atomic_load_explicit(&file->line, memory_order_relaxed);
	const struct treatment *treatment;
	int64_t size = (int64_t)st->stx_size;

	if (size >= line) {
		treatment = engine_asked_for(fd, st, (enum access)file->access, &line);
		if (!is_treated_so(file, treatment))
			engine_treat_anew(file, fd, treatment);
	}
	engine_draw_line(file, fd, line, size);
}

void engine_ask_again(struct file *file, int fd)
{
	struct statx st;

	if (!process_is_owner() || !file_hold(file))
		return;
	atomic_store_explicit(&file->grown, false, memory_order_relaxed);
	if (file_confirm(file, fd, &st))
		ask(file, fd, &st);
	file_release(file);
}

void engine_resized(int fd)
{
	struct file *file = engine_file(fd);

	if (file && atomic_load_explicit(&file->line, memory_order_relaxed) != INT64_MAX)
		atomic_store_explicit(&file->grown, true, memory_order_relaxed);
}
