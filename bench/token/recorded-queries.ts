import { systemClock } from '../../src/kernel/clock.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';

/** Milliseconds without a query after which there will be none by itself. */
const IDLE_MS = 1_000;

/** One query as it went to the store. */
type Asked = Parameters<StoreClient['exec']>[0];
/** Queries of an answer in the order in which it needs them: those of a wave go out together. */
export type Waves = readonly (readonly Asked[])[];

export interface RecordingClient {
  readonly client: StoreClient;
  /** Ends when nothing has been asked for a while: what lists and searches are made of is read when answers begin. */
  idle(): Promise<void>;
  /** The queries that an answer makes. Nothing else may be asked meanwhile. */
  record(answer: () => Promise<unknown>): Promise<Waves>;
}

/** A client that remembers what goes through it. */
export function createRecordingClient(store: StoreClient): RecordingClient {
  let waves: Asked[][] = [];
  let open = 0;
  let endedAt = 0;
  const exec = async (asked: Asked) => {
    if (open === 0) waves.push([]);
    open += 1;
    waves.at(-1)!.push(asked);
    try {
      return await store.exec(asked);
    } finally {
      open -= 1;
      endedAt = systemClock.elapsed();
    }
  };
  const client = new Proxy(store, {
    get(target, name) {
      if (name === 'exec') return exec;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    client,
    async idle() {
      const begunAt = systemClock.elapsed();
      const isIdle = () => open === 0 && systemClock.elapsed() - Math.max(begunAt, endedAt) >= IDLE_MS;
      while (!isIdle()) await systemClock.sleep(IDLE_MS / 10);
    },
    async record(answer) {
      waves = [];
      await answer();
      if (waves.length === 0) throw new Error('an answer that asked nothing of the store is not cold');
      return waves;
    },
  };
}

/** The same queries about another token: every parameter that names the one names the other. */
export function about(waves: Waves, from: string, to: string): Waves {
  return waves.map((wave) =>
    wave.map((asked) => {
      const params = Object.entries(asked.query_params ?? {}).map(([name, value]) => [name, renamed(value, from, to)]);
      return { ...asked, query_params: Object.fromEntries(params) };
    }),
  );
}

function renamed(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, from, to));
  return value === from ? to : value;
}

/** Sends the queries and reads their rows to the end, without looking at them. */
export async function replay(store: StoreClient, waves: Waves): Promise<boolean> {
  for (const wave of waves) {
    await Promise.all(
      wave.map(async ({ abort_signal: _signal, ...asked }) => {
        const { stream } = await store.exec(asked);
        for await (const _bytes of stream) {
          // The bytes are all that matters.
        }
      }),
    );
  }
  return true;
}
