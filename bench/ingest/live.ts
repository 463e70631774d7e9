import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '../../src/ingest/live/pipeline.ts';
import { SLOTS_PER_CHAIN_S } from './chain-file.ts';

/** Times are Unix milliseconds with fractions: the processes share a clock. */
export type FromLiveServer =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'sent'; readonly slot: number; readonly at: number }
  | { readonly type: 'end' };

export type FromLiveProcess =
  | { readonly type: 'fed' | 'stored'; readonly slot: number; readonly at: number }
  | { readonly type: 'rss'; readonly bytes: number }
  | { readonly type: 'end'; readonly ourCpuS: number; readonly clickhouseCpuS: number };

/** At the chain's own pace. Latencies count from when the server began to send a block. */
export interface Live {
  readonly chainS: number;
  readonly flushIntervalMs: number;
  readonly feedMs: Spread;
  readonly storeMs: Spread;
  /** Megabytes of resident memory, with ingest alone: no books and no API. */
  readonly rss: { readonly start: number; readonly middle: number; readonly end: number; readonly highest: number };
  /** Seconds a second of chain. */
  readonly ourCpuS: number;
  readonly clickhouseCpuS: number;
}

export interface Spread {
  readonly median: number;
  readonly p99: number;
  readonly highest: number;
  readonly blocks: number;
}

/** Behind the last block, for what is on its way into the store. */
const TAIL_MS = 3_000;
/** Blocks in which the compiler still warms up are no matter of the pace: they show in `highest` alone. */
const WARM_UP_S = 5;
const MEGABYTE = 1_000_000;

/** A server that plays the first `slots` of the file, and ingest as the service runs it, each in a process of its own. */
export async function measureLive(path: string, slots: number): Promise<Live> {
  const server = start('./live-server.ts', [path, String(slots)]);
  const heard = { sent: new Map<number, number>(), fed: new Map<number, number>(), stored: new Map<number, number>() };
  const rss: number[] = [];
  const cpu = { ourCpuS: 0, clickhouseCpuS: 0 };
  try {
    const played = new Promise<void>((resolve) => {
      server.on('message', (message: FromLiveServer) => {
        if (message.type === 'sent') heard.sent.set(message.slot, message.at);
        else if (message.type === 'end') resolve();
      });
    });
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    const ingest = start('./live-process.ts', [url]);
    ingest.on('message', (message: FromLiveProcess) => {
      if (message.type === 'rss') rss.push(message.bytes / MEGABYTE);
      else if (message.type === 'end') Object.assign(cpu, message);
      else if (message.type === 'fed') heard.fed.set(message.slot, message.at);
      else markStored(heard.stored, heard.fed, message);
    });
    await Promise.race([played, once(ingest, 'exit').then(failed)]);
    await sleep(TAIL_MS);
    ingest.send('stop');
    await once(ingest, 'exit');
  } finally {
    server.kill();
  }
  const chainS = slots / SLOTS_PER_CHAIN_S;
  return {
    chainS,
    flushIntervalMs: DEFAULT_LIMITS.flushIntervalMs,
    feedMs: spreadOf(heard.sent, heard.fed),
    storeMs: spreadOf(heard.sent, heard.stored),
    rss: rssOf(rss),
    ourCpuS: cpu.ourCpuS / chainS,
    clickhouseCpuS: cpu.clickhouseCpuS / chainS,
  };
}

/** As this process runs, TypeScript and all. */
function start(file: string, args: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: process.execArgv });
}

function failed(): never {
  throw new Error('the process that ingests ended before the chain did');
}

/** A commit tells of all slots up to it. */
function markStored(
  stored: Map<number, number>,
  fed: ReadonlyMap<number, number>,
  commit: { readonly slot: number; readonly at: number },
): void {
  for (const slot of fed.keys()) if (slot <= commit.slot && !stored.has(slot)) stored.set(slot, commit.at);
}

function spreadOf(sent: ReadonlyMap<number, number>, arrived: ReadonlyMap<number, number>): Spread {
  const lost = [...sent.keys()].filter((slot) => !arrived.has(slot));
  if (lost.length > 0) throw new Error(`${lost.length} of ${sent.size} blocks did not arrive, slot ${lost[0]} first`);
  const all = [...sent].map(([slot, at]) => arrived.get(slot)! - at);
  const warm = all.slice(Math.min(WARM_UP_S * SLOTS_PER_CHAIN_S, all.length >> 1)).sort((a, b) => a - b);
  const at = (share: number) => Math.round(warm[Math.ceil(warm.length * share) - 1]! * 10) / 10;
  return { median: at(0.5), p99: at(0.99), highest: Math.round(Math.max(...all) * 10) / 10, blocks: warm.length };
}

function rssOf(samples: readonly number[]): Live['rss'] {
  const at = (index: number) => Math.round(samples[Math.max(0, index)] ?? 0);
  const last = samples.length - 1;
  return {
    start: at(Math.min(WARM_UP_S, last)),
    middle: at(last >> 1),
    end: at(last),
    highest: Math.round(Math.max(0, ...samples)),
  };
}
