# shellcheck shell=sh
# gcc, binutils, make, dpkg: vfork, stdio that reads and writes one file, fseek.
packages gcc binutils make dpkg

export SOURCE_DATE_EPOCH=981173106

prepare() {
	mkdir in/src
	for i in 1 2 3 4 5 6; do
		awk -v i=$i 'BEGIN {
			print "#include <stdio.h>\n#include <stdlib.h>"
			for (n = 0; n < 300; n++)
				printf "int f%d_%d(int x)\n{\n\treturn printf(\"%%d\\n\", x * %d) + %d;\n}\n", i, n, n, i
		}' >in/src/$i.c
	done
	echo 'int f1_1(int); int f6_299(int); int main(void) { return f1_1(3) + f6_299(4) < 0; }' >in/src/main.c
	cat >in/src/Makefile <<-'END'
	.RECIPEPREFIX = >
	OBJECTS := 1.o 2.o 3.o 4.o 5.o 6.o
	all: program stripped
	program: main.o lib.a
	> gcc -g -o $@ main.o lib.a
	lib.a: $(OBJECTS)
	> ar rcDs $@ $(OBJECTS)
	%.o: %.c
	> gcc -g -O1 -c -o $@ $<
	stripped: program
	> strip -o $@ program
	> objcopy --compress-debug-sections program compressed
	> nm lib.a >names
	> objdump -d program >listing
	> strings -a program >texts
	> ranlib -D lib.a
	END
	find in/src -exec touch -h -d "$LONG_AGO" {} +
	mkdir -p in/package/DEBIAN in/package/usr/share/example
	printf 'Package: example\nVersion: 1\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: example\n' \
		>in/package/DEBIAN/control
	big in/package/usr/share/example/big $((SIZE / 4))
	text in/package/usr/share/example/text $((SIZE / 16))
	find in/package -exec touch -h -d "$LONG_AGO" {} +
}

before_make() { cp -a in/src out/src; }
run_make() { make -s -j 2 -C out/src && out/src/program && out/src/stripped; }

run_lto() { gcc -O2 -flto -frandom-seed=1 -o out/program in/src/*.c && out/program; }
run_gold() { gcc -fuse-ld=gold -O1 -o out/program in/src/*.c && out/program; }

run_dpkg() {
	dpkg-deb -Zgzip -z1 --root-owner-group -b in/package out/example.deb
	dpkg-deb -c out/example.deb >out/list
	mkdir -p out/root/var/lib/dpkg/info out/root/var/lib/dpkg/updates
	: >out/root/var/lib/dpkg/status
	dpkg --root="$PWD/out/root" --log=/dev/null -i out/example.deb
	dpkg --root="$PWD/out/root" --verify example
}
