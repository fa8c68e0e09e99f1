/* terminated.c - SIGTERM's default action while reading leaves at most one window.
 * leaves: 8388608 */
#include "prog.h"

int main(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		read_all(open_src());
		raise(SIGTERM);
	}
	must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), "child was not killed");
	return 0;
}
