/* reason.c - the words of reasons.def. */
#include "reason.h"

static const char *const words[REASON_COUNT] = {
#define REASON(name, word) [REASON_##name] = word,
#include "reasons.def"
#undef REASON
};

const char *reason_word(enum reason reason)
{
	return reason < REASON_COUNT ? words[reason] : "-";
}
