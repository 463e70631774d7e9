import type { BookShelf } from '../../books/book-shelf.ts';
import { instantText, jsonBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import type { HolderStats } from '../../contract/holder-stats.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { firstSwapsSection } from '../../token/first-swaps.ts';
import { createLaunchHistory } from '../../token/history.ts';
import type { RowReads } from '../../token/row-reads.ts';
import { bornBy, untilCommitted } from '../../token/settled.ts';
import { creatorOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import { type AskedToken, askedToken } from '../holders/snapshot-rules.ts';
import { analyseLaunch } from '../launch/launch-rules.ts';
import type { Counters } from './contract.ts';
import { COUNTED_LAUNCH_SWAPS, DEV_LAUNCHES_MAX } from './contract-limits.ts';
import { countOtherLaunches } from './creator-launch-reads.ts';

/** Tokens whose counters are kept. */
const CAPACITY = 2_000;

/** Holder statistics of a token, handed in where features are composed. */
export interface HolderFigures {
  /** `slot`: every trade up to it is counted, and none beyond it. */
  get(token: AskedToken): Promise<{ readonly stats: Written<HolderStats>; readonly slot: number }>;
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
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly stats: HolderFigures;
}

/** The counters of a token as ready bytes, made again every two seconds while somebody asks. */
export function createCounters({ client, reads, clock, shelf, feed, stats }: TokenBodiesDeps): TokenBodies {
  const bodies = createRefreshed<Buffer>({ clock, capacity: CAPACITY });
  const isLaunchWhole = createLaunchHistory(client, clock);

  async function countLaunches(state: TokenState, mark: number): Promise<number | undefined> {
    const creator = creatorOf(state);
    if (creator === undefined) return undefined;
    return countOtherLaunches(client, { creator, mint: state.mint }, mark, DEV_LAUNCHES_MAX);
  }

  async function make(state: TokenState): Promise<Buffer> {
    const at = clock.now();
    const holders = await stats.get(askedToken(state));
    // A snapshot of the chain's accounts tells its own slot, which the store may not have reached.
    const mark = holders.stats.source === 'onchain' ? feed.committedSlot : holders.slot;
    await untilCommitted(mark, { feed, clock });
    const then = bornBy(state, mark);
    const [bundle, dev] = await Promise.all([countBundles(then, mark), countLaunches(then, mark)]);
    const counters = {
      updated_at: instantText(at),
      holder_stats: holders.stats,
      bundle,
      dev,
      partial: bundle === undefined || dev === undefined || holders.stats.partial || undefined,
    };
    return stampBody(jsonBody(counters satisfies Written<Counters>), mark);
  }

  /** Bundles of the launch up to slot `mark`; undefined where its first swaps are not known for sure, or who stood beside them. */
  async function countBundles({ mint, creation, ...state }: TokenState, mark: number): Promise<number | undefined> {
    const launch = await shelf.open(mint, firstSwapsSection(reads, mint));
    const swaps = launch.swaps.filter(({ slot }) => slot <= mark);
    const last = swaps[COUNTED_LAUNCH_SWAPS - 1]?.slot ?? mark;
    if (!(await isLaunchWhole(creation, last))) return undefined;
    const supply = tokenSupply({ creation, ...state });
    return analyseLaunch({ mint, creation, supply, swaps, limit: COUNTED_LAUNCH_SWAPS }).bundleCount;
  }

  return {
    ready: (mint) => bodies.ready(mint)?.value,
    async get(state) {
      const { value } = await bodies.get(state.mint, () => make(state));
      return value;
    },
  };
}
