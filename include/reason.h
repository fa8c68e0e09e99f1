/* reason.h - the named reasons of reasons.def as an enumeration. */
#ifndef NOCACHE_REASON_H
#define NOCACHE_REASON_H

enum reason {
#define REASON(name, word) REASON_##name,
#include "reasons.def"
#undef REASON
	REASON_COUNT
};

/* The reason's word in the log; never NULL. */
const char *reason_word(enum reason reason);

#endif
