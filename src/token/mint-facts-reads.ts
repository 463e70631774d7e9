import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { RowOf } from '../store/clickhouse/schema/table-layout.ts';
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

const LATEST = { name: 'list_latest', columns: { mint: 'account', ...LATEST_COLUMNS, priced: 'bool' } } as const;

const latest = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-latest.sql', import.meta.url),
  params,
  layout: LATEST,
});

const latestBefore = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./list-latest-before.sql', import.meta.url),
  params: Type.Object({ ...marked.properties, since: Type.Integer() }),
  layout: LATEST,
});

/** Slots before the mark in which the swaps before it are looked for: of whoever trades now, hardly ever more than the first. */
const REACHES = [10_000, 1_000_000, Number.POSITIVE_INFINITY];

/** Facts of each mint at a slot, without its document, in the order given: out of their cards, and for those that are past the mark out of the facts. */
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
    readLatest(client, listed, mark)
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
    // Of at most two, the newest.
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

/** The newest swap of each mint at a slot, and the newest that prices it, in any order; one alone where they are the same. */
async function readLatest(client: StoreClient, ofMints: readonly Address[], mark: number): Promise<LatestRow[]> {
  const rows = await latest(client, { mints: [...ofMints] });
  const ahead = new Set(rows.flatMap(({ mint, slot }) => (slot > mark ? [mint] : [])));
  const found = rows.filter(({ mint }) => !ahead.has(mint));
  let open = ofMints.filter((mint) => ahead.has(mint));
  for (const reach of REACHES) {
    if (open.length === 0) break;
    const since = Math.max(0, mark - reach);
    const before = byMint(await latestBefore(client, { mints: open, mark, since }));
    const isTold = (mint: Address) => since === 0 || before.get(mint)?.some(({ priced }) => priced) === true;
    for (const mint of open) if (isTold(mint)) found.push(...(before.get(mint) ?? []));
    open = open.filter((mint) => !isTold(mint));
  }
  return found;
}

type LatestRow = RowOf<typeof LATEST>;
