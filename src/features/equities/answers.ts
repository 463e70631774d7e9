import { jsonBody, listBody, timeText } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { EQUITIES, equity, QUOTE_MINTS } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { readForService } from '../../store/reads/reader.ts';
import { byMint } from '../../token/by-mint.ts';
import { countedSince } from '../../token/counted-since.ts';
import { createUnbrokenReader, createWholeSince } from '../../token/history.ts';
import { readImages } from '../../token/metadata-reads.ts';
import { readSettled } from '../../token/settled.ts';
import { readEquityTrades } from './equity-reads.ts';
import { compareEquities, equityRow, tickerOf } from './equity-rules.ts';
import { type ClosingPrices, type EquityMints, NO_CLOSING_PRICES, NO_EQUITY_MINTS } from './outside.ts';

/** Tokenized shares, told from memory and made again every few seconds. */
export interface EquityAnswers {
  /** All of them. @throws {ApiError} `warming_up` while there is no block. */
  list(): Buffer | Promise<Buffer>;
  /** One of them; undefined when it is none. Throws as {@link list}. */
  equity(mint: Address): Buffer | Promise<Buffer | undefined>;
}

export interface WarmEquityAnswers extends EquityAnswers {
  /** Reads them beside everything else. */
  warm(): void;
}

export interface EquityAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Feed;
  readonly clock: Clock;
  /** What the chain tells of their mints; without it supply is not known. */
  readonly mints?: EquityMints | undefined;
  /** What the shares closed at; without it nobody tells. */
  readonly closes?: ClosingPrices | undefined;
}

interface EquityBodies {
  readonly list: Buffer;
  readonly rows: ReadonlyMap<Address, Buffer>;
}

/** Nobody waits while rows that are younger are made again. */
const AHEAD_MS = 10_000;
const MINUTE_S = 60;

/** Coins that stand for a dollar, and whose amounts can be counted in it. */
const DOLLARS = QUOTE_MINTS.filter((quote) => quote.class === 'usd' && quote.decimals !== undefined);
const ASKED = { mints: EQUITIES.map(({ mint }) => mint), quotes: DOLLARS.map(({ mint }) => mint) };

export function createEquityAnswers({
  client,
  feed,
  clock,
  mints = NO_EQUITY_MINTS,
  closes = NO_CLOSING_PRICES,
}: EquityAnswersDeps): WarmEquityAnswers {
  const unbroken = createUnbrokenReader(client, clock);
  const wholeSince = createWholeSince(client, clock);
  const kept = createRefreshed<EquityBodies>({ clock, capacity: 1, aheadMs: AHEAD_MS });

  async function make(): Promise<EquityBodies> {
    // Before the rows: a hole that is filled while they are read is not in all of them.
    const [slots, keeps] = await Promise.all([unbroken(), wholeSince()]);
    const wall = () => Math.floor(clock.now() / 1_000);
    const [{ rows: trades, slot }, images] = await Promise.all([
      readSettled(
        { feed, clock },
        () => readEquityTrades(client, ASKED, feed.committedSlot, wall()),
        (read) => read?.newest ?? 0,
      ),
      readImages(client, ASKED.mints),
    ]);
    if (trades === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
    const { now, from } = trades;
    const begun = countedSince(slots, { keptSince: keeps.get('swaps') ?? 0, first: 0, width: MINUTE_S }) ?? now;
    const moment = { now, since: begun > from ? timeText(begun) : undefined };
    const steps = byMint(trades.steps);
    const rows = EQUITIES.map((listed) => {
      const { mint } = listed;
      const ticker = tickerOf(listed);
      const close = ticker === undefined ? undefined : closes.closeOf(ticker);
      const known = {
        listed,
        steps: steps.get(mint) ?? [],
        latest: trades.latest.get(mint),
        mint: mints.mintOf(mint),
        close,
      };
      return equityRow({ ...known, image: images.get(mint) }, moment);
    }).sort(compareEquities);
    const bodies = rows.map((row) => ({ mint: row.mint as Address, body: stampBody(jsonBody(row), slot) }));
    const list = listBody(
      bodies.map(({ body }) => body),
      undefined,
    );
    return { list: stampBody(list, slot), rows: new Map(bodies.map(({ mint, body }) => [mint, body])) };
  }

  return {
    list: () => kept.with('', make, ({ list }) => list),
    equity(mint) {
      if (equity(mint) === undefined) return Promise.resolve(undefined);
      return kept.with('', make, ({ rows }) => rows.get(mint)!);
    },
    warm() {
      // The first request meets what this does.
      readForService(() => kept.get('', make)).catch(() => {});
    },
  };
}
