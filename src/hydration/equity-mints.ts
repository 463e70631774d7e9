import type { Address } from '../chain/address.ts';
import { MAX_ACCOUNTS_PER_CALL } from '../chain/rpc/account-answers.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { type Alarm, createAlarms } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import { type LastKnown, withoutFaults } from '../kernel/last-known.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';
import { type MintAccount, readMint } from '../programs/spl-token/mint-account.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { isCut, readAccounts } from './account-batches.ts';

/** A mint as it was read last. */
export interface ReadMint extends Pick<MintAccount, 'supply' | 'decimals' | 'scaling'> {
  /** Unix milliseconds at which the node was asked. */
  readonly readAt: number;
}

/** The same as it is kept. */
export interface KeptMint extends ReadMint {
  readonly mint: Address;
  /** Of the answer that told of it. */
  readonly slot: number;
}

/** For metrics. */
export interface ReaderFigures {
  /** Milliseconds since it was told all that it asked for; undefined before the first time. */
  readonly ageMs: number | undefined;
  /** What failed since the start. */
  readonly failed: number;
}

/** Mints of tokenized shares, read again and again: issuers mint and burn, and scale amounts when shares split or pay. */
export interface EquityMints {
  /** As it was read last, however long ago and by whatever process; undefined until it was, and while it is no mint. */
  mintOf(mint: Address): ReadMint | undefined;
  readonly figures: ReaderFigures;
  alarms(): readonly Alarm[];
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

export interface EquityMintsDeps {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly mints: readonly Address[];
  /** Mints beyond this process; undefined where none are kept. */
  readonly kept?: LastKnown<KeptMint> | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Between two rounds over all mints: three calls for some three hundred. */
const REFRESH_MS = 300_000;
/** Pauses behind a round that failed, doubled from the first to the second. */
const PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;
/** For one call, the wait for a node that wants fewer of them included. */
const TIMEOUT_MS = 60_000;
/** Mints that were not read for so long are an alarm. */
const ALARM_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Reads at once, and again every five minutes until it is stopped. */
export function createEquityMints({ rpc, mints, clock, log, ...deps }: EquityMintsDeps): EquityMints {
  const stopping = new AbortController();
  const { signal } = stopping;
  const known = new Map<Address, ReadMint>();
  /** Slot of the newest answer that told of a mint, or that there is none. */
  const readSlots = new Map<Address, number>();
  const backoff = createBackoff({ baseMs: PAUSE_MS, maxMs: MAX_PAUSE_MS });
  const alarms = createAlarms({ clock, log });
  const kept = withoutFaults(deps.kept, { log, what: 'mints of equities' });
  const startedAt = clock.elapsed();
  /** Monotonic time at which all mints had been read. */
  let wholeAt: number | undefined;
  let failed = 0;

  async function remember(): Promise<void> {
    for (const { mint, slot, ...read } of await kept.load()) {
      if (!mints.includes(mint)) continue;
      known.set(mint, read);
      readSlots.set(mint, slot);
    }
  }

  /** Those that were read since a time, Unix milliseconds. */
  function readSince(began: number): KeptMint[] {
    return [...known].flatMap(([mint, read]) =>
      read.readAt < began ? [] : [{ ...read, mint, slot: readSlots.get(mint) ?? 0 }],
    );
  }

  async function readSome(some: readonly Address[]): Promise<void> {
    const readAt = clock.now();
    const newest = Math.max(0, ...some.map((mint) => readSlots.get(mint) ?? 0));
    const bounds = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const { accounts, slot } = await readAccounts(rpc, some, bounds, newest);
    // Behind one address may stand several nodes, some of them behind the others: what they tell was before.
    if (slot < newest) throw new Error(`a node told of slot ${slot}, behind ${newest}`);
    for (const mint of some) {
      readSlots.set(mint, slot);
      const account = accounts.get(mint);
      const isToken = account?.owner === TOKEN_PROGRAM || account?.owner === TOKEN_2022_PROGRAM;
      const read = isToken ? readMint(account.data, { isCut: isCut(account) }) : undefined;
      // Issuers close mints of shares that they give up.
      if (read === undefined) known.delete(mint);
      else known.set(mint, { supply: read.supply, decimals: read.decimals, scaling: read.scaling, readAt });
    }
  }

  /** One call after the other; those that a node refuses keep none of the others back. */
  async function readAll(): Promise<unknown> {
    let fault: unknown;
    for (let at = 0; at < mints.length && !signal.aborted; at += MAX_ACCOUNTS_PER_CALL) {
      try {
        await readSome(mints.slice(at, at + MAX_ACCOUNTS_PER_CALL));
      } catch (error) {
        fault = error;
      }
    }
    return fault;
  }

  async function run(): Promise<void> {
    await remember();
    while (!signal.aborted) {
      const began = clock.now();
      const fault = await readAll();
      if (signal.aborted) return;
      await kept.keep(readSince(began));
      if (fault === undefined) {
        if (backoff.failures > 0) log.info({ code: 'equity_mints_recovered' }, 'mints of equities are read again');
        backoff.reset();
        wholeAt = clock.elapsed();
        await clock.sleep(REFRESH_MS, signal);
        continue;
      }
      failed += 1;
      const fields = { code: 'equity_mints_failed', err: String(fault), failures: backoff.failures + 1 };
      if (backoff.failures === 0) log.warn(fields, 'mints of equities could not be read: their supply is of before');
      else log.debug(fields, 'mints of equities could not be read again');
      // A slot that no node comes to was none: after an hour of refusals whatever is told is taken again.
      if (unreadMs() >= ALARM_MS) readSlots.clear();
      await clock.sleep(backoff.next(), signal);
    }
  }

  const unreadMs = () => clock.elapsed() - (wholeAt ?? startedAt);
  const running = run();
  return {
    mintOf: (mint) => known.get(mint),
    get figures() {
      return { ageMs: wholeAt === undefined ? undefined : clock.elapsed() - wholeAt, failed };
    },
    alarms() {
      const age = unreadMs();
      const minutes = Math.floor(age / MINUTE_MS);
      const message = `not all mints of equities were read for ${minutes} minutes: their supply may be of before`;
      alarms.set('equity_mints_unread', age >= ALARM_MS ? message : undefined);
      return alarms.list();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
