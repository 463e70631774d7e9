import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';

/** One query as it went to the store. */
type Asked = Parameters<StoreClient['exec']>[0];
/** Queries of an answer in the order in which it needs them: those of a wave go out together. */
export type Waves = readonly (readonly Asked[])[];

export interface RecordingClient {
  readonly client: StoreClient;
  /** The queries that an answer makes. What others ask meanwhile, as lists and searches do by themselves, is left out. */
  record(answer: () => Promise<unknown>): Promise<Waves>;
}

interface Recording {
  readonly waves: Asked[][];
  /** Queries of the answer that are under way. */
  open: number;
}

/** A client that remembers what goes through it. */
export function createRecordingClient(store: StoreClient): RecordingClient {
  // Follows an answer through whatever it waits for, and nobody else.
  const recordings = new AsyncLocalStorage<Recording>();
  const exec = async (asked: Asked) => {
    const recording = recordings.getStore();
    if (recording === undefined) return store.exec(asked);
    if (recording.open === 0) recording.waves.push([]);
    recording.open += 1;
    recording.waves.at(-1)!.push(asked);
    try {
      return await store.exec(asked);
    } finally {
      recording.open -= 1;
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
    async record(answer) {
      const recording: Recording = { waves: [], open: 0 };
      await recordings.run(recording, answer);
      if (recording.waves.length === 0) throw new Error('an answer that asked nothing of the store is not cold');
      return recording.waves;
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
