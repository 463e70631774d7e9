import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { TOKEN_CREATIONS } from '../store/clickhouse/tables.ts';
import { defineRowQuery } from '../store/query.ts';
import type { ListedToken } from './market-reads.ts';
import { LATEST_COLUMNS, MILESTONE_COLUMNS, milestoneFacts } from './token-facts.ts';

const mints = Type.Array(Type.String());
const params = Type.Object({ mints });

const creations = defineRowQuery({
  sql: new URL('./list-creations.sql', import.meta.url),
  params,
  layout: TOKEN_CREATIONS,
});

const milestones = defineRowQuery({
  sql: new URL('./list-milestones.sql', import.meta.url),
  params,
  layout: { name: 'list_milestones', columns: { ...MILESTONE_COLUMNS, mint: 'address' } },
});

const latest = defineRowQuery({
  sql: new URL('./list-latest.sql', import.meta.url),
  params,
  layout: { name: 'list_latest', columns: { mint: 'address', ...LATEST_COLUMNS, priced: 'bool' } },
});

const hour = defineRowQuery({
  sql: new URL('./list-hour.sql', import.meta.url),
  params: Type.Object({ mints, since: Type.Integer() }),
  layout: {
    name: 'list_hour',
    columns: { mint: 'address', quote_mint: 'address', trades: 'u32', volume: 'i128' },
  },
});

const earlierPrices = defineRowQuery({
  sql: new URL('./list-earlier-prices.sql', import.meta.url),
  params: Type.Object({ mints, before: Type.Integer() }),
  layout: { name: 'list_earlier_prices', columns: { mint: 'address', quote_mint: 'address', price: 'f64' } },
});

const traders = defineRowQuery({
  sql: new URL('./list-traders.sql', import.meta.url),
  params,
  layout: { name: 'list_traders', columns: { mint: 'address', traders: 'u32' } },
});

/** What a list row says of each mint, in the order given: six reads, each over the mints of the page alone. */
export async function readListedTokens(
  client: StoreClient,
  listed: readonly Address[],
  hourStart: number,
): Promise<readonly ListedToken[]> {
  if (listed.length === 0) return [];
  const ofMints = { mints: [...listed] };
  const [born, news, swaps, hours, earlier, counts] = await Promise.all([
    creations(client, ofMints).then(byMint),
    milestones(client, ofMints).then(byMint),
    latest(client, ofMints).then(byMint),
    hour(client, { ...ofMints, since: hourStart }).then(byMint),
    earlierPrices(client, { ...ofMints, before: hourStart }).then(byMint),
    traders(client, ofMints).then(byMint),
  ]);
  return listed.map((mint) => {
    // Of at most two, the newest: positions tell them apart.
    const newestFirst = (swaps.get(mint) ?? []).toSorted(
      (a, b) => b.slot - a.slot || b.block_index - a.block_index || b.ix_index - a.ix_index,
    );
    return {
      mint,
      facts: {
        creation: born.get(mint)?.[0],
        ...milestoneFacts(news.get(mint) ?? []),
        lastSwap: newestFirst[0],
        lastPriced: newestFirst.find(({ priced }) => priced),
      },
      hour: hours.get(mint) ?? [],
      earlier: earlier.get(mint) ?? [],
      traders: counts.get(mint)?.[0]?.traders ?? 0,
    };
  });
}

function byMint<T extends { readonly mint: Address | '' }>(rows: readonly T[]): ReadonlyMap<Address | '', T[]> {
  const groups = new Map<Address | '', T[]>();
  for (const row of rows) {
    const group = groups.get(row.mint);
    if (group === undefined) groups.set(row.mint, [row]);
    else group.push(row);
  }
  return groups;
}
