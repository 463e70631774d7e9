import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { exchangeWallet, feeWallet, institution } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery } from '../../store/query.ts';
import { readFirstFundings } from './funding-reads.ts';
import type { FundedBuyer, FunderProfile, FundingContext } from './funding-rules.ts';
import { groupBy } from './group-by.ts';

const activity = defineRowQuery({
  sql: new URL('./funder-activity.sql', import.meta.url),
  params: Type.Object({ funders: Type.Array(Type.String()), mark: Type.Integer(), limit: Type.Integer() }),
  layout: { name: 'funder_activity', columns: { funder: 'account', wallets: 'u32', busiest_day: 'u32' } },
});

/** Name that the registry's lists have for a wallet; undefined for nobody in particular. */
export function walletLabel(wallet: Address): string | undefined {
  return exchangeWallet(wallet)?.label ?? institution(wallet)?.name ?? feeWallet(wallet)?.platform;
}

/**
 * Wallets with the funding that came first of what is known and not after their
 * first buy, and what is known of the funders: what `clusterByFunder` asks for. Three reads.
 */
export async function readFundedBuyers(
  client: StoreClient,
  wallets: readonly { readonly wallet: Address; readonly slot: number }[],
  creator: Address | undefined,
  mark: number,
): Promise<{ readonly buyers: readonly FundedBuyer[]; readonly context: FundingContext }> {
  const asked = wallets.map(({ wallet }) => wallet);
  const fundings = await readFirstFundings(client, creator === undefined ? asked : [...asked, creator], mark);
  const buyers = wallets.map(({ wallet, slot }): FundedBuyer => {
    const funding = fundings.get(wallet);
    // Funding that came after the first buy did not pay for it.
    if (funding === undefined || funding.slot > slot) {
      return { wallet, funder: undefined, amount: 0n, time: 0 };
    }
    return { wallet, funder: funding.funder, amount: funding.amount, time: funding.time };
  });
  const creatorFunder = (creator !== undefined && fundings.get(creator)?.funder) || undefined;
  const profiles = await readProfiles(client, possibleClusters(buyers, creator), mark);
  return { buyers, context: { creator, creatorFunder, profiles } };
}

/** Funders that could link anybody: of several buyers, of one and itself among them, or the creator. */
function possibleClusters(buyers: readonly FundedBuyer[], creator: Address | undefined): Address[] {
  const wallets = new Set(buyers.map(({ wallet }) => wallet));
  return [...groupBy(buyers, ({ funder }) => funder)].flatMap(([funder, funded]) =>
    funder !== undefined && (funded.length > 1 || wallets.has(funder) || funder === creator) ? [funder] : [],
  );
}

async function readProfiles(
  client: StoreClient,
  funders: readonly Address[],
  mark: number,
): Promise<ReadonlyMap<Address, FunderProfile>> {
  // A listed wallet is public however many wallets it made, and exchanges made millions.
  const nameless = funders.filter((funder) => walletLabel(funder) === undefined);
  const rows = nameless.length === 0 ? [] : await activity(client, { funders: nameless, mark, limit: nameless.length });
  const made = new Map(rows.map((row) => [row.funder, row]));
  return new Map(
    funders.map((funder) => {
      const { wallets = 0, busiest_day = 0 } = made.get(funder) ?? {};
      return [funder, { label: walletLabel(funder), wallets, busiestDay: busiest_day }];
    }),
  );
}
