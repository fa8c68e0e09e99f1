/* fuzz.h - how a target says that something does not hold: libFuzzer takes abort() for a finding.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,          \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

#endif
