/* slots.c - the descriptors and file names that operations refer to by number. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum { DESCRIPTIONS = 4096 };

struct slot slots[SLOTS];
char *work_dir;
enum direct_is direct_is;
enum child in_child;
int locks_used;
int size_limited;
int say_holes, say_seldom;

static char direct[DESCRIPTIONS];
static int last_description;

struct slot *slot_of(long long slot)
{
	return slot >= 0 && slot < SLOTS ? &slots[slot] : NULL;
}

int fd_of(long long slot)
{
	if (slot_of(slot))
		return slots[slot].fd;
	return slot == SLOT_CLOSED ? 999 : (int)slot;
}

void slot_set(struct slot *slot, int fd, int is_direct)
{
	memset(slot, 0, sizeof(*slot));
	slot->fd = fd < 0 ? -1 : fd;
	slot->description = last_description = (last_description + 1) % DESCRIPTIONS;
	direct[slot->description] = is_direct;
}

void slot_share(struct slot *slot, int fd, const struct slot *with)
{
	int description = with->description;

	memset(slot, 0, sizeof(*slot));
	slot->fd = fd < 0 ? -1 : fd;
	slot->description = description;
}

int asked_direct(const struct slot *slot)
{
	return slot && slot->fd >= 0 && direct[slot->description];
}

int direct_promised(long long slot)
{
	return direct_is != DIRECT_STRICT && asked_direct(slot_of(slot));
}

void ask_direct(const struct slot *slot, int is_direct)
{
	direct[slot->description] = is_direct;
}

int honest_flags(int flags)
{
	return direct_is == DIRECT_FAKED ? flags & ~O_DIRECT : flags;
}

const char *file_path(long long file, int absolute)
{
	static char path[4200];

	if (file == FILE_FAULT)
		return (const char *)8;
	if (file == FILE_MISSING)
		return "missing/f";
	if (file == FILE_DIRECTORY)
		return ".";
	snprintf(path, sizeof(path), "%s%sf%d", absolute ? work_dir : "", absolute ? "/" : "",
		 (int)file);
	return path;
}

long long file_size(int fd)
{
	struct statx stx;

	settle();
	return raw_stat(fd, &stx) < 0 ? 0 : (long long)stx.stx_size;
}

void close_slot(struct slot *slot)
{
	int fd = slot->fd;
	FILE *fp = slot->fp;

	slot_set(slot, -1, 0);
	quiet();
	if (fp)
		say_result(fclose(fp));
	else
		say_result(close(fd));
	say_descriptor(fd, 0);
}
