import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFactsMaker } from '../../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { compareMints } from '../../../facts/fold-mints.ts';
import { compareMovements, type Movement, movementsOf } from '../../../facts/movements.ts';
import { streamAllMovements } from './movements.ts';

let test: TestStore;
const expected: Movement[] = [];
beforeAll(async () => {
  test = await openTestStore();
  const maker = createFactsMaker({ seed: 21, swapsPerBlock: 20, mints: 30 });
  const facts = Array.from({ length: 150 }, () => maker.next());
  await test.store.writer.flush(facts.map((each) => maker.toBatch(each)));
  const traded = new Set(facts.flatMap(({ swaps }) => swaps.map(({ mint }) => mint)));
  expected.push(...facts.flatMap((each) => movementsOf(each)).filter(({ mint }) => traded.has(mint)));
  expected.sort((a, b) => compareMints(a.mint, b.mint) || compareMovements(a, b));
});
afterAll(() => test.close());

async function collect(options: Parameters<typeof streamAllMovements>[1]): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const piece of streamAllMovements(test.store.client, options)) found.push(...piece);
  return found.sort((a, b) => compareMints(a.mint, b.mint) || compareMovements(a, b));
}

describe('all movements of a store', () => {
  it.each([
    [50_000, 500_000],
    [40, 500_000],
    [40, 7],
    [1_000, 1],
  ])('are the same in pages of %i rows and ranges of %i mints, in order', async (pageRows, mintsAtOnce) => {
    expect(expected.length).toBeGreaterThan(200);
    expect(await collect({ pageRows, mintsAtOnce })).toEqual(expected);
    let before: Movement | undefined;
    for await (const piece of streamAllMovements(test.store.client, { pageRows, mintsAtOnce })) {
      for (const movement of piece) {
        if (before !== undefined) {
          expect(compareMints(before.mint, movement.mint) || before.slot - movement.slot).toBeLessThanOrEqual(0);
        }
        before = movement;
      }
    }
  });

  it('never come in an answer that has all of them', async () => {
    const { client } = test.store;
    const asked = vi.spyOn(client, 'exec');
    await collect({ pageRows: 40 });
    const queries = asked.mock.calls
      .map(([{ query }]) => query)
      .filter((query) => query.includes('unexplained_deltas'));
    asked.mockRestore();
    expect(queries.length).toBeGreaterThan(expected.length / 40);
    // Of none of the six sides either.
    for (const query of queries) expect(query.match(/LIMIT 40\b/g)).toHaveLength(7);
  });
});
