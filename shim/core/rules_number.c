/* rules_number.c - sizes as users write them. */
#include "rules_parse.h"

#include <string.h>

/* N per cent of `ram` bytes. */
static bool percentage(uint64_t ram, uint64_t *number)
{
	if (!ram || *number > UINT64_MAX / ram)
		return false;
	*number = *number * ram / 100;
	return true;
}

/* Multiplies by what the unit says: nothing or one letter. */
static bool scale(const char *unit, uint64_t *number)
{
	static const char units[] = "KMGT";
	const char *found = *unit ? strchr(units, *unit) : NULL;
	int shift = found ? 10 * (found - units + 1) : 0;

	if (*unit && (!found || unit[1]))
		return false;
	if (*number > UINT64_MAX >> shift)
		return false;
	*number <<= shift;
	return true;
}

bool parse_number(const char *s, uint64_t ram, uint64_t *number)
{
	if (!text_read_unsigned(&s, number))
		return false;
	return text_equal(s, "%ram") ? percentage(ram, number) : scale(s, number);
}
