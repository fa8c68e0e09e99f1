/* operations_cover.c - which places of the library the children reach, told to libFuzzer. */
#include "fuzz.h"
#include "operations.h"
#include "places.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* libFuzzer takes what is in this section for counters beside its own. */
__attribute__((section("__libfuzzer_extra_counters"), aligned(PAGE),
	       no_sanitize("address"))) static uint8_t places[PLACES];

void operations_cover(void)
{
	int fd = memfd_create("places", MFD_CLOEXEC);
	char path[64];

	HOLDS(fd >= 0 && ftruncate(fd, PLACES) == 0);
	HOLDS(mmap(places, PLACES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
	      places);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), fd);
	HOLDS(setenv("PLACES", path, 1) == 0);
}
