import { medianRatio, rounded } from '../run/statistics.ts';
import { type Amount, load } from './load.ts';
import { type Recorded, type Service, startBareServer } from './processes.ts';

/** Requests per second of the service, and of the bare route that sends the same, by round. */
export interface Rates {
  readonly ours: number[];
  readonly bare: number[];
}

export interface RoundOptions {
  /** Rounds that count. */
  readonly rounds: number;
  /** Of each side in each round. */
  readonly amount: Amount;
  readonly connections: number;
}

/** The connection's own, which each server sets for itself. */
const HOP_HEADERS = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'];

/**
 * Measures answers of the service against a bare Fastify route in a process of
 * its own that sends the same bytes and headers, taking turns. The first round
 * only warms both sides up.
 */
export async function measureRates<N extends string>(
  service: Service,
  paths: Readonly<Record<N, string>>,
  { rounds, amount, connections }: RoundOptions,
): Promise<Readonly<Record<N, Rates>>> {
  const entries = Object.entries(paths) as [N, string][];
  const recorded = await Promise.all(entries.map(([name, path]) => record(service, name, path)));
  const bare = await startBareServer(recorded);
  const rates = Object.fromEntries(entries.map(([name]) => [name, { ours: [], bare: [] }])) as unknown as Record<
    N,
    Rates
  >;
  const rate = async (address: string, path: string) =>
    (await load({ address, path, keys: service.keys, connections, amount })).perSecond;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, path] of entries) {
        const ours = await rate(service.address, path);
        const base = await rate(bare.address, `/${name}`);
        if (round === 0) continue;
        rates[name].ours.push(ours);
        rates[name].bare.push(base);
      }
    }
    return rates;
  } finally {
    await bare.stop();
  }
}

export function ratioOf({ ours, bare }: Rates): number {
  return rounded(medianRatio(ours, bare), 3);
}

export async function getJson<T>(service: Service, path: string): Promise<T> {
  return (await (await get(service, path)).json()) as T;
}

/** For a store that is behind, as it is behind a start. */
const MAX_WAIT_MS = 30_000;
const AGAIN_MS = 250;

/** Asks again for as long as the answer is that the newest blocks are still being written. */
async function get(service: Service, path: string): Promise<Response> {
  const ask = () => fetch(service.address + path, { headers: { 'x-api-key': service.keys[0]! } });
  let response = await ask();
  for (let waited = 0; response.status === 503 && waited < MAX_WAIT_MS; waited += AGAIN_MS) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    response = await ask();
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

async function record(service: Service, name: string, path: string): Promise<Recorded> {
  const response = await get(service, path);
  const headers = Object.fromEntries([...response.headers].filter(([header]) => !HOP_HEADERS.includes(header)));
  return { path: `/${name}`, headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') };
}
