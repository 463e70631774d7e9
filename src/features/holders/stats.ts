import { instantText, jsonBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { INCINERATOR, SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import type { HolderStats } from '../../contract/holder-stats.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { bondingCurveAddress } from '../../programs/pump/addresses.ts';
import { boostVaultAuthorityAddress } from '../../programs/pump-amm/addresses.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { HoldingsHistory } from '../../token/history.ts';
import { readMintPools } from '../../token/pool-reads.ts';
import { bornBy, readSettled } from '../../token/settled.ts';
import { readPositionSums } from './position-reads.ts';
import { type AskedToken, type HolderSnapshot, type HolderSnapshots, snapshotHoldings } from './snapshot-rules.ts';

/** Tokens whose figures are kept. */
const CAPACITY = 2_000;
/** Pools of a token become more rarely. */
const POOLS_FRESH_MS = 30_000;

/** The canonical pool comes first, and hardly another one is boosted. */
const BOOSTED_POOLS = 2;

export interface HolderFigures {
  readonly holders: number;
  /** Raw units. */
  readonly held: bigint;
  readonly top10: bigint;
  readonly top25: bigint;
}

/** An answer, with its bytes, which are stamped with its slot. */
export interface ToldStats {
  readonly stats: Written<HolderStats>;
  /** Every trade up to it is counted, and none beyond it: of a snapshot the slot at which it was read. */
  readonly slot: number;
  readonly body: Buffer;
}

/** Holder statistics of tokens: from the chain when a snapshot is at hand, else as trades tell. */
export interface HolderStatsBook {
  ready(mint: Address): ToldStats | undefined;
  get(token: AskedToken): Promise<ToldStats>;
  /** Accounts that hold a mint and are nobody's: its curve, its pools, where tokens are burnt. */
  venues(mint: Address): Promise<readonly Address[]>;
}

export interface HolderStatsDeps {
  readonly client: StoreClient;
  readonly clock: Clock;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly snapshots: HolderSnapshots | undefined;
  readonly isWhole: HoldingsHistory;
}

export function createHolderStats({ client, clock, feed, snapshots, isWhole }: HolderStatsDeps): HolderStatsBook {
  const stats = createRefreshed<ToldStats>({ clock, capacity: CAPACITY });
  const pools = createRefreshed<readonly Address[]>({
    clock,
    capacity: CAPACITY,
    freshMs: POOLS_FRESH_MS,
    reuseMs: POOLS_FRESH_MS,
  });
  const counted = new WeakMap<HolderSnapshot, HolderFigures>();

  async function venues(mint: Address): Promise<readonly Address[]> {
    const { value } = await pools.get(mint, () => readMintPools(client, mint));
    return [
      bondingCurveAddress(mint),
      ...value,
      ...value.slice(0, BOOSTED_POOLS).map(boostVaultAuthorityAddress),
      ...BURN_OWNERS,
    ];
  }

  async function read(token: AskedToken, madeAt: number): Promise<ToldStats> {
    const owners = await venues(token.mint);
    const snapshot = snapshots?.find(token);
    if (snapshot !== undefined) {
      const figures = counted.get(snapshot) ?? countSnapshot(snapshot, owners);
      counted.set(snapshot, figures);
      return told({ source: 'onchain', figures, at: snapshot.readAt, slot: snapshot.slot, partial: false });
    }
    // First of all: by the time that the sums are read what they lack may be folded.
    const whole = await isWhole(token.creation);
    const { rows: sums, slot } = await readSettled(
      { feed, clock },
      () => readPositionSums(client, token.mint, owners),
      ({ newest }) => newest,
    );
    const partial = !whole || bornBy(token, slot) !== token || sums.unknown > 0;
    // That no holder is known says of a life that is not all known nothing: others may hold all of it.
    const figures = sums.holders > 0 || !partial ? sums : undefined;
    return told({ source: 'swap_estimate', figures, at: madeAt, slot, partial });
  }

  return {
    venues,
    ready: (mint) => stats.ready(mint)?.value,
    get: async (token) => (await stats.get(token.mint, () => read(token, clock.now()))).value,
  };
}

/** Owners of accounts in which tokens are burnt. */
const BURN_OWNERS: readonly Address[] = [INCINERATOR, SYSTEM_PROGRAM];

function countSnapshot(snapshot: HolderSnapshot, venues: readonly Address[]): HolderFigures {
  const amounts = [...snapshotHoldings(snapshot, venues).values()].sort((a, b) => (a === b ? 0 : a > b ? -1 : 1));
  const sum = (some: readonly bigint[]) => some.reduce((total, amount) => total + amount, 0n);
  return {
    holders: amounts.length,
    held: sum(amounts),
    top10: sum(amounts.slice(0, 10)),
    top25: sum(amounts.slice(0, 25)),
  };
}

interface FoundFigures {
  readonly source: HolderStats['source'];
  /** Undefined where nothing is known. */
  readonly figures: HolderFigures | undefined;
  /** Unix milliseconds. */
  readonly at: number;
  readonly slot: number;
  readonly partial: boolean;
}

function told({ source, figures, at, slot, partial }: FoundFigures): ToldStats {
  const stats: Written<HolderStats> = {
    source,
    slot: source === 'onchain' ? slot : undefined,
    updated_at: instantText(at),
    holders: figures?.holders,
    held: figures?.held.toString(),
    top10: figures?.top10.toString(),
    top25: figures?.top25.toString(),
    partial: partial || undefined,
  };
  return { stats, slot, body: stampBody(jsonBody(stats), slot) };
}
