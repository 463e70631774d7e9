import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { exchangeWallet, feeWallet, institution } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { defineRowQuery } from '../../store/query.ts';
import { type FirstTrade, readFirstFundings, readFundingsBefore } from './funding-reads.ts';
import type { FundedBuyer, FunderProfile, FundingContext } from './funding-rules.ts';
import { groupBy } from './group-by.ts';
import { isSurelyBefore } from './place-rules.ts';

const activity = defineRowQuery({
  sql: new URL('./funder-activity.sql', import.meta.url),
  params: Type.Object({ funders: Type.Array(Type.String()), mark: Type.Integer(), limit: Type.Integer() }),
  layout: { name: 'funder_activity', columns: { funder: 'account', wallets: 'u32', busiest_day: 'u32' } },
});

/** Name that the registry's lists have for a wallet; undefined for nobody in particular. */
export function walletLabel(wallet: Address): string | undefined {
  return exchangeWallet(wallet)?.label ?? institution(wallet)?.name ?? feeWallet(wallet)?.platform;
}

/** Buyers of a token, and the launch that they may have to do with. */
export interface BuyersQuestion {
  readonly mint: Address;
  /** Each with the slot of its first trade. */
  readonly wallets: readonly FirstTrade[];
  /** Undefined while nobody saw it. */
  readonly creation: TokenCreationRow | undefined;
  readonly mark: number;
}

/**
 * Wallets with the funding that came first of what is known and before their first trade, and
 * what is known of the funders: what `clusterByFunder` asks for. Four reads at most.
 */
export async function readFundedBuyers(
  client: StoreClient,
  { mint, wallets, creation, mark }: BuyersQuestion,
): Promise<{ readonly buyers: readonly FundedBuyer[]; readonly context: FundingContext }> {
  const creator = creation?.creator || undefined;
  const [fundings, ofCreator] = await Promise.all([
    readFundingsBefore(client, mint, wallets, mark),
    readFirstFundings(client, creator === undefined ? [] : [creator], mark),
  ]);
  const buyers = wallets.map(({ wallet }): FundedBuyer => {
    const { funder, amount = 0n, time = 0 } = fundings.get(wallet) ?? {};
    return { wallet, funder, amount, time };
  });
  const ofLaunch = creator === undefined ? undefined : ofCreator.get(creator);
  const paidForLaunch = creation !== undefined && ofLaunch !== undefined && isSurelyBefore(ofLaunch, creation);
  const creatorFunder = paidForLaunch ? ofLaunch.funder : undefined;
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
