# Builds libnocache.so and runs its tests; `make help` lists the targets.

CC      ?= gcc
AR      ?= ar
BUILD   ?= build
# One spelling of it: what objects depend on is noted under the name that they were built by.
override BUILD := $(abspath $(BUILD))
LIBRARY ?= libnocache.so
LIBC    ?= -ldl
OPT     ?= -O2 -g
WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
# No fortify: its __*_chk imports would keep the library out of musl programs.
# __NO_INLINE__ keeps libc's headers from defining inline copies of what is interposed here.
COMMON  := -std=gnu11 -Iinclude -D_GNU_SOURCE -U_FORTIFY_SOURCE -D__NO_INLINE__ -fPIC \
	   -fvisibility=hidden -ftls-model=initial-exec -fno-builtin -fno-stack-protector \
	   -fno-strict-aliasing -MMD -MP
# On ARM libgcc's own atomics would import what musl has not.
MACHINE := $(if $(findstring aarch64,$(shell $(CC) -dumpmachine)),-mno-outline-atomics)
CFLAGS  := $(OPT) $(WARN) $(COMMON) $(MACHINE) $(EXTRA)
# initfirst: start before the constructors of every other library (ld.so(8), DF_1_INITFIRST).
LDFLAGS := -shared -Wl,-z,initfirst -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
	   -Wl,--no-undefined -Wl,-soname,libnocache.so \
	   -Wl,--version-script=shim/wrap/versions.map

CORE := $(patsubst %.c,$(BUILD)/%.o,$(wildcard shim/sys/*.c shim/core/*.c))
WRAP := $(patsubst %.c,$(BUILD)/%.o,$(wildcard shim/wrap/*.c))
PROBE := $(patsubst %.c,$(BUILD)/%.o,$(wildcard scripts/probe/*.c))
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))
# The fake kernel: before core.a, so that its sys_ functions are taken.
FAKE := $(patsubst tests/unit/%.c,$(BUILD)/unit/%.o,$(wildcard tests/unit/fake_*.c))
SUITES := $(wildcard tests/*/suite)

all: $(LIBRARY) $(BUILD)/nocache-probe

$(LIBRARY): $(WRAP) $(BUILD)/core.a shim/wrap/versions.map
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(EXTRA) -o $@ $(WRAP) $(BUILD)/core.a $(LIBC)

# The library for other machines and another libc: lib32/libnocache.so, and so on. clang for ARM:
# Debian's cross gcc and gcc-multilib exclude each other. musl's headers go before the kernel's.
CC_lib32   ?= gcc -m32 -Wno-psabi
CC_aarch64 ?= clang --target=aarch64-linux-gnu
CC_musl    ?= musl-gcc -idirafter /usr/include -idirafter /usr/include/$(shell gcc -print-multiarch)

# Of musl no file is named: a program of glibc that one of musl starts would end for want of it.
musl: LIBC := -nodefaultlibs -Wl,-z,undefs -lgcc

lib32 musl aarch64:
	$(MAKE) LIBRARY=$@/libnocache.so BUILD=$(BUILD)/$@ CC="$(CC_$@)" LIBC="$(LIBC)" \
		$@/libnocache.so

# Of `nocache --probe`: asks the library's own functions.
$(BUILD)/nocache-probe: $(PROBE) $(BUILD)/core.a
	$(CC) $(OPT) $(EXTRA) -o $@ $(PROBE) $(BUILD)/core.a

$(BUILD)/scripts/%.o: scripts/%.c
	@mkdir -p $(@D)
	$(CC) $(UNITFLAGS) -c -o $@ $<

$(BUILD)/core.a: $(CORE)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

# What the unit tests are linked with.
CHECK_LIBS ?= $(shell pkg-config --libs check)
UNITFLAGS := $(OPT) $(WARN) -std=gnu11 -Iinclude -D_GNU_SOURCE -MMD -MP $(EXTRA)

$(BUILD)/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC) $(UNITFLAGS) -c -o $@ $<

$(filter $(BUILD)/unit/test_core_%,$(UNIT)): $(FAKE)

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/core.a
	@mkdir -p $(@D)
	$(CC) $(UNITFLAGS) -o $@ $< $(filter %.o,$^) \
		$(BUILD)/core.a $(CHECK_LIBS)

unit: $(UNIT)

# A suite is an executable tests/NAME/suite that prints `PASS name`, `FAIL name: why` and
# `SKIP name: why` lines; tests/tally counts them. SCOPE=all asks for everything there is.
check check-all: all unit
	SCOPE=$(if $(filter check-all,$@),all,quick) BUILD=$(abspath $(BUILD)) \
		LIB=$(abspath libnocache.so) CC="$(CC)" tests/tally $(SUITES)

# Speed, by tables: make bench BENCH=direct,sparse; sizes and places: tests/bench/run.
bench: libnocache.so
	BUILD=$(abspath $(BUILD)) LIB=$(abspath libnocache.so) CC="$(CC)" tests/bench/run $(BENCH)

# Rules, records and lists of operations: make fuzz FUZZ_SECONDS=60 FUZZ=rules
FUZZ_SECONDS ?= 600
fuzz:
	BUILD=$(abspath $(BUILD)) FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run $(FUZZ)

clean:
	rm -rf $(BUILD) libnocache.so lib32 musl aarch64 dist

help:
	@echo "make            build ./libnocache.so"
	@echo "make lib32      lib32/libnocache.so, for 32-bit x86; CC_lib32 names the compiler"
	@echo "make musl       musl/libnocache.so, built for musl; CC_musl"
	@echo "make aarch64    aarch64/libnocache.so, for 64-bit ARM; CC_aarch64"
	@echo "make check      the fast test suite"
	@echo "make check-all  every file system and matrix this machine can offer"
	@echo "make bench      measure it against plain; BENCH=TABLE,... chooses (tests/bench/run)"
	@echo "make fuzz       FUZZ_SECONDS=600 for each target of tests/fuzz, or FUZZ=TARGET alone"
	@echo "make install    to PREFIX (/usr/local); make uninstall takes it away again"
	@echo "make dist       dist/$(DIST).tar.xz, of the commit that is checked out"
	@echo "make clean      remove what was built"

# Where `make install` puts things; DESTDIR goes in front of all of it.
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
LIBDIR  ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR  ?= $(DATADIR)/man
COMPLETIONDIR ?= $(DATADIR)/bash-completion/completions

# For 32-bit programs: installed, too, where it was built.
LIB32   ?= lib32/libnocache.so

# What nocache-report runs.
REPORT := $(wildcard scripts/report/*)

# The installed scripts have the paths of what they need written into them.
install: libnocache.so $(BUILD)/nocache-probe
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(LIBDIR)/nocache" "$(DESTDIR)$(INCLUDEDIR)" \
		"$(DESTDIR)$(DATADIR)/libnocache" "$(DESTDIR)$(MANDIR)/man1" \
		"$(DESTDIR)$(MANDIR)/man7" "$(DESTDIR)$(COMPLETIONDIR)"
	install -m 755 $(BUILD)/nocache-probe "$(DESTDIR)$(LIBDIR)/nocache/nocache-probe"
	install -m 644 libnocache.so "$(DESTDIR)$(LIBDIR)/libnocache.so"
	[ ! -e "$(LIB32)" ] || \
		install -m 644 -D "$(LIB32)" "$(DESTDIR)$(LIBDIR)/lib32/libnocache.so"
	install -m 644 include/nocache.h "$(DESTDIR)$(INCLUDEDIR)/nocache.h"
	sed "s|^nc_installed=.*|nc_installed='$(LIBDIR)/libnocache.so'|" scripts/nocache \
		>"$(DESTDIR)$(BINDIR)/nocache"
	install -m 644 $(REPORT) "$(DESTDIR)$(DATADIR)/libnocache"
	sed "s|^nr_parts=.*|nr_parts='$(DATADIR)/libnocache'|" scripts/nocache-report \
		>"$(DESTDIR)$(BINDIR)/nocache-report"
	chmod 755 "$(DESTDIR)$(BINDIR)/nocache" "$(DESTDIR)$(BINDIR)/nocache-report"
	install -m 644 scripts/nocache.1 scripts/nocache-report.1 "$(DESTDIR)$(MANDIR)/man1"
	install -m 644 scripts/libnocache.7 "$(DESTDIR)$(MANDIR)/man7"
	install -m 644 scripts/nocache.bash "$(DESTDIR)$(COMPLETIONDIR)/nocache"
	ln -sf nocache "$(DESTDIR)$(COMPLETIONDIR)/nocache-report"

# Directories that other packages share go only where nothing is left in them.
uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/nocache" "$(DESTDIR)$(LIBDIR)/libnocache.so" \
		"$(DESTDIR)$(INCLUDEDIR)/nocache.h" "$(DESTDIR)$(BINDIR)/nocache-report" \
		"$(DESTDIR)$(LIBDIR)/lib32/libnocache.so" \
		"$(DESTDIR)$(LIBDIR)/nocache/nocache-probe" \
		$(patsubst scripts/report/%,"$(DESTDIR)$(DATADIR)/libnocache/%",$(REPORT)) \
		"$(DESTDIR)$(MANDIR)/man1/nocache.1" "$(DESTDIR)$(MANDIR)/man1/nocache-report.1" \
		"$(DESTDIR)$(MANDIR)/man7/libnocache.7" \
		"$(DESTDIR)$(COMPLETIONDIR)/nocache" "$(DESTDIR)$(COMPLETIONDIR)/nocache-report"
	for directory in "$(LIBDIR)/lib32" "$(LIBDIR)/nocache" "$(DATADIR)/libnocache" \
		"$(MANDIR)/man1" "$(MANDIR)/man7" "$(COMPLETIONDIR)" \
		"$(DATADIR)/bash-completion"; do \
		rmdir "$(DESTDIR)$$directory" 2>/dev/null || :; \
	done

# A tarball of the commit that is checked out, the same bytes wherever it is made.
VERSION := $(shell sed -n 's/^nc_version=//p' scripts/nocache)
DIST := libnocache-$(VERSION)

dist:
	mkdir -p dist
	git -c tar.umask=0022 archive --prefix=$(DIST)/ HEAD >dist/$(DIST).tar
	xz -9 -T1 -f dist/$(DIST).tar

demo:
	scripts/demo

.PHONY: install uninstall demo dist
.PHONY: all lib32 musl aarch64 unit check check-all bench fuzz clean help
-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
