import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { provideChainFile, SHORT_SLOTS } from './ingest/chain-file.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, rounded } from './run/statistics.ts';
import type { DecoderTimes } from './wire/decoder-process.ts';
import type { DecoderName } from './wire/decoders.ts';
import type { Reading } from './wire/measured-reading.ts';

/** Required times the official client's processor time, whole processes. */
const BAR = 10;
/** Required times the official decoder's processor time on the same bytes. */
const BAR_WALKER = 40;
interface Size {
  /** A service runs for weeks: what the compiler needs to get going is not part of it. */
  readonly warmUpBlocks: number;
  readonly measuredBlocks: number;
  /** Different ones; they are sent over and over. */
  readonly fileBlocks: number;
  /** Some are skipped. */
  readonly fileSlots: number;
  /** Of each client, one process a round, in turn. */
  readonly rounds: number;
  /** Of each decoder. */
  readonly decoderRounds: number;
}
const WHOLE: Size = {
  warmUpBlocks: 120,
  measuredBlocks: 120,
  fileBlocks: 120,
  fileSlots: 132,
  rounds: 3,
  decoderRounds: 11,
};
const SHORT: Size = {
  warmUpBlocks: 10,
  measuredBlocks: 20,
  fileBlocks: 15,
  fileSlots: SHORT_SLOTS,
  rounds: 1,
  decoderRounds: 1,
};
const ROUND_TIMEOUT_MS = 120_000;

type Decoded = Readonly<Record<DecoderName, DecoderTimes>>;

/**
 * Processor time a block of a whole client process, ours against the official
 * npm client, both reading the same blocks of simulated mainnet from one local
 * server in a process of its own. Ours is the service's own source, with all
 * read that facts need (`wire/read-block.ts` says what); theirs hands out
 * decoded objects. Then the decoders alone, on the same bytes.
 */
export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const size = short ? SHORT : WHOLE;
  const { fileBlocks, warmUpBlocks, measuredBlocks } = size;
  const { path } = await provideChainFile(size.fileSlots);
  const server = start('server-process.ts', path, String(fileBlocks), String(warmUpBlocks + measuredBlocks));
  try {
    const url = await message<string>(server);
    const ours: Reading[] = [];
    const theirs: Reading[] = [];
    for (let round = 0; round < size.rounds; round += 1) {
      theirs.push(await read('official-process.ts', url, size));
      ours.push(await read('our-process.ts', url, size));
    }
    const decoded = {
      official: await decode('official', path, size),
      walk: await decode('walk', path, size),
      read: await decode('read', path, size),
    };
    return report(ours, theirs, decoded, size);
  } finally {
    server.kill();
  }
}

function report(
  ours: readonly Reading[],
  theirs: readonly Reading[],
  { official, walk, read }: Decoded,
  { measuredBlocks, rounds }: Size,
): Figures {
  const seen = new Set([...ours, ...theirs].map(({ transactions }) => transactions));
  if (seen.has(0)) throw new Error('the blocks had no transactions');
  if (seen.size !== 1) throw new Error(`the clients saw different transactions: ${[...seen].join(', ')}`);
  const cpu = (readings: readonly Reading[]) => median(readings.map(({ cpuMsPerBlock }) => cpuMsPerBlock));
  const ratios = theirs.map(({ cpuMsPerBlock }, round) => cpuMsPerBlock / ours[round]!.cpuMsPerBlock);
  return {
    bench: 'wire',
    ratio: rounded(median(ratios)),
    ratios: ratios.map((ratio) => rounded(ratio)),
    bar: BAR,
    cpu_ms_per_block_ours: rounded(cpu(ours)),
    cpu_ms_per_block_official: rounded(cpu(theirs)),
    ratio_walker: rounded(median(official) / median(walk)),
    bar_walker: BAR_WALKER,
    ratio_walker_all_read: rounded(median(official) / median(read)),
    decode_ms_per_block_official: rounded(median(official)),
    walk_ms_per_block: rounded(median(walk)),
    walk_and_read_ms_per_block: rounded(median(read)),
    transactions_per_block: Math.round([...seen][0]! / measuredBlocks),
    blocks: measuredBlocks,
    rounds,
  };
}

function start(script: string, ...words: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`wire/${script}`, import.meta.url)), words, { execArgv: ['--import', 'tsx'] });
}

async function read(script: string, url: string, { warmUpBlocks, measuredBlocks }: Size): Promise<Reading> {
  const child = start(script, url, String(warmUpBlocks), String(measuredBlocks));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const reading = await message<Reading>(child);
  await exited;
  return reading;
}

async function decode(name: DecoderName, path: string, { decoderRounds }: Size): Promise<DecoderTimes> {
  const child = start('decoder-process.ts', name, path, String(decoderRounds));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const times = await message<DecoderTimes>(child);
  await exited;
  return times;
}

/** The first message of a child; rejects when it ends or stays silent instead. */
function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`nothing was said in ${ROUND_TIMEOUT_MS} ms`));
    }, ROUND_TIMEOUT_MS);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it said anything`)));
    child.once('message', (said) => {
      clearTimeout(timer);
      resolve(said as T);
    });
  });
}
