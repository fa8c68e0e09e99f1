// copy.js BIG TEXT OUT - copies in each way that node has.
const fs = require('fs');
const { pipeline } = require('stream/promises');
const readline = require('readline');
const [big, text, out] = process.argv.slice(2);

async function main() {
  fs.copyFileSync(big, `${out}/js-sync`);
  await fs.promises.copyFile(big, `${out}/js-promise`);
  fs.writeFileSync(`${out}/js-whole`, fs.readFileSync(big));
  await pipeline(fs.createReadStream(big), fs.createWriteStream(`${out}/js-stream`));
  await pipeline(fs.createReadStream(big, { start: 12345, highWaterMark: 5001, end: 9000000 }),
    fs.createWriteStream(`${out}/js-part`));
  const lines = fs.createWriteStream(`${out}/js-lines`);
  for await (const line of readline.createInterface({ input: fs.createReadStream(text) })) {
    if (!lines.write(`${line.length} ${line}\n`))
      await new Promise((go) => lines.once('drain', go));
  }
  await new Promise((go) => lines.end(go));
  const i = await fs.promises.open(big), o = await fs.promises.open(`${out}/js-many`, 'w');
  const { size } = await i.stat(), step = 1000003, all = [];
  for (let at = 0; at < size; at += step) {
    const buffer = Buffer.alloc(step);
    all.push(i.read(buffer, 0, step, at).then(({ bytesRead }) => o.write(buffer, 0, bytesRead, at)));
  }
  await Promise.all(all);
  await o.sync();
  await o.close();
  await i.close();
  fs.appendFileSync(`${out}/js-lines`, 'appended');
  fs.cpSync(text, `${out}/js-cp`, { preserveTimestamps: true });
}
main();
