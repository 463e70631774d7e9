import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Ledger } from './ledger.ts';
import type { MeteredPool } from './metered-pool.ts';
import type { PoolSettlement } from './settlement-maker.ts';
import type { SettlementResults } from './settlement-sender.ts';
import { isRefusal } from './write-settlement.ts';
import type { WriteWatch } from './write-watch.ts';

export interface DueRenewalsOptions {
  readonly accounts: AccountsDatabase;
  readonly ledger: Ledger;
  readonly log: Logger;
  readonly writing: WriteWatch;
  /** Told of each pool whose renewal was tried: it asks again. */
  readonly tried: (pool: MeteredPool) => void;
}

/** Renews the accounts of which a settlement found that their period is over. */
export async function renewDue(
  options: DueRenewalsOptions,
  settlement: PoolSettlement,
  results: SettlementResults,
): Promise<void> {
  const due = settlement.items.filter((_item, index) => results[index]?.due === true);
  for (const accountId of new Set(due.map((item) => item.accountId))) {
    const isRenewed = await renew(options, accountId);
    for (const { pool } of due) {
      if (pool.accountId !== accountId) continue;
      if (!isRenewed) pool.renewalTried();
      options.tried(pool);
    }
  }
}

/** False when the database refuses it. */
async function renew({ accounts, ledger, log, writing }: DueRenewalsOptions, accountId: number): Promise<boolean> {
  try {
    return await writing.during(() =>
      accounts.db.transaction().execute((transaction) => ledger.renew(transaction, accountId)),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.error({ account: accountId, err: String(error) }, 'an account cannot be renewed: the database refuses it');
    return false;
  }
}
