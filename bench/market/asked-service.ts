import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Service } from '../api/processes.ts';
import { percentile, rounded } from '../run/statistics.ts';

export interface AskingOrder {
  readonly address: string;
  readonly keys: readonly string[];
  readonly perSecond: number;
}

export type FromAsking =
  | { readonly type: 'begun' }
  /** Milliseconds from when it was due; `cut` without an answer. */
  | {
      readonly type: 'answer';
      readonly route: string;
      readonly status: number | 'cut';
      readonly ms: number;
      readonly reason: string;
    };

/** An answer that took longer than this is late. */
const LATE_MS = 1_000;
/** What a service may say that is short of something: counted. Anything else ends the bench. */
const COUNTED: readonly (number | 'cut')[] = [200, 503, 504, 'cut'];
/** Tokens of the lists may be withdrawn again, or have nothing yet of what is asked. */
const UNKNOWN = 404;
/** Somebody's reads of the store wait already, and others have their turn: overload is shed, and counted as refused. */
const isShed = (status: number | 'cut', reason: string) => status === 429 && reason.includes('too many reads at once');
/** Routes whose times are printed, the slowest ones. */
const SLOWEST = 6;

export interface Asking {
  readonly pid: number;
  /** Figures so far. Throws when something was refused that should not be. */
  figures(): Readonly<Record<string, unknown>>;
  readonly answers: number;
  stop(): Promise<void>;
}

/** Another process that asks so many times a second until it is stopped. It has begun when this resolves. */
export async function askSteadily({ address, keys }: Service, perSecond: number): Promise<Asking> {
  const child = fork(fileURLToPath(new URL('asking-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  const times = new Map<string, number[]>();
  const statuses: Record<string, number> = {};
  const strange: string[] = [];
  let answers = 0;
  const order: AskingOrder = { address, keys, perSecond };
  child.send(order);
  await once(child, 'message');
  const begun = performance.now();
  child.on('message', (message: FromAsking) => {
    if (message.type !== 'answer') return;
    const { route, status, ms, reason } = message;
    answers += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (!COUNTED.includes(status) && status !== UNKNOWN && !isShed(status, reason))
      strange.push(`${route}: ${status} ${reason}`);
    const known = times.get(route);
    if (known === undefined) times.set(route, [ms]);
    else known.push(ms);
  });
  return {
    pid: child.pid!,
    get answers() {
      return answers;
    },
    figures() {
      if (strange.length > 0) throw new Error(`${strange.length} requests were refused, such as ${strange[0]}`);
      if (child.exitCode !== null) throw new Error(`the process that asks ended with ${child.exitCode}`);
      const all = [...times.values()].flat();
      if (all.length === 0) throw new Error('nothing was answered');
      const slowest = [...times]
        .map(([route, own]) => [route, rounded(percentile(own, 0.99), 1)] as const)
        .sort(([, a], [, b]) => b - a)
        .slice(0, SLOWEST);
      return {
        answers_a_second: rounded(all.length / ((performance.now() - begun) / 1_000), 1),
        asked_a_second: perSecond,
        answer_p50_ms: rounded(percentile(all, 0.5), 1),
        answer_p99_ms: rounded(percentile(all, 0.99), 1),
        answers: all.length,
        answers_late: all.filter((ms) => ms > LATE_MS).length,
        answers_refused: all.length - (statuses[200] ?? 0) - (statuses[UNKNOWN] ?? 0),
        statuses: { ...statuses },
        slowest_routes_p99_ms: Object.fromEntries(slowest),
      };
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
