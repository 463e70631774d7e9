import type { BookShelf } from '../../books/book-shelf.ts';
import { createListBodies } from '../../books/list-bodies.ts';
import { createRefreshed, itself } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readFilledSince } from '../../store/clickhouse/derived/due-slots.ts';
import { createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { readFactsOfMints } from '../../token/mint-facts-reads.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import { TIP_WINDOWS, type TipWindowName } from './contract-limits.ts';
import { crossBody } from './cross-body.ts';
import { readPairs } from './cross-reads.ts';
import { readEvents } from './event-reads.ts';
import { createEventSection } from './event-section.ts';
import { eventsBody } from './events.ts';
import { launchpadBody } from './launchpad.ts';
import { readLaunchpad } from './launchpad-reads.ts';
import { readNames } from './name-reads.ts';
import { type NameList, namesBody, readNameList } from './names.ts';
import { readTips, type TipWindow } from './tip-reads.ts';
import { tipsBody } from './tips.ts';
import { readTweets } from './tweet-reads.ts';
import { readTweetList, type TweetList, tweetsBody } from './tweets.ts';

/** Lists over all tokens. */
export interface DiscoveryAnswers {
  /** Pairs of some mints and wallets that have a position. */
  cross(mints: readonly Address[], wallets: readonly Address[]): Promise<Buffer>;
  /** Names of several tokens made in the last `window` seconds. */
  names(window: number, limit: number): Buffer | Promise<Buffer>;
  /** The newest tokens whose document links a post. */
  tweets(limit: number): Buffer | Promise<Buffer>;
  /** The newest trades of so many lamports, and graduations. */
  events(minLamports: bigint, limit: number): Buffer | Promise<Buffer>;
  /** What went on on the launchpad in a day, and in the day before. */
  launchpad(): Buffer | Promise<Buffer>;
  /** Tips of a window by provider. */
  tips(window: TipWindowName): Buffer | Promise<Buffer>;
}

export interface ClosableDiscoveryAnswers extends DiscoveryAnswers {
  /** Reads the events of the last day, beside everything else. */
  warm(): void;
  /** Stops following the feed. */
  close(): void;
}

export interface DiscoveryDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shelf: BookShelf;
}

/** Windows whose names are kept for some seconds: 200 rows each. */
const KEPT_WINDOWS = 100;
/** Different questions for events that are kept until the next block. */
const KEPT_EVENTS = 200;
/** Times that a list of events is made at most. From the second on all tokens are at hand. */
const EVENT_ROUNDS = 3;

export function createDiscoveryAnswers({ client, feed, clock, log, shelf }: DiscoveryDeps): ClosableDiscoveryAnswers {
  const unbroken = createUnbrokenReader(client, clock);
  const wholeSince = createWholeSince(client, clock);
  const settled = { feed, clock };
  const wall = () => Math.floor(clock.now() / 1_000);
  const names = createRefreshed<NameList>({ clock, capacity: KEPT_WINDOWS });
  const tweets = createRefreshed<TweetList>({ clock, capacity: 1 });
  const section = createEventSection({ ...settled, reads: (mark) => readEvents(client, mark, wall), unbroken });
  const events = createStampMemo<Buffer>(KEPT_EVENTS);
  const tips = createRefreshed<Buffer>({ clock, capacity: Object.keys(TIP_WINDOWS).length });
  const launchpad = createRefreshed<Buffer>({ clock, capacity: 1 });
  const reads = createTokenReads(client);
  const bodies = createListBodies();
  return {
    cross: (mints, wallets) =>
      crossBody({ feed, readPairs: (...question) => readPairs(client, ...question) }, mints, wallets),
    names(window, limit) {
      const readWindow = (mark: number, seconds: number) => readNames(client, mark, seconds, wall());
      const deps = { ...settled, unbroken, readNames: readWindow };
      const bodyOf = (list: NameList) => bodies.of(list, `${limit}`, () => namesBody(list, limit));
      return names.with(String(window), () => readNameList(deps, window), bodyOf);
    },
    tweets(limit) {
      const deps = {
        ...settled,
        readTweets: (mark: number, most: number) => readTweets(client, mark, most),
        readFacts: readFactsOfMints.bind(undefined, client),
      };
      const bodyOf = (list: TweetList) => bodies.of(list, `${limit}`, () => tweetsBody(list, limit));
      return tweets.with('', () => readTweetList(deps), bodyOf);
    },
    events: (minLamports, limit) =>
      events.get(`${minLamports} ${limit}`, section.version, async () => {
        for (let round = 1; ; round += 1) {
          const { epoch } = shelf;
          const body = await eventsBody({ reads, shelf }, await section.newest(minLamports, limit));
          // A block that was withdrawn meanwhile may be in it.
          if (shelf.epoch === epoch || round === EVENT_ROUNDS) return body;
        }
      }),
    launchpad() {
      const readDay = (mark: number) => readLaunchpad(client, mark, wall());
      const filledSince = () => readFilledSince(client, 'venue_minutes');
      const deps = { ...settled, unbroken, wholeSince, filledSince, readLaunchpad: readDay };
      return launchpad.with('', () => launchpadBody(deps), itself);
    },
    tips(window) {
      const readWindow = (mark: number, of: TipWindow) => readTips(client, mark, of, wall());
      const deps = { feed, unbroken, readTips: readWindow };
      return tips.with(window, () => tipsBody(deps, window), itself);
    },
    warm() {
      section.warm().catch((error: unknown) => {
        const err = String(error);
        log.warn({ err }, 'the events of the last day are not read yet; the first request for them waits');
      });
    },
    close: section.close,
  };
}
