/*
 * call_i386.h - the kernel's calling convention, syscall(2): eax, ebx ecx edx esi edi ebp. The
 * compiler keeps ebp to itself, so the number and the sixth argument come through memory.
 */
static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	const long outer[2] = {number, f};
	long result;

	__asm__ volatile("push %%ebp\n\t"
			 "mov 4(%%eax), %%ebp\n\t"
			 "mov (%%eax), %%eax\n\t"
			 "int $0x80\n\t"
			 "pop %%ebp"
			 : "=a"(result)
			 : "0"(outer), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory");
	return result;
}
