import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { TOKEN_CREATIONS } from '../store/clickhouse/schema/tables.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';
import { byMint } from './by-mint.ts';
import { hasCards, readCards } from './card-reads.ts';
import type { TokenFacts } from './facts.ts';
import { LATEST_COLUMNS, MILESTONE_COLUMNS, milestoneFacts } from './facts-reads.ts';
import { readHydratedTokens, withLearntDecimals } from './hydrated-reads.ts';
import { readHighs, readMarkets } from './market-reads.ts';

const mints = Type.Array(Type.String());
const params = Type.Object({ mints });
const marked = Type.Object({ mints, mark: Type.Integer() });

const creations = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-creations.sql', import.meta.url),
  params: marked,
  layout: TOKEN_CREATIONS,
});

const milestones = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-milestones.sql', import.meta.url),
  params: marked,
  layout: { name: 'list_milestones', columns: { ...MILESTONE_COLUMNS, mint: 'account' } },
});

const latest = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-latest.sql', import.meta.url),
  params,
  layout: { name: 'list_latest', columns: { mint: 'account', ...LATEST_COLUMNS, priced: 'bool' } },
});

/** Facts of each mint, without its document, in the order given: out of their cards, and for those that are past the mark out of the facts. */
export async function readFactsOfMints(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  if (!(await hasCards(client))) return readWithoutCards(client, listed, mark);
  const told = await readCards(client, listed, mark);
  const ahead = listed.filter((mint) => !told.has(mint));
  const read = ahead.length === 0 ? [] : await readWithoutCards(client, ahead, mark);
  const facts = new Map([...told, ...ahead.map((mint, place) => [mint, read[place]!] as const)]);
  return listed.map((mint) => facts.get(mint)!);
}

async function readWithoutCards(
  client: StoreClient,
  listed: readonly Address[],
  mark: number,
): Promise<readonly TokenFacts[]> {
  const ofMints = { mints: [...listed] };
  const [born, news, swaps, highs] = await Promise.all([
    creations(client, { ...ofMints, mark }).then(byMint),
    milestones(client, { ...ofMints, mark }).then(byMint),
    latest(client, ofMints)
      .then((rows) => withLearntDecimals(client, rows, ({ mint }) => mint))
      .then(byMint),
    readHighs(client, listed),
  ]);
  const [hydrated, markets] = await Promise.all([
    readHydratedTokens(
      client,
      listed.filter((mint) => !born.has(mint)),
    ),
    readMarkets(
      client,
      listed.filter((mint) => swaps.has(mint) && !swaps.get(mint)?.some(({ priced }) => priced)),
    ),
  ]);
  return listed.map((mint) => {
    // Of at most two, the newest: positions tell them apart.
    const newestFirst = (swaps.get(mint) ?? []).toSorted(
      (a, b) => b.slot - a.slot || b.block_index - a.block_index || b.ix_index - a.ix_index,
    );
    return {
      creation: born.get(mint)?.[0],
      ...milestoneFacts(news.get(mint) ?? []),
      lastSwap: newestFirst[0],
      lastPriced: newestFirst.find(({ priced }) => priced),
      highs: highs.get(mint) ?? [],
      markets: markets.get(mint),
      hydrated: hydrated.get(mint),
    };
  });
}
