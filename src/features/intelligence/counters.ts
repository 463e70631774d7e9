import type { BookShelf } from '../../books/book-shelf.ts';
import { instantText, jsonBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import type { HolderStats } from '../../contract/holder-stats.ts';
import type { Written } from '../../contract/written.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { firstSwapsSection } from '../../token/first-swaps.ts';
import type { RowReads } from '../../token/row-reads.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import { type AskedToken, askedToken } from '../holders/snapshot-rules.ts';
import { analyseLaunch } from '../launch/launch-rules.ts';
import type { Counters } from './contract.ts';
import { COUNTED_LAUNCH_SWAPS, DEV_LAUNCHES_MAX } from './contract-limits.ts';
import { countOtherLaunches } from './creator-launch-reads.ts';

/** Tokens whose counters are kept, and creators whose launches. */
const CAPACITY = 2_000;
/** Nobody launches by the second. */
const LAUNCHES_FRESH_MS = 10_000;

/** Holder statistics of a token, handed in where features are composed. */
export interface HolderFigures {
  get(token: AskedToken): Promise<{ readonly stats: Written<HolderStats> }>;
  /** Accounts that hold a mint and are nobody's. */
  venues(mint: Address): Promise<readonly Address[]>;
}

/** Answers of one kind about tokens, as ready bytes. */
export interface TokenBodies {
  ready(mint: Address): Buffer | undefined;
  get(state: TokenState): Promise<Buffer>;
}

export interface TokenBodiesDeps {
  readonly client: StoreClient;
  readonly reads: Pick<RowReads, 'swaps'>;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly committedSlot: () => number;
  readonly stats: HolderFigures;
}

/** The counters of a token as ready bytes, made again every two seconds while somebody asks. */
export function createCounters({ client, reads, clock, shelf, committedSlot, stats }: TokenBodiesDeps): TokenBodies {
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
      shelf.open(state.mint, firstSwapsSection(reads, state.mint)),
      countLaunches(state),
    ]);
    const { bundleCount } = analyseLaunch({
      mint: state.mint,
      creation: state.creation,
      supply: tokenSupply(state),
      swaps: launch.swaps,
      limit: COUNTED_LAUNCH_SWAPS,
    });
    const updated_at = instantText(at);
    return jsonBody({ updated_at, holder_stats: holders.stats, bundle: bundleCount, dev } satisfies Written<Counters>);
  }

  return {
    ready: (mint) => bodies.ready(mint)?.value,
    async get(state) {
      const { value } = await bodies.get(state.mint, () => make(state));
      return value;
    },
  };
}
