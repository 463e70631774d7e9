import type { Address } from '../../chain/address.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readFundedBuyers, walletLabel } from '../movements/funded-buyer-reads.ts';
import { type FirstFundingRow, readFirstFundings } from '../movements/funding-reads.ts';
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
  readonly holdings: Holdings;
  readonly facts: LaunchFacts;
  readonly mark: number;
  /** First buyers that are looked at beside the wallets that are listed. */
  readonly mostBuyers: number;
}

/** Of the wallets that are listed, of the first buyers and of the creator. */
export async function readMoney(client: StoreClient, question: MoneyQuestion): Promise<KnownMoney> {
  const { holdings, facts, mark } = question;
  const { creator } = facts.analysis;
  const wallets = askedWallets(question);
  const buyers = [...wallets].filter(
    ([wallet]) => wallet !== creator && (holdings.walletBalances.get(wallet)?.bought ?? 0n) > 0n,
  );
  const asked = new Set(creator === undefined ? wallets.keys() : [...wallets.keys(), creator]);
  const [funded, first] = await Promise.all([
    readFundedBuyers(
      client,
      buyers.map(([wallet, slot]) => ({ wallet, slot })),
      creator,
      mark,
    ),
    readFirstFundings(client, [...asked], mark),
  ]);
  const fundings = new Map<Address, WalletFunding>();
  for (const [wallet, funding] of first) fundings.set(wallet, fundingOf(funding, wallets.get(wallet) ?? mark));
  return { fundings, clusters: clusterByFunder(funded.buyers, funded.context) };
}

/** Wallets with the slot of their first trade; the mark's where they never traded. */
function askedWallets({ holdings, facts, mark, mostBuyers }: MoneyQuestion): Map<Address, number> {
  const first = firstBuys(facts.launch?.swaps ?? []);
  const asked = new Map<Address, number>();
  for (const walletBalance of rankWallets(holdings.walletBalances.values(), holdings.isTold, first, MAX_WALLETS)) {
    asked.set(walletBalance.wallet, firstSlotOf(walletBalance) ?? mark);
  }
  for (const [wallet, { slot }] of [...first].slice(0, mostBuyers)) {
    if (!asked.has(wallet)) asked.set(wallet, slot);
  }
  return asked;
}

/** Funding of a wallet; without a funder when it came after the first trade, for which it did not pay. */
function fundingOf(row: FirstFundingRow, firstSlot: number): WalletFunding {
  if (row.slot > firstSlot) return { funder: undefined, label: undefined, madeAt: undefined };
  return {
    funder: row.funder,
    label: walletLabel(row.funder),
    madeAt: row.created_account && row.time > 0 ? row.time : undefined,
  };
}
