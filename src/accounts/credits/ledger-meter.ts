import type { Alarm } from '../../kernel/alarms.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { AccountsDatabase } from '../../store/accounts-db/accounts-db.ts';
import type { Plans } from '../plans.ts';
import type { CreditMeter } from './credit-meter.ts';

export interface LedgerMeterOptions {
  readonly accounts: AccountsDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  /** False counts what calls cost and refuses nothing. */
  readonly enforce: boolean;
  readonly plans: Plans;
  /** Names this process among those on the database; another one each time it starts. */
  readonly holder: string;
}

/** The meter of a process on the accounts database. */
export interface LedgerMeter extends CreditMeter {
  /** Writes everything that was settled until now. Rejects when it cannot be written; it is tried again by itself. */
  flush(): Promise<void>;
  /** Writes everything and gives all leases back. Never rejects: what cannot be written in time is lost, and logged. */
  close(): Promise<void>;
  /** Forgets what it knows of an account's credits, because somebody changed them: listen to changes and call it. */
  refresh(accountId: number): void;
  /** What is wrong now. */
  alarms(): readonly Alarm[];
}
