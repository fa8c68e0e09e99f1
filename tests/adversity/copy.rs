// copy.rs - a Rust program copies by std::fs::copy, std::io::copy and blocks, and reads back.
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

fn copy_blocks(from: &str, to: &str) -> io::Result<u64> {
    let mut input = BufReader::new(File::open(from)?);
    let mut output = BufWriter::new(File::create(to)?);
    let mut block = vec![0; 300_000];
    let mut all = 0;
    loop {
        let n = input.read(&mut block)?;
        if n == 0 {
            output.flush()?;
            return Ok(all);
        }
        output.write_all(&block[..n])?;
        all += n as u64;
    }
}

fn main() -> io::Result<()> {
    println!("{}", fs::copy("src", "dst.fs")?);
    let mut input = File::open("src")?;
    let mut output = OpenOptions::new().read(true).write(true).create(true).open("dst.io")?;
    println!("{}", io::copy(&mut input, &mut output)?);
    output.seek(SeekFrom::Start(0))?;
    let mut back = Vec::new();
    output.read_to_end(&mut back)?;
    println!("{}", copy_blocks("src", "dst.blocks")?);
    println!("{}", back == fs::read("src")?);
    Ok(())
}
