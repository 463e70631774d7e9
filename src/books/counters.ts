import { DEV_LAUNCHES_MAX } from '../api/contract/resources/holder-stats.ts';
import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import { countOtherLaunches } from '../queries/creator-launches.ts';
import type { TokenReads } from '../queries/token-reads.ts';
import { analyseLaunch } from '../research/launch-analysis.ts';
import { tokenSupply } from '../research/token-supply.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import type { BookShelf } from './book-shelf.ts';
import type { HolderStatsBook } from './holder-stats.ts';
import { instantJson } from './json-text.ts';
import { launchSection } from './launch-section.ts';
import { createRefreshed } from './refreshed.ts';
import { creatorOf, type TokenState } from './token-state.ts';

/** Swaps from the creation on whose bundles are counted: those of a /launch that is not told how many. */
export const COUNTED_LAUNCH_SWAPS = 150;
/** Tokens whose counters are kept, and creators whose launches. */
const CAPACITY = 2_000;
/** Nobody launches by the second. */
const LAUNCHES_FRESH_MS = 10_000;

export interface CountersBook {
  ready(mint: Address): Buffer | undefined;
  get(state: TokenState): Promise<Buffer>;
}

export interface CountersDeps {
  readonly client: StoreClient;
  readonly reads: TokenReads;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly committedSlot: () => number;
  readonly stats: HolderStatsBook;
}

/** The counters of a token as ready bytes, made again every two seconds while somebody asks. */
export function createCounters({ client, reads, clock, shelf, committedSlot, stats }: CountersDeps): CountersBook {
  const bodies = createRefreshed<Buffer>({ clock, capacity: CAPACITY });
  const launches = createRefreshed<number>({
    clock,
    capacity: CAPACITY,
    freshMs: LAUNCHES_FRESH_MS,
    reuseMs: LAUNCHES_FRESH_MS,
  });

  async function countLaunches(state: TokenState): Promise<number | undefined> {
    const creator = creatorOf(state);
    if (creator === undefined) return undefined;
    const asked = { creator, mint: state.mint };
    const { value } = await launches.get(`${creator} ${state.mint}`, () =>
      countOtherLaunches(client, asked, committedSlot(), DEV_LAUNCHES_MAX),
    );
    return value;
  }

  async function make(state: TokenState): Promise<Buffer> {
    const at = clock.now();
    const [holders, launch, dev] = await Promise.all([
      stats.get(askedToken(state)),
      shelf.open(state.mint, launchSection(reads, state.mint)),
      countLaunches(state),
    ]);
    const { bundleCount } = analyseLaunch({
      mint: state.mint,
      creation: state.creation,
      supply: tokenSupply(state),
      swaps: launch.swaps,
      limit: COUNTED_LAUNCH_SWAPS,
    });
    return Buffer.from(
      `{"updated_at":${instantJson(at)},"holder_stats":${holders}` +
        `${bundleCount === undefined ? '' : `,"bundle":${bundleCount}`}${dev === undefined ? '' : `,"dev":${dev}`}}`,
    );
  }

  return {
    ready: (mint) => bodies.ready(mint)?.value,
    async get(state) {
      const { value } = await bodies.get(state.mint, () => make(state));
      return value;
    },
  };
}

/** What of a token tells where its accounts are. */
export function askedToken({ mint, creation, hydrated }: TokenState): Parameters<HolderStatsBook['get']>[0] {
  return { mint, tokenProgram: (creation ?? hydrated)?.token_program ?? '' };
}
