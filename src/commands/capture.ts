import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../kernel/log.ts';
import { captureBlocks } from '../sources/capture-blocks.ts';
import { CommandMisuse } from './command-misuse.ts';
import { sourceOptions } from './source-options.ts';

const USAGE = `usage: mintscope capture --blocks <n> --out <file.blocks>

Writes the next blocks of the configured source (simulator or yellowstone) to a file, byte for byte as the source sent them.
Play it with MINTSCOPE_SOURCE=replay:<file.blocks>.
`;

/** About an hour of mainnet; a larger file is better cut in pieces. */
const MAX_BLOCKS = 18_000;

export async function capture(config: Config, words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { help: { type: 'boolean', default: false }, blocks: { type: 'string' }, out: { type: 'string' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const count = Number(values.blocks);
  if (!Number.isInteger(count) || count < 1 || count > MAX_BLOCKS) {
    throw new CommandMisuse(`--blocks takes a whole number from 1 to ${MAX_BLOCKS}\n\n${USAGE}`);
  }
  if (values.out === undefined) throw new CommandMisuse(`--out names the file to write\n\n${USAGE}`);
  const options = sourceOptions(config);
  if (options.kind !== 'simulator' && options.kind !== 'yellowstone') {
    throw new CommandMisuse(`${options.kind} has no block bytes to capture: use the source simulator or yellowstone`);
  }
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const log = createLogger(config.logLevel);
  const written = await captureBlocks({
    options,
    count,
    path: values.out,
    signal: interrupted.signal,
    clock: systemClock,
    log,
  });
  process.stderr.write(`${written} blocks in ${values.out}\n`);
}
