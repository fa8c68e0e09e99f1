/*
 * nocache.h - for programs and tests that want to know what libnocache does with a file.
 *
 * The library need not be there: the one function is weak, and NULL where it is not preloaded.
 *
 *	const char *policy, *reason;
 *
 *	if (nocache_status && nocache_status(fd, &policy, &reason) == 0)
 *		printf("%s because %s\n", policy, reason);
 */
#ifndef NOCACHE_H
#define NOCACHE_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Says what is done with the open file behind `fd` and, if that is not what the rule asks, why:
 * the words of the log's keys `policy` and `reason` (`-` where it is as asked), valid for ever.
 * Either pointer may be NULL. Returns 0, or -1 where `fd` is not open; errno is not changed.
 */
__attribute__((weak)) int nocache_status(int fd, const char **policy, const char **reason);

#ifdef __cplusplus
}
#endif

#endif
