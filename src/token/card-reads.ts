import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { FILL_STEPS } from '../store/clickhouse/schema/codes.ts';
import { defineQuery, defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { byMint } from './by-mint.ts';
import { CARD_LAYOUT, type CardFacts, cardFacts } from './card.ts';
import type { TokenFacts } from './facts.ts';
import { readHydratedTokens, readLearntDecimals } from './hydrated-reads.ts';
import { readMarkets } from './market-reads.ts';

const cards = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./token-card.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: CARD_LAYOUT,
});

const fillSteps = defineQuery({
  sql: new URL('./fill-steps.sql', import.meta.url),
  params: Type.Object({}),
  row: Type.Object({ steps: Type.Integer() }),
});

/** Stores whose cards are filled: what is filled stays so while a service runs. */
const filled = new WeakSet<StoreClient>();

/** True once the store has the cards of all its tokens; until then those who ask read the facts themselves. */
export async function hasCards(client: StoreClient): Promise<boolean> {
  if (filled.has(client)) return true;
  const [row] = await fillSteps(client, {});
  if (row === undefined || row.steps < FILL_STEPS) return false;
  filled.add(client);
  return true;
}

/**
 * Facts of some mints at slot `mark` out of their cards, without their documents: one read, one more where a creation was
 * not seen, and one where nothing prices. Mints whose card is past the mark are left out.
 */
export async function readCards(
  client: StoreClient,
  mints: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address, TokenFacts>> {
  const rows = byMint(await cards(client, { mints: [...mints] }));
  const told = new Map<Address, CardFacts>();
  for (const mint of mints) {
    const facts = cardFacts(rows.get(mint) ?? [], mark);
    if (facts !== undefined) told.set(mint, facts);
  }
  const lacking = (isLacking: (facts: CardFacts) => boolean) =>
    [...told].flatMap(([mint, facts]) => (isLacking(facts) ? [mint] : []));
  const [hydrated, markets, learnt] = await Promise.all([
    readHydratedTokens(
      client,
      lacking(({ creation }) => creation === undefined),
    ),
    readMarkets(
      client,
      lacking(({ lastSwap, lastPriced }) => lastSwap !== undefined && lastPriced === undefined),
    ),
    withDecimals(client, told),
  ]);
  return new Map(
    Array.from(learnt, ([mint, facts]) => {
      const accounts = hydrated.get(mint);
      return [mint, { ...facts, markets: markets.get(mint), ...(accounts && { hydrated: accounts }) }];
    }),
  );
}

/** The same with decimals of swaps and highs that were learnt since, of all mints by one read. */
async function withDecimals(
  client: StoreClient,
  told: ReadonlyMap<Address, CardFacts>,
): Promise<ReadonlyMap<Address, CardFacts>> {
  const rows = [...told].flatMap(([mint, { lastSwap, lastPriced, highs }]) =>
    [lastSwap, lastPriced, ...highs].flatMap((row) => (row === undefined ? [] : [[mint, row] as const])),
  );
  const learn = await readLearntDecimals(client, rows);
  return new Map(
    Array.from(told, ([mint, facts]) => [
      mint,
      {
        ...facts,
        lastSwap: facts.lastSwap && learn(mint, facts.lastSwap),
        lastPriced: facts.lastPriced && learn(mint, facts.lastPriced),
        highs: facts.highs.map((high) => learn(mint, high)),
      },
    ]),
  );
}
