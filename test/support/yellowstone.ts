import { afterEach } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { BlockSource, ChainStep } from '../../src/sources/source.ts';
import { createYellowstoneSource, type YellowstoneSourceOptions } from '../../src/sources/yellowstone.ts';
import { type GeyserServer, type Subscription, startGeyserServer } from './geyser-server.ts';

const servers: GeyserServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

export type Handler = (subscription: Subscription, connection: number) => unknown;

/** A server for this test alone; `handler` is told which connection it is, from 1 on. */
export async function serve(handler: Handler, identity?: Parameters<typeof startGeyserServer>[1]): Promise<string> {
  let connections = 0;
  const server = await startGeyserServer((subscription) => {
    connections += 1;
    handler(subscription, connections);
  }, identity);
  servers.push(server);
  return server.url;
}

/** Waits between connections last no time. */
export function sourceOf(url: string, more: Partial<YellowstoneSourceOptions> = {}): BlockSource {
  return createYellowstoneSource({
    url,
    token: undefined,
    clock: { ...systemClock, sleep: () => systemClock.sleep(1) },
    log: silentLogger,
    journal: failingJournal,
    ...more,
  });
}

/** Reads until `isEnough`, then aborts. */
export async function follow(
  source: BlockSource,
  fromSlot: number | undefined,
  isEnough: (steps: readonly ChainStep[]) => boolean,
): Promise<ChainStep[]> {
  const controller = new AbortController();
  const steps: ChainStep[] = [];
  for await (const step of source.steps({ fromSlot, signal: controller.signal })) {
    steps.push(step);
    if (isEnough(steps)) controller.abort();
  }
  return steps;
}

/** The slots of so many blocks. */
export async function take(
  url: string,
  enough: number,
  fromSlot?: number,
  more: Partial<YellowstoneSourceOptions> = {},
): Promise<number[]> {
  const steps = await follow(sourceOf(url, more), fromSlot, ({ length }) => length === enough);
  return steps.map((step) => (step.kind === 'block' ? step.block.slot : -1));
}

/** Steps in a few words each. */
export const brief = (steps: readonly ChainStep[]) =>
  steps.map((step) =>
    step.kind === 'block'
      ? `${step.confirmed ? 'block' : 'unconfirmed'} ${step.block.slot}`
      : `${step.kind} ${step.slot}`,
  );
