"""Python's ways to read and write a big file: io.py WAY SOURCE [DESTINATION]."""
import shutil
import sys


def blocks(f, size):
    while block := f.read(size):
        yield block


def whole(source):
    with open(source, "rb") as f:
        print(len(f.read()))


def buffered(source):
    with open(source, "rb") as f:
        print(sum(len(block) for block in blocks(f, 65536)))


def copyfile(source, destination):
    shutil.copyfile(source, destination)


def write(source, destination):
    with open(source, "rb") as f, open(destination, "wb") as out:
        for block in blocks(f, 50000):
            out.write(block)


{f.__name__: f for f in (whole, buffered, copyfile, write)}[sys.argv[1]](*sys.argv[2:])
