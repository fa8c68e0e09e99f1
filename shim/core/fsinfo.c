/*
 * fsinfo.c - file systems by the magic number of statfs(2), and by /proc/self/mountinfo (proc(5))
 * where one number stands for several.
 */
#include "fsinfo.h"

#include "scratch.h"
#include "sys.h"
#include "text.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>

enum { REMEMBERED = 32, NAME_ROOM = 24 }; /* devices; bytes of a name with its NUL */

enum kind { STORAGE, MEMORY, KERNEL, AMBIGUOUS, BLIND };

/* Those that more must be known of than their kind. */
enum { EXT = 0xef53, XFS = 0x58465342 };
#define BTRFS 0x9123683eU

/* linux/magic.h and, where it is not there, the file system's own source. */
static const struct magic {
	uint32_t number;
	enum kind kind;
	const char *name;
} magics[] = {
	{EXT, AMBIGUOUS, "ext4"},         {XFS, STORAGE, "xfs"},
	{BTRFS, STORAGE, "btrfs"},        {0x01021994, MEMORY, "tmpfs"},
	{0x858458f6, MEMORY, "ramfs"},    {0x794c7630, BLIND, "overlay"},
	{0x65735546, AMBIGUOUS, "fuse"},  {0x6969, STORAGE, "nfs"},
	{0xff534d42, STORAGE, "cifs"},    {0xfe534d42, STORAGE, "smb3"},
	{0x4d44, STORAGE, "vfat"},        {0x2011bab0, STORAGE, "exfat"},
	{0x7366746e, STORAGE, "ntfs3"},   {0xf2f52010, STORAGE, "f2fs"},
	{0x2fc12fc1, STORAGE, "zfs"},     {0x73717368, STORAGE, "squashfs"},
	{0xe0f5e1e2, STORAGE, "erofs"},   {0x9660, STORAGE, "iso9660"},
	{0x15013346, STORAGE, "udf"},     {0xca451a4e, STORAGE, "bcachefs"},
	{0x00c36400, STORAGE, "ceph"},    {0x01021997, STORAGE, "9p"},
	{0x3153464a, STORAGE, "jfs"},     {0x958458f6, MEMORY, "hugetlbfs"},
	{0x9fa0, KERNEL, "proc"},         {0x62656572, KERNEL, "sysfs"},
	{0x64626720, KERNEL, "debugfs"},  {0x74726163, KERNEL, "tracefs"},
	{0x27e0eb, KERNEL, "cgroup"},     {0x63677270, KERNEL, "cgroup2"},
	{0x1cd1, KERNEL, "devpts"},       {0x19800202, KERNEL, "mqueue"},
	{0xcafe4a11, KERNEL, "bpf"},      {0x73636673, KERNEL, "securityfs"},
	{0x6165676c, KERNEL, "pstore"},   {0xde5e81e4, KERNEL, "efivarfs"},
	{0x62656570, KERNEL, "configfs"}, {0xf97cff8c, KERNEL, "selinuxfs"},
};

/* Written once by whoever claims the entry; `ready` publishes it, `name` is the best known yet. */
static struct entry {
	_Atomic bool claimed;
	_Atomic bool ready;
	_Atomic bool looked_up;
	_Atomic int dontcache; /* enum fsinfo_dontcache */
	uint64_t dev;
	enum kind kind;
	uint32_t number;
	_Atomic(const char *) name;
	char exact[NAME_ROOM];
} entries[REMEMBERED];

static const struct magic unknown = {0, STORAGE, "unknown"};

/* NULL where the kernel does not say. */
static const struct magic *magic_of(int fd)
{
	long number = sys_fstype(fd);

	if (sys_failed(number))
		return NULL;
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].number == (uint32_t)number)
			return &magics[i];
	return &unknown;
}

static const struct magic *magic_or_unknown(int fd)
{
	const struct magic *magic = magic_of(fd);

	return magic ? magic : &unknown;
}

static const char *skip_words(const char *line, int words)
{
	for (; words && *line && *line != '\n'; line++)
		words -= *line == ' ';
	return line;
}

/* Whether a line of mountinfo is of device `dev`: its third word is major:minor. */
static bool line_is_of(const char *line, uint64_t dev)
{
	const char *word = skip_words(line, 2);
	uint64_t major, minor;

	if (!text_read_unsigned(&word, &major) || *word++ != ':')
		return false;
	return text_read_unsigned(&word, &minor) && dev == (major << 32 | minor);
}

/* Copies the file system's name, the word after ` - `, of a line of mountinfo. */
static bool name_of_line(const char *line, char *name)
{
	size_t n = 0;

	for (; *line && *line != '\n'; line++) {
		if (!text_starts(line, " - "))
			continue;
		for (line += 3; line[n] > ' ' && n < NAME_ROOM - 1; n++)
			name[n] = line[n];
		name[n] = '\0';
		return true;
	}
	return false;
}

/* Looks for `dev` in the whole lines of `buffer`; returns how many bytes those were. */
static size_t search_lines(const char *buffer, uint64_t dev, char *name, bool *found)
{
	const char *line = buffer, *next;

	for (; !*found; line = next) {
		for (next = line; *next && *next != '\n'; next++)
			;
		if (!*next++)
			break;
		*found = line_is_of(line, dev) && name_of_line(line, name);
	}
	return (size_t)(line - buffer);
}

/* 1 where the device is there, 0 where it is not, or -errno. */
static long search_mounts(int mounts, char *buffer, uint64_t dev, char *name)
{
	size_t held = 0, done;
	bool found = false;
	long n = 0;

	while (!found && (n = sys_read(mounts, buffer + held, SCRATCH_SIZE - 1 - held)) > 0) {
		held += (size_t)n;
		buffer[held] = '\0';
		done = search_lines(buffer, dev, name, &found);
		for (size_t i = done; i < held; i++)
			buffer[i - done] = buffer[i];
		held -= done;
	}
	return found ? 1 : n;
}

/*
 * The name that /proc/self/mountinfo has for the entry's device, if it is there; false where it
 * cannot be looked for now.
 */
static bool name_from_mounts(struct entry *entry)
{
	char *buffer = scratch_take();
	long mounts = sys_openat(AT_FDCWD, "/proc/self/mountinfo", O_RDONLY | O_CLOEXEC, 0);
	long found = -1;

	if (buffer && !sys_failed(mounts))
		found = search_mounts((int)mounts, buffer, entry->dev, entry->exact);
	if (found > 0)
		atomic_store_explicit(&entry->name, entry->exact, memory_order_release);
	if (!sys_failed(mounts))
		sys_close((int)mounts);
	scratch_give(buffer);
	return found >= 0;
}

static void fill(struct entry *entry, uint64_t dev, const struct magic *magic)
{
	entry->dev = dev;
	entry->kind = magic->kind;
	entry->number = magic->number;
	atomic_store_explicit(&entry->name, magic->name, memory_order_relaxed);
	/* Pairs with the acquire in entry_of(). */
	atomic_store_explicit(&entry->ready, true, memory_order_release);
}

/* Makes a free entry that of a device; false where another thread does, or nothing is known. */
static bool make(struct entry *entry, int fd, uint64_t dev)
{
	const struct magic *magic = magic_of(fd);

	if (!magic || atomic_exchange_explicit(&entry->claimed, true, memory_order_relaxed))
		return false;
	fill(entry, dev, magic);
	return true;
}

/* The entry of a device, made where there is room; NULL where there is none. */
static struct entry *entry_of(int fd, uint64_t dev)
{
	for (int i = 0; i < REMEMBERED; i++) {
		struct entry *entry = &entries[i];

		if (!atomic_load_explicit(&entry->ready, memory_order_acquire) &&
		    !make(entry, fd, dev))
			return NULL;
		if (entry->dev == dev)
			return entry;
	}
	return NULL;
}

/*
 * The first store through a page of a shared mapping updates the times: page_mkwrite of
 * fs/ext4/inode.c, fs/xfs/xfs_file.c, fs/btrfs/file.c.
 */
static struct fsinfo facts(enum kind kind, uint32_t number)
{
	return (struct fsinfo){
		.kernel = kind == KERNEL,
		.storage = kind != MEMORY && kind != KERNEL,
		.cachestat_blind = kind == BLIND,
		.direct_by_page = number == BTRFS,
		.tells_changes = number == EXT || number == XFS || number == BTRFS,
	};
}

struct fsinfo fsinfo_of(int fd, uint64_t dev)
{
	const struct entry *entry = entry_of(fd, dev);
	const struct magic *magic = entry ? NULL : magic_or_unknown(fd);

	return entry ? facts(entry->kind, entry->number) : facts(magic->kind, magic->number);
}

const char *fsinfo_name(int fd, uint64_t dev)
{
	struct entry *entry = entry_of(fd, dev);

	if (!entry)
		return magic_or_unknown(fd)->name;
	if (entry->kind == AMBIGUOUS &&
	    !atomic_exchange_explicit(&entry->looked_up, true, memory_order_relaxed))
		atomic_store_explicit(&entry->looked_up, name_from_mounts(entry),
				      memory_order_relaxed);
	return atomic_load_explicit(&entry->name, memory_order_acquire);
}

enum fsinfo_dontcache fsinfo_dontcache(int fd, uint64_t dev)
{
	struct entry *entry = entry_of(fd, dev);

	return entry ? (enum fsinfo_dontcache)atomic_load_explicit(&entry->dontcache,
								   memory_order_relaxed)
		     : FSINFO_UNTRIED;
}

void fsinfo_learn_dontcache(int fd, uint64_t dev, enum fsinfo_dontcache seen)
{
	struct entry *entry = entry_of(fd, dev);

	if (entry)
		atomic_store_explicit(&entry->dontcache, seen, memory_order_relaxed);
}
