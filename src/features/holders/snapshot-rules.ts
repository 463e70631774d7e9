import type { Address } from '../../chain/address.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import type { TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import type { TokenState } from '../../token/state.ts';

/** Every balance of a mint at one confirmed slot, as a node told. */
export interface HolderSnapshot {
  readonly slot: number;
  /** Unix milliseconds. */
  readonly readAt: number;
  /** Raw units by owner, over all of its accounts; reserves of curves and pools are among them. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

/** A token whose holders are asked for. */
export interface AskedToken {
  readonly mint: Address;
  /** The program of its accounts; '' while not known. */
  readonly tokenProgram: Address | '';
  /** Undefined when nobody saw it made. */
  readonly creation: TokenCreationRow | undefined;
}

/** Snapshots of holders that a node tells, read beside the questions: nobody waits for them. */
export interface HolderSnapshots {
  /** One of the last minute when it is at hand. Otherwise the node is asked, unless it refused or the token is too large for it. */
  find(token: Pick<AskedToken, 'mint' | 'tokenProgram'>): HolderSnapshot | undefined;
}

/** Wallets of a snapshot with what they hold, reserves and the protocol's own left out. */
export function snapshotHoldings(
  { balances }: HolderSnapshot,
  venues: readonly Address[],
): ReadonlyMap<Address, bigint> {
  const left = new Set(venues);
  return new Map([...balances].filter(([owner, amount]) => amount > 0n && !left.has(owner) && !isProtocolActor(owner)));
}

/** The token with its token program, which tells where its accounts are. */
export function askedToken({ mint, creation, hydrated }: TokenState): AskedToken {
  return { mint, tokenProgram: (creation ?? hydrated)?.token_program ?? '', creation };
}
