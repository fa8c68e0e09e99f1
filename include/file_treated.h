/*
 * file_treated.h - how a file is treated, what was asked for, and what is done where the cache is.
 * A part of file.h. It may change while other threads look: the file grows past a line of the
 * rules, the file system refuses, a stream is hot no more. Whichever they see will do.
 */
#ifndef NOCACHE_FILE_TREATED_H
#define NOCACHE_FILE_TREATED_H

static inline const struct treatment *file_treatment(const struct file *file)
{
	return atomic_load_explicit(&file->treatment, memory_order_relaxed);
}

static inline enum policy file_asked(const struct file *file)
{
	return file_treatment(file)->policy;
}

static inline enum policy file_policy(const struct file *file)
{
	return (enum policy)atomic_load_explicit(&file->policy, memory_order_relaxed);
}

static inline bool file_may_be_direct(const struct file *file)
{
	return atomic_load_explicit(&file->may_be_direct, memory_order_relaxed);
}

static inline void file_set_direct(struct file *file, bool may)
{
	atomic_store_explicit(&file->may_be_direct, may, memory_order_relaxed);
}

static inline bool file_may_dontcache(const struct file *file)
{
	return atomic_load_explicit(&file->may_dontcache, memory_order_relaxed);
}

static inline void file_set_dontcache(struct file *file, bool may)
{
	atomic_store_explicit(&file->may_dontcache, may, memory_order_relaxed);
}

/* What was cached before; who works on the windows may come to know better. */
static inline enum before file_before(const struct file *file)
{
	return (enum before)atomic_load_explicit(&file->before, memory_order_relaxed);
}

static inline void file_set_before(struct file *file, enum before before)
{
	atomic_store_explicit(&file->before, before, memory_order_relaxed);
}

#endif
