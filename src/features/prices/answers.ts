import type { Body } from '../../books/body-cache.ts';
import type { BookShelf } from '../../books/book-shelf.ts';
import { jsonBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { Absence, stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { openKnownToken, openStoredToken } from '../../token/known-token.ts';
import { asOfOneSlot } from '../../token/one-slot.ts';
import { tokenAsOf } from '../../token/settled.ts';
import { canonicalPoolOf } from '../../token/state.ts';
import { createTokenReads } from '../../token/token-reads.ts';
import { MAX_SOL_HISTORY_POINTS } from './contract-limits.ts';
import type { SolPrice as SolPriceAnswer, SolPriceHistory } from './contract-sol.ts';
import { creatorFeesBody } from './creator-fee-body.ts';
import { readCreatorFees } from './creator-fee-reads.ts';
import { type PoolState, poolStates, poolsBody } from './pool-body.ts';
import { readPoolsOfMint } from './pool-reads.ts';
import { pricesBody } from './price-body.ts';
import { type SolHistoryFilter, solHistorySpan } from './sol-history-rules.ts';
import { readSolPrices } from './sol-price-reads.ts';

/** The price of SOL as somebody outside keeps it up to date. */
export interface SolPrice {
  /** US dollars per SOL for figures; undefined while it is not known, or too old to value anything. */
  usd(): number | undefined;
  /** The newest quote, however old; undefined until there is one. */
  quote(): { readonly usd: number; readonly ageMs: number } | undefined;
}

/** Nobody is asked for the price. */
export const NO_SOL_PRICE: SolPrice = { usd: () => undefined, quote: () => undefined };

export interface PriceAnswers {
  /**
   * SOL in US dollars.
   *
   * @throws {ApiError} `warming_up` until there is a first quote.
   */
  solPrice(): Buffer;
  /**
   * SOL in US dollars step by step, as it was kept.
   *
   * @throws {ApiError} `invalid_param` for too many steps.
   */
  solPriceHistory(filter: SolHistoryFilter): Promise<Buffer>;
  /** Newest prices of several tokens, and which of them none is known of. */
  prices(mints: readonly Address[]): Promise<Buffer>;
  pools(mint: Address): Body;
  creatorFees(mint: Address): Body;
}

export interface PriceAnswersDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot' | 'headSlot'>;
  readonly clock: Clock;
  readonly shelf: BookShelf;
  readonly solPrice: SolPrice;
}

/** Tokens whose pools and fees are shared for a moment: 100 pools take some 50 kB. */
const KEPT_POOLS = 200;
const KEPT_FEES = 500;
/** Histories of the price of SOL, of up to 40 kB. */
const KEPT_HISTORIES = 50;

export function createPriceAnswers({ client, feed, clock, shelf, solPrice }: PriceAnswersDeps): PriceAnswers {
  const reads = createTokenReads(client);
  const pools = createRefreshed<{ readonly states: readonly PoolState[]; readonly slot: number } | Absence>({
    clock,
    capacity: KEPT_POOLS,
  });
  const fees = createRefreshed<Buffer | Absence>({ clock, capacity: KEPT_FEES });

  const histories = createRefreshed<Buffer>({ clock, capacity: KEPT_HISTORIES });

  const knownToken = (mint: Address) => openStoredToken({ reads, following: shelf.follow(), feed, clock }, mint);

  return {
    solPrice() {
      const quote = solPrice.quote();
      if (quote === undefined) throw new ApiError('warming_up', { message: 'the price of SOL is not known yet' });
      const { usd, ageMs } = quote;
      return jsonBody({ usd, stale_s: Math.floor(ageMs / 1000) } satisfies Written<SolPriceAnswer>);
    },

    async solPriceHistory(filter) {
      const span = solHistorySpan(filter, Math.floor(clock.now() / 1_000));
      if (span === undefined) {
        throw new ApiError('invalid_param', {
          param: 'from',
          message: `from, to and step make more than ${MAX_SOL_HISTORY_POINTS} points`,
          details: { max: MAX_SOL_HISTORY_POINTS },
        });
      }
      const { step } = filter;
      const { value } = await histories.get(`${step} ${span.from} ${span.to}`, async () => {
        const prices = await readSolPrices(client, span);
        const t = prices.map(({ start }) => start);
        return jsonBody({ step, t, usd: prices.map(({ usd }) => usd) } satisfies Written<SolPriceHistory>);
      });
      return value;
    },

    prices: (mints) =>
      asOfOneSlot(shelf, async (following) => {
        const usd = solPrice.usd();
        const tokens = await Promise.all(
          mints.map(async (mint) => [mint, await openKnownToken({ reads, following }, mint)] as const),
        );
        return pricesBody(
          new Map(tokens.map(([mint, token]) => [mint, token instanceof Absence ? undefined : token.state])),
          usd,
        );
      }),

    async pools(mint) {
      const token = await knownToken(mint);
      if (token instanceof Absence) return token;
      const { value } = await pools.get(mint, async () => {
        const facts = await readPoolsOfMint(client, mint, { feed, clock });
        const then = await tokenAsOf(reads, token.state, facts.slot);
        if (then instanceof Absence) return then;
        return { states: poolStates(facts, canonicalPoolOf(then)), slot: facts.slot };
      });
      return value instanceof Absence ? value : stampBody(poolsBody(value.states, solPrice.usd()), value.slot);
    },

    async creatorFees(mint) {
      const token = await knownToken(mint);
      if (token instanceof Absence) return token;
      const { value } = await fees.get(mint, async () => {
        const mark = feed.committedSlot;
        const then = await tokenAsOf(reads, token.state, mark);
        if (then instanceof Absence) return then;
        return stampBody(creatorFeesBody(then, await readCreatorFees(client, mint, mark)), mark);
      });
      return value;
    },
  };
}
