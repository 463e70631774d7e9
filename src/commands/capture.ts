import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { captureBlocks } from '../sources/capture-blocks.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { sourceOptions } from './source-options.ts';

const usage = `usage: mintscope capture --blocks <n> --out <file.blocks>

Writes the next blocks of the configured source (simulator or yellowstone) to a file, byte for byte as the source sent them.
Play it with MINTSCOPE_SOURCE=replay:<file.blocks>.
`;

/** About an hour of mainnet; a larger file is better cut in pieces. */
const MAX_BLOCKS = 18_000;
/** Ending of the file's name, by which a replay knows it. */
const SUFFIX = '.blocks';

export const capture: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values } = readWords(words, { blocks: { type: 'string' }, out: { type: 'string' } });
  const count = Number(values.blocks);
  if (!Number.isInteger(count) || count < 1 || count > MAX_BLOCKS) {
    throw new CommandMisuse(`--blocks takes a whole number from 1 to ${MAX_BLOCKS}\n\n${usage}`);
  }
  if (!values.out?.endsWith(SUFFIX)) {
    throw new CommandMisuse(`--out names the file to write, which ends with ${SUFFIX}\n\n${usage}`);
  }
  const options = sourceOptions(config);
  if (options.kind !== 'simulator' && options.kind !== 'yellowstone') {
    throw new CommandMisuse(`${options.kind} has no block bytes to capture: use the source simulator or yellowstone`);
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const log = createLogger(config.logLevel);
  const written = await captureBlocks({
    // A file has no way to take a block back.
    options: { ...options, commitment: 'confirmed' },
    count,
    path: values.out,
    signal: interrupted.signal,
    clock: systemClock,
    log,
  });
  process.stderr.write(`${written} blocks in ${values.out}\n`);
}
