import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import { readFundedBuyers, walletLabel } from '../movements/funded-buyer-reads.ts';
import { type FirstFundingRow, type FirstTrade, readFundingsBefore } from '../movements/funding-reads.ts';
import { clusterByFunder, type FunderCluster } from '../movements/funding-rules.ts';
import { MAX_WALLETS } from './contract-limits.ts';
import type { Holdings, LaunchFacts } from './intelligence-rules.ts';
import type { WalletFunding } from './rule-rows.ts';
import { firstBuys } from './sniper-rules.ts';
import { firstSlotOf, rankWallets } from './wallet-rules.ts';

/** Sources of the first money of a token's wallets. */
export interface KnownMoney {
  readonly fundings: ReadonlyMap<Address, WalletFunding>;
  readonly clusters: readonly FunderCluster[];
}

export interface MoneyQuestion {
  readonly mint: Address;
  /** Undefined while nobody saw it. */
  readonly creation: TokenCreationRow | undefined;
  readonly holdings: Holdings;
  readonly facts: LaunchFacts;
  readonly mark: number;
  /** First buyers that are looked at beside the wallets that are listed. */
  readonly mostBuyers: number;
}

/** Of the wallets that are listed, of the first buyers and of the creator. */
export async function readMoney(client: StoreClient, question: MoneyQuestion): Promise<KnownMoney> {
  const { mint, holdings, creation, mark } = question;
  const wallets = askedWallets(question);
  const buyers = wallets.filter(
    ({ wallet }) => wallet !== creation?.creator && (holdings.walletBalances.get(wallet)?.bought ?? 0n) > 0n,
  );
  const [funded, first] = await Promise.all([
    readFundedBuyers(client, { mint, wallets: buyers, creation, mark }),
    readFundingsBefore(client, mint, wallets, mark),
  ]);
  const fundings = new Map(
    [...first].map(([wallet, funding]): [Address, WalletFunding] => [wallet, fundingOf(funding)]),
  );
  return { fundings, clusters: clusterByFunder(funded.buyers, funded.context) };
}

/** Wallets with the slot of their first trade; undefined where they never traded. */
function askedWallets({ holdings, facts, creation, mostBuyers }: MoneyQuestion): FirstTrade[] {
  const first = firstBuys(facts.launch?.swaps ?? []);
  const asked = new Map<Address, number | undefined>();
  for (const walletBalance of rankWallets(holdings.walletBalances.values(), holdings.isTold, first, MAX_WALLETS)) {
    asked.set(walletBalance.wallet, firstSlotOf(walletBalance));
  }
  for (const [wallet, { slot }] of [...first].slice(0, mostBuyers)) {
    if (!asked.has(wallet)) asked.set(wallet, slot);
  }
  const creator = creation?.creator ?? '';
  if (creator !== '' && !asked.has(creator)) asked.set(creator, undefined);
  return Array.from(asked, ([wallet, slot]) => ({ wallet, slot }));
}

function fundingOf(row: FirstFundingRow): WalletFunding {
  return {
    funder: row.funder,
    label: walletLabel(row.funder),
    madeAt: row.created_account && row.time > 0 ? row.time : undefined,
  };
}
