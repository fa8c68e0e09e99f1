/* killed_writing.c - SIGKILL loses no byte that write took, and leaves one window.
 * leaves: 8388608 */
#include "prog.h"

int main(void)
{
	pid_t pid = fork();
	struct stat st;
	int status;

	if (pid == 0) {
		write_some(create("dst"), 0, SIZE + 777);
		raise(SIGKILL);
	}
	must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), "child was not killed");
	must(stat("dst", &st) == 0 && st.st_size == SIZE + 777, "size");
	return 0;
}
