import type { Address } from '../chain/address.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { RpcError } from '../sources/rpc-errors.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { FUNDING_LOOKUPS, type FundingLookupRow } from '../store/clickhouse/schema/background-tables.ts';
import { appendRows } from '../store/clickhouse/write/append-rows.ts';
import { runPasses } from './passes.ts';
import { findWalletOrigin, type WalletOrigin } from './wallet-history.ts';
import { findWalletsWanted, readNewestSlot } from './wanted.ts';

export interface FundingLookupDeps {
  readonly client: StoreClient;
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
}

export interface FundingLookup {
  /** Looks up some wallets of those met lately. Returns how many. */
  pass(signal: AbortSignal): Promise<number>;
  /** Passes until the signal aborts. Trouble is logged and passes. */
  run(signal: AbortSignal): Promise<void>;
}

/** Wallets in one pass: each takes from two to six calls. */
export const WALLETS_PER_PASS = 20;
/** About an hour: who was not looked up by then was one of too many. */
const MET_WITHIN_SLOTS = 18_000;
/** A node that keeps more may stand behind the same URL one day. */
const NOT_KEPT_RETRY_SECONDS = 7 * 86_400;
const REFUSED_RETRY_SECONDS = 3_600;

/**
 * Finds the funders of wallets that were there before us, in the chain's history. Those that it does not tell stay
 * unknown.
 */
export function createFundingLookup(deps: FundingLookupDeps): FundingLookup {
  const { client, clock, log } = deps;

  async function pass(signal: AbortSignal): Promise<number> {
    const now = Math.floor(clock.now() / 1_000);
    const after = Math.max(0, (await readNewestSlot(client)) - MET_WITHIN_SLOTS);
    const wallets = await findWalletsWanted(client, { after, now, limit: WALLETS_PER_PASS });
    const rows: FundingLookupRow[] = [];
    const refused: FundingLookupRow[] = [];
    let refusal: unknown;
    try {
      for (const wallet of wallets) {
        try {
          rows.push(toRow(wallet, await findWalletOrigin(deps, wallet, signal), now));
        } catch (error) {
          if (!(error instanceof RpcError || error instanceof MalformedWire)) throw error;
          refusal = error;
          refused.push(toRow(wallet, { outcome: 'refused' }, now));
        }
      }
    } finally {
      // Wallets found before trouble came are not asked for again.
      await appendRows(client, FUNDING_LOOKUPS, rows);
    }
    // A refusal of all calls says nothing about the wallets.
    if (refusal !== undefined && rows.length === 0) throw refusal;
    // A wallet that is refused alone waits, or it would stand before all others for ever.
    await appendRows(client, FUNDING_LOOKUPS, refused);
    return wallets.length;
  }

  return {
    pass,
    run: (signal) =>
      runPasses(pass, { clock, log, trouble: 'wallets could not be looked up; tried again later' }, signal),
  };
}

const NO_SIGNATURE = new Uint8Array(64);

/** `refused`: the node would not tell this one's history, or told something that is none. */
function toRow(wallet: Address, origin: WalletOrigin | { readonly outcome: 'refused' }, now: number): FundingLookupRow {
  const asked = { wallet, checked_at: now };
  if (origin.outcome === 'found') {
    const { slot, time, signature, ixIndex, funder, amount } = origin.funding;
    return {
      ...{ ...asked, retry_at: 0, outcome: '', found: true },
      ...{ slot, time, signature, ix_index: ixIndex, funder, amount },
    };
  }
  return {
    ...{ ...asked, retry_at: retryAt(origin.outcome, now) },
    ...{ outcome: origin.outcome, found: false, slot: 0, time: 0, signature: NO_SIGNATURE, ix_index: 0 },
    ...{ funder: '', amount: 0n },
  };
}

/** 0 for what asking again would not change. */
function retryAt(outcome: string, now: number): number {
  if (outcome === 'not_kept') return now + NOT_KEPT_RETRY_SECONDS;
  return outcome === 'refused' ? now + REFUSED_RETRY_SECONDS : 0;
}
