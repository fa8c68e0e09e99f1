// Copy BIG TEXT OUT - copies in each way that java has.
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import static java.nio.file.StandardOpenOption.*;

class Copy {
	static Path out;

	static Path to(String name) {
		return out.resolve("java-" + name);
	}

	static void streams(Path big) throws IOException {
		try (InputStream i = new FileInputStream(big.toFile());
		     OutputStream o = new FileOutputStream(to("stream").toFile())) {
			i.transferTo(o);
		}
		try (InputStream i = new BufferedInputStream(new FileInputStream(big.toFile()), 5000);
		     OutputStream o = new BufferedOutputStream(new FileOutputStream(to("buffered").toFile()))) {
			byte[] block = new byte[1500];
			for (int n; (n = i.read(block)) > 0;)
				o.write(block, 0, n);
		}
	}

	static void channels(Path big) throws IOException {
		try (FileChannel i = FileChannel.open(big); FileChannel o = FileChannel.open(to("transfer"), CREATE, WRITE)) {
			long size = i.size();
			for (long at = 0; at < size;)
				at += i.transferTo(at, size - at, o);
		}
		try (FileChannel i = FileChannel.open(big); FileChannel o = FileChannel.open(to("channel"), CREATE, WRITE)) {
			ByteBuffer block = ByteBuffer.allocateDirect(1000003);
			while (i.read(block) > 0) {
				block.flip();
				while (block.hasRemaining())
					o.write(block);
				block.clear();
			}
			o.force(true);
		}
		try (FileChannel i = FileChannel.open(big); FileChannel o = FileChannel.open(to("map"), CREATE, READ, WRITE)) {
			MappedByteBuffer from = i.map(FileChannel.MapMode.READ_ONLY, 0, i.size());
			MappedByteBuffer into = o.map(FileChannel.MapMode.READ_WRITE, 0, i.size());
			into.put(from);
			o.write(ByteBuffer.wrap("written beside the map".getBytes()), 4097);
			into.force();
		}
	}

	static void random(Path text) throws IOException {
		Files.copy(text, to("random"));
		try (RandomAccessFile f = new RandomAccessFile(to("random").toFile(), "rw")) {
			f.seek(f.length() - 3000);
			f.writeBytes("in place");
			f.seek(1000);
			System.out.println(f.readLine());
			f.setLength(f.length() + 4095);
		}
	}

	static void lines(Path text) throws IOException {
		try (BufferedReader i = Files.newBufferedReader(text); BufferedWriter o = Files.newBufferedWriter(to("lines"))) {
			for (String line; (line = i.readLine()) != null;)
				o.write(line.length() + " " + line + "\n");
		}
	}

	public static void main(String[] a) throws Exception {
		Path big = Paths.get(a[0]), text = Paths.get(a[1]);

		out = Paths.get(a[2]);
		Files.copy(big, to("copy"));
		Files.copy(big, to("attributes"), StandardCopyOption.COPY_ATTRIBUTES);
		streams(big);
		channels(big);
		random(text);
		lines(text);
		Files.move(to("copy"), to("moved"));
	}
}
