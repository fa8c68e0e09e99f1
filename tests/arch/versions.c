/*
 * versions.c - a program that was linked when older versions of libc's functions were the newest
 * prints what they do, which today's do not: the lines must be the same bare and shimmed.
 */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __i386__
#define SPAWN "GLIBC_2.2"
#define AIO "GLIBC_2.1"
#define QUICK "GLIBC_2.10"
#elif defined(__x86_64__)
#define SPAWN "GLIBC_2.2.5"
#define AIO "GLIBC_2.2.5"
#define QUICK "GLIBC_2.10"
#else
#define QUICK "GLIBC_2.17"
#endif
#define OLD(type, ours, parameters, symbol)                                                        \
	extern type ours parameters;                                                               \
	__asm__(".symver " #ours ", " symbol);

static void say(const char *what, long long value)
{
	printf("%s %lld\n", what, value);
	fflush(stdout);
}

OLD(void, old_quick_exit, (int), "quick_exit@" QUICK)

extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
extern void *__dso_handle;

static void destructor(void *nothing)
{
	(void)nothing;
	say("quick_exit: a thread's destructor ran", 1);
}

static void quick(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		__cxa_thread_atexit_impl(destructor, NULL, &__dso_handle);
		old_quick_exit(3);
	}
	waitpid(child, &status, 0);
	say("quick_exit: status", WEXITSTATUS(status));
}

#ifdef SPAWN
OLD(int, old_spawn,
    (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
     char *const *, char *const *),
    "posix_spawn@" SPAWN)
OLD(int, old_spawnp,
    (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
     char *const *, char *const *),
    "posix_spawnp@" SPAWN)
OLD(int, old_listio, (int, struct aiocb *const *, int, struct sigevent *), "lio_listio@" AIO)

/* A script without #!: only the old ones give it to the shell. */
static void spawns(void)
{
	char *argv[] = {"./plain", NULL}, *envp[] = {NULL};
	int fd = open("plain", O_WRONLY | O_CREAT | O_TRUNC, 0755), status = 0;
	pid_t pid = 0;

	if (write(fd, "exit 5\n", 7) != 7)
		exit(1);
	close(fd);
	say("posix_spawn", old_spawn(&pid, "./plain", NULL, NULL, argv, envp));
	if (pid > 0)
		waitpid(pid, &status, 0);
	say("its status", WEXITSTATUS(status));
	status = 0;
	say("posix_spawnp", old_spawnp(&pid, "./plain", NULL, NULL, argv, envp));
	if (pid > 0)
		waitpid(pid, &status, 0);
	say("its status", WEXITSTATUS(status));
	unlink("plain");
}

static volatile sig_atomic_t told;

static void tell(int signal)
{
	(void)signal;
	told++;
}

/* Only today's tells of each request. */
static void list(void)
{
	static char buffer[512];
	int fd = open("cold", O_RDONLY);
	struct aiocb one = {.aio_fildes = fd, .aio_buf = buffer, .aio_nbytes = sizeof(buffer)};
	struct aiocb *all[] = {&one};

	one.aio_lio_opcode = LIO_READ;
	one.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
	one.aio_sigevent.sigev_signo = SIGUSR1;
	signal(SIGUSR1, tell);
	say("lio_listio", old_listio(LIO_WAIT, all, 1, NULL));
	usleep(100000);
	say("signals", told);
	say("bytes", aio_return(&one));
	close(fd);
}
#endif

#ifdef __i386__
OLD(FILE *, old_fopen, (const char *, const char *), "fopen@GLIBC_2.0")
OLD(FILE *, old_fdopen, (int, const char *), "fdopen@GLIBC_2.0")
OLD(FILE *, old_tmpfile, (void), "tmpfile@GLIBC_2.0")
OLD(FILE *, old_popen, (const char *, const char *), "popen@GLIBC_2.0")
OLD(int, old_pclose, (FILE *), "pclose@GLIBC_2.0")
OLD(int, old_fgetpos, (FILE *, fpos_t *), "fgetpos@GLIBC_2.0")
OLD(int, old_fsetpos, (FILE *, const fpos_t *), "fsetpos@GLIBC_2.0")
OLD(int, old_fclose, (FILE *), "fclose@GLIBC_2.0")
OLD(int, old_fcntl, (int, int, ...), "fcntl@GLIBC_2.0")
OLD(int, old_advise, (int, off64_t, off_t, int), "posix_fadvise64@GLIBC_2.2")
OLD(int, old_allocate, (int, off64_t, off_t), "posix_fallocate64@GLIBC_2.2")
OLD(int, old_chown, (const char *, uid_t, gid_t), "chown@GLIBC_2.0")
OLD(int, old_setrlimit, (int, const struct rlimit *), "setrlimit@GLIBC_2.0")

/* Where in the FILE its functions are: 0 in today's. */
static void layout(const char *what, const FILE *stream)
{
	printf("%s: functions at %d\n", what, stream->_vtable_offset);
}

static void streams(void)
{
	FILE *file = old_fopen("old", "w+"), *other = old_fdopen(dup(1), "w"), *third;
	char line[32] = "";
	fpos_t place;

	layout("fopen", file);
	layout("fdopen", other);
	for (int i = 0; i < 10000; i++)
		fprintf(file, "line %d\n", i);
	rewind(file);
	for (int i = 0; i < 5000; i++)
		if (!fgets(line, sizeof(line), file))
			break;
	printf("%s%c %d\n", line, getc(file), fseek(file, 0, SEEK_END));
	fseek(file, 5, SEEK_SET);
	say("fgetpos", old_fgetpos(file, &place));
	rewind(file);
	say("fsetpos", old_fsetpos(file, &place));
	say("ftell", ftell(file));
	say("fclose", old_fclose(file));
	say("fclose", old_fclose(other));
	third = old_tmpfile();
	layout("tmpfile", third);
	say("fclose", fputs("text", third) < 0 ? -1 : old_fclose(third));
	third = old_popen("echo said", "r");
	layout("popen", third);
	say("fgets", fgets(line, sizeof(line), third) && !strcmp(line, "said\n"));
	say("pclose", old_pclose(third));
	unlink("old");
}

static void offsets(void)
{
	int a = open("cold", O_RDWR), b = open("cold", O_RDWR),
	    fd = open64("sized", O_RDWR | O_CREAT, 0600);
	struct flock64 lock = {.l_type = F_WRLCK, .l_start = 5LL << 30, .l_len = 10};
	struct stat64 st = {0};

	say("fcntl F_OFD_SETLK", old_fcntl(a, F_OFD_SETLK, &lock));
	lock.l_start = 0;
	lock.l_len = 0;
	say("fcntl F_OFD_GETLK", old_fcntl(b, F_OFD_GETLK, &lock));
	say("locked from", lock.l_start);
	say("posix_fadvise64", old_advise(fd, 0, 100, POSIX_FADV_NORMAL));
	say("posix_fadvise64 of no such advice", old_advise(fd, 0, 100, 77));
	say("posix_fallocate64", old_allocate(fd, 4096, 8192));
	fstat64(fd, &st);
	say("size", st.st_size);
	unlink("sized");
	close(a);
	close(b);
	close(fd);
}

static void others(void)
{
	struct rlimit limit = {0x7fffffff, 0x7fffffff};
	struct rlimit64 seen = {0, 0};

	say("link", symlink("nothing", "link"));
	say("chown of a link", old_chown("link", (uid_t)-1, (gid_t)-1));
	unlink("link");
	say("setrlimit", old_setrlimit(RLIMIT_CORE, &limit));
	getrlimit64(RLIMIT_CORE, &seen);
	printf("limit %llx\n", (unsigned long long)seen.rlim_cur);
}
#endif

/* A shell may be of another machine, where the library cannot be preloaded. */
int main(void)
{
	unsetenv("LD_PRELOAD");
	quick();
#ifdef SPAWN
	spawns();
	list();
#endif
#ifdef __i386__
	streams();
	offsets();
	others();
#endif
	return 0;
}
