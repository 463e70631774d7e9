import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import type { KeptMint } from '../hydration/equity-mints.ts';
import { EQUITIES } from '../programs/registry/index.ts';
import { runStatement } from '../store/clickhouse/client.ts';
import { keptCloses, keptMints } from './kept-equities.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const [first, second, third] = EQUITIES.map(({ mint }) => mint) as [
  KeptMint['mint'],
  KeptMint['mint'],
  KeptMint['mint'],
];
const READ_AT = Date.UTC(2026, 10, 25, 12, 0, 0, 123);
const scaling = { multiplier: 1.0026, nextMultiplier: 10, nextFrom: -7n };

describe('what was told of tokenized shares', () => {
  it('is kept of mints as they were read last, all that it says of scaled amounts', async () => {
    const { load, keep } = keptMints(test.store.client);
    const read = { supply: 2n ** 64n - 1n, decimals: 8, readAt: READ_AT, slot: 2 ** 40 };
    const mints: KeptMint[] = [
      { ...read, mint: first, scaling },
      { ...read, mint: second, scaling: undefined },
      { ...read, mint: third, scaling: 'unknown' },
    ];
    await keep(mints);
    await keep([{ ...mints[0]!, supply: 5n, readAt: READ_AT + 1 }]);
    const byMint = (list: readonly KeptMint[]) => new Map(list.map((each) => [each.mint, each]));
    expect(byMint(await load())).toEqual(
      byMint([{ ...mints[0]!, supply: 5n, readAt: READ_AT + 1 }, ...mints.slice(1)]),
    );
  });

  it('is kept of closes by who told them, the newest of each share', async () => {
    const [one, other] = ['exchange.example', 'else.example'].map((name) => keptCloses(test.store.client, name));
    await one!.keep([
      { ticker: 'AAPL', usd: 267.441234, date: '2026-11-24' },
      { ticker: 'BRK.B', usd: 500, date: '2026-11-24' },
    ]);
    await one!.keep([{ ticker: 'AAPL', usd: 268, date: '2026-11-25' }]);
    await one!.keep([{ ticker: 'AAPL', usd: 267.441234, date: '2026-11-24' }]);
    await other!.keep([{ ticker: 'AAPL', usd: 1, date: '2026-11-26' }]);
    await runStatement(test.store.client, 'OPTIMIZE TABLE share_closes FINAL');
    const told = (await one!.load()).toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1));
    expect(told).toEqual([
      { ticker: 'AAPL', usd: 268, date: '2026-11-25' },
      { ticker: 'BRK.B', usd: 500, date: '2026-11-24' },
    ]);
    expect(await keptCloses(test.store.client, 'nobody').load()).toEqual([]);
  });
});
