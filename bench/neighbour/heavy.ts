import type { Address } from '../../src/chain/address.ts';
import { createRandom, type Random } from '../../src/simulator/random.ts';
import type { Service } from '../api/processes.ts';
import { note, type Phase } from './figures.ts';

/** A request every so often: what a key on trial may. */
const EVERY_MS = 100;
const BATCH = 50;
const PRICED = 100;
const MAX_DAYS = 60;

export interface Neighbour {
  /** Asks no more, and waits for what it has asked. */
  stop(): Promise<void>;
}

export interface NeighbourOptions {
  readonly service: Service;
  readonly key: string;
  readonly tokens: readonly Address[];
  readonly hot: Address;
  readonly seed: number;
  readonly phase: Phase;
}

/** Asks for what takes the store the longest, whatever it is told of waiting. */
export function startNeighbour({ service, key, tokens, hot, seed, phase }: NeighbourOptions): Neighbour {
  const random = createRandom(`neighbour ${seed}`);
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const asking = ask(service, key, heavyPath(random, tokens, hot), phase).finally(() => underWay.delete(asking));
    underWay.add(asking);
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

async function ask({ address }: Service, key: string, path: string, phase: Phase): Promise<void> {
  const begun = performance.now();
  try {
    const answer = await fetch(address + path, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    note(phase, answer.status, performance.now() - begun);
  } catch {
    note(phase, 'cut', performance.now() - begun);
  }
}

/** Another question each time, of other tokens or another span, so that no kept answer serves. */
function heavyPath(random: Random, tokens: readonly Address[], hot: Address): string {
  const token = () => random.pick(tokens);
  const some = (count: number) => Array.from({ length: count }, token).join(',');
  const paths = [
    () => `/prices?mints=${some(PRICED)}`,
    () => `/tokens/batch?mints=${some(BATCH)}`,
    () => `/mempool-buyers?days=${random.between(1, MAX_DAYS)}`,
    () => `/tokens/${token()}/pack`,
    () => `/tokens/${token()}/intelligence`,
    () => `/tokens/${hot}/traders?limit=${random.between(1, 500)}`,
    () => `/tokens/${hot}/launch-race?slots=${random.between(2, 30)}`,
    () => `/tokens?status=graduated&sort=last_trade&limit=${random.between(1, 500)}`,
  ];
  return random.pick(paths)();
}
