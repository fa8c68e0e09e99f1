/* fake_maps.c - what the program has mapped of the fake kernel's files, for mappings.c. */
#include "fake_sys.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* File number i is mapped at (i + 1) << 24. */
enum { AT = 24 };

static char maps[64 << 10];

static void set_mapped(struct fake_file *file, bool mapped)
{
	for (int64_t i = 0; i * PAGE < file->size; i++)
		if (mapped)
			file->pages[i] |= MAPPED;
		else
			file->pages[i] &= (unsigned char)~MAPPED;
}

void fake_maps_line(const char *line)
{
	snprintf(maps + strlen(maps), sizeof(maps) - strlen(maps), "%s\n", line);
	fake_text("/proc/self/maps", maps);
}

void fake_map(struct fake_file *file, const char *permissions)
{
	unsigned long at = (unsigned long)(file - fake.file + 1) << AT;
	char line[512];

	ck_assert_int_le(file->size, 1 << AT);
	pages_bring_in(file, 0, file->size, 0);
	set_mapped(file, true);
	snprintf(line, sizeof(line), "%lx-%lx %s 00000000 00:%02x %lu                  %s", at,
		 at + (unsigned long)file->size, permissions, (unsigned)file->minor,
		 (unsigned long)file->ino, file->path);
	fake_maps_line(line);
}

/* MADV_PAGEOUT: what nobody else has mapped and is clean. */
void fake_page_out(const void *address)
{
	struct fake_file *file = &fake.file[((uintptr_t)address >> AT) - 1];

	set_mapped(file, false);
	pages_drop(file, 0, file->size);
	set_mapped(file, true);
}
