/* stream_window.c - how large the windows of a stream are. */
#include "stream_window.h"

#include "stream_room.h"

int64_t window_half(const struct file *file)
{
	int64_t window = smaller((int64_t)file_treatment(file)->window, room_left());

	return smaller(larger(window / 2, WINDOW_HALF_LEAST), WINDOW_HALF_MOST);
}

int64_t window_step(const struct file *file)
{
	int64_t half = window_half(file), step = UNIT;

	while (step > half)
		step /= 2;
	return step;
}
