import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { worldMint } from '../../../test/support/token-world.ts';
import { WORLD_MINTS } from '../../../test/support/token-world-rows.ts';
import { openWorldStore, type WorldStore } from '../../../test/support/world-store.ts';
import { DEFAULT_BOOK_LIMITS } from '../../books/book-limits.ts';
import { createBookShelf } from '../../books/book-shelf.ts';
import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createLaunchAnswers } from '../launch/answers.ts';
import { createHolderAnswers } from './answers.ts';
import { createHolderStats } from './stats.ts';

const NOW = 1_790_000_000;
const clock: Clock = { now: () => NOW * 1000, elapsed: () => 0, sleep: () => new Promise(() => {}) };
/** Questions about wallets, as the store's log names them. */
const OF_WALLETS = /^(position|positions|holding|holdings|holders|traders|wallet)-/;

let opened: WorldStore;
beforeAll(async () => {
  opened = await openWorldStore(NOW, 1);
});
afterAll(() => opened?.close());

/** Answers that ask whether all is folded, and are told no some time later. */
function openAnswers() {
  const { client, feed } = opened;
  const asked = vi.spyOn(client, 'exec');
  const namesOf = () => asked.mock.calls.map(([{ clickhouse_settings: settings }]) => String(settings?.log_comment));
  const before: string[][] = [];
  const isWhole = async () => {
    await pause(30);
    before.push(namesOf().filter((name) => OF_WALLETS.test(name)));
    return false;
  };
  const shelf = createBookShelf({ feed, limits: DEFAULT_BOOK_LIMITS });
  const { sizes } = DEFAULT_BOOK_LIMITS;
  const stats = createHolderStats({ client, clock, feed, snapshots: undefined, isWhole });
  const deps = { client, clock, feed, shelf, isWhole };
  const holders = createHolderAnswers({ ...deps, sizes, stats, snapshots: undefined });
  const launch = createLaunchAnswers(deps);
  return { holders, launch, before, namesOf };
}

it.each([
  ['/holders', ({ holders }: Opened, mint: Address) => holders.holders(mint, 20)],
  ['/holders of many', ({ holders }: Opened, mint: Address) => holders.holders(mint, 500)],
  ['/holder-stats', ({ holders }: Opened, mint: Address) => holders.holderStats(mint)],
  ['/traders', ({ holders }: Opened, mint: Address) => holders.traders(mint, { sort: 'volume', limit: 20 })],
  ['/first-buyers', ({ launch }: Opened, mint: Address) => launch.firstBuyers(mint, 20)],
] as const)('%s asks whether all is folded before it reads wallets, and says that it is not', async (_route, ask) => {
  const mint = worldMint(WORLD_MINTS[0]!, 0);
  const answers = openAnswers();
  const answer = JSON.parse(String(await ask(answers, mint)));
  expect(answer.partial).toBe(true);
  expect(answers.before).toEqual([[]]);
  expect(answers.namesOf().filter((name) => OF_WALLETS.test(name)).length).toBeGreaterThan(0);
  vi.restoreAllMocks();
});

type Opened = ReturnType<typeof openAnswers>;
