# copy.py BIG TEXT OUT - copies in each way that python has.
import mmap
import os
import shutil
import sys
import tempfile

big, text, out = sys.argv[1:]


def to(name):
    return os.path.join(out, "py-" + name)


shutil.copyfile(big, to("copyfile"))
shutil.copy2(big, to("copy2"))
with open(big, "rb") as i, open(to("fileobj"), "wb") as o:
    shutil.copyfileobj(i, o)
with open(big, "rb", buffering=0) as i, open(to("unbuffered"), "wb", buffering=0) as o:
    while block := i.read(1000003):
        o.write(block)
with open(text, encoding="ascii") as i, open(to("lines"), "w", encoding="ascii") as o:
    for number, line in enumerate(i):
        o.write(f"{number} {line}")
with open(big, "rb") as i, open(to("whole"), "wb") as o:
    o.write(i.read())
i, o = os.open(big, os.O_RDONLY), os.open(to("kernel"), os.O_WRONLY | os.O_CREAT, 0o600)
size = os.fstat(i).st_size
os.copy_file_range(i, o, size // 3)
os.sendfile(o, i, size // 3, size)
os.lseek(i, size // 3 * 2, os.SEEK_SET)
while block := os.read(i, 65536):
    os.write(o, block)
os.close(o)
with open(to("pread"), "wb") as o:
    for at in range(size - 1000001, 0, -3000017):
        os.pwrite(o.fileno(), os.pread(i, 1000001, at), at)
os.close(i)
with open(big, "rb") as i, open(to("map"), "w+b") as o:
    o.truncate(size)
    with mmap.mmap(i.fileno(), 0, access=mmap.ACCESS_READ) as m, mmap.mmap(o.fileno(), 0) as n:
        n[:] = m[:]
        o.seek(4097)
        o.write(b"written beside the map")
        o.flush()
        assert n[4097:4104] == b"written"
with tempfile.TemporaryFile(dir=out) as t:
    with open(big, "rb") as i:
        shutil.copyfileobj(i, t, 5000)
    t.seek(0)
    with open(to("temporary"), "wb") as o:
        shutil.copyfileobj(t, o)
with open(to("appended"), "ab") as o, open(text, "rb") as i:
    o.write(b"x")
    shutil.copyfileobj(i, o, 700)
with open(big, "rb") as i, open(to("readv"), "wb") as o:
    vectors = [bytearray(n) for n in (1, 4096, 1000000, 7)]
    while (n := os.readv(i.fileno(), vectors)) > 0:
        os.writev(o.fileno(), [memoryview(b"".join(vectors))[:n]])
