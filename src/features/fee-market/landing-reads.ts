import { Type } from 'typebox';
import { PROTOCOL_ACTOR_WALLETS } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { RowOf, TableLayout } from '../../store/clickhouse/schema/table-layout.ts';
import { defineQuery, defineRowQuery, defineRowStream, SHARED_READ_SECONDS } from '../../store/query.ts';
import { BID_SHARES, SLOTS_BEHIND } from './contract-landing-limits.ts';

/** Slots and seconds, both ends included. */
export interface LandingSpan {
  readonly first: number;
  readonly last: number;
  readonly since: number;
  readonly until: number;
}

/** What a row of {@link LANDING_SUMS} counts by, beside its venue. */
export const BY = { all: 0, slot: 1, behind: 2, price: 3, fee: 4, tip: 5, priceBehind: 6, tipBehind: 7 } as const;

const LANDING_SUMS = {
  name: 'landing_sums',
  columns: {
    start: 'u32',
    venue: 'u8',
    kind: 'u8',
    in_slot: 'u32',
    slots_behind: 'u8',
    bid: 'u16',
    attempts: 'u32',
    landings: 'u32',
    unknown: 'u32',
  },
} as const satisfies TableLayout;
export type LandingSumsRow = RowOf<typeof LANDING_SUMS>;

const LANDING_REASONS = {
  name: 'landing_reasons',
  columns: { start: 'u32', venue: 'u8', reason: 'string', reverted: 'u32' },
} as const satisfies TableLayout;
export type LandingReasonRow = RowOf<typeof LANDING_REASONS>;

const LANDING_BLOCKS = {
  name: 'landing_blocks',
  columns: {
    start: 'u32',
    first: 'u32',
    last: 'u32',
    blocks: 'u32',
    slots: 'u64',
    transactions: 'u64',
    failed: 'u64',
  },
} as const satisfies TableLayout;
export type LandingBlocksRow = RowOf<typeof LANDING_BLOCKS>;

const LANDING_SLOTS = { name: 'landing_slots', columns: { slot: 'u32', time: 'u32' } } as const satisfies TableLayout;
export type LandingSlotRow = RowOf<typeof LANDING_SLOTS>;

/** Rows of a span that a request waits for: some minutes, one by one, or five at once. */
const MAX_ROWS = 500_000;

const Span = {
  first: Type.Integer(),
  last: Type.Integer(),
  since: Type.Integer(),
  until: Type.Integer(),
} as const;
const Traded = {
  ...Span,
  born: Type.Integer(),
  behind: Type.Integer(),
  actors: Type.Array(Type.String()),
} as const;

const blocksQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./landing-blocks.sql', import.meta.url),
  params: Type.Object({
    from_slot: Type.Integer(),
    mark: Type.Integer(),
    since: Type.Integer(),
    until: Type.Integer(),
  }),
  layout: LANDING_BLOCKS,
});

const slotsQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_ROWS,
  sql: new URL('./landing-slots.sql', import.meta.url),
  params: Type.Object(Span),
  layout: LANDING_SLOTS,
});

const sums = {
  sql: new URL('./landing-sums.sql', import.meta.url),
  params: Type.Object({ ...Traded, width: Type.Integer(), bids: Type.Boolean() }),
  layout: LANDING_SUMS,
} as const;
const sumsQuery = defineRowQuery({ maxSeconds: SHARED_READ_SECONDS, maxRows: MAX_ROWS, ...sums });
const sumsStream = defineRowStream(sums);

const reasonsQuery = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  maxRows: MAX_ROWS,
  sql: new URL('./landing-reasons.sql', import.meta.url),
  params: Type.Object({ ...Span, actors: Type.Array(Type.String()), width: Type.Integer() }),
  layout: LANDING_REASONS,
});

const LandingBids = Type.Object({
  is_whole: Type.Boolean(),
  slots_behind: Type.Integer(),
  bids: Type.Integer(),
  tips: Type.Integer(),
  paid_tips: Type.Integer(),
  price_at: Type.Array(Type.String()),
  fee_at: Type.Array(Type.String()),
  tip_at: Type.Array(Type.String()),
  middle_price: Type.String(),
  paid_at: Type.String(),
});
const bidsQuery = defineQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./landing-bids.sql', import.meta.url),
  params: Type.Object(Traded),
  row: LandingBids,
});
/** Exact bids, of all attempts or of those so many slots behind a creation. In the order of {@link BID_SHARES}. */
export type LandingBidsRow = Awaited<ReturnType<typeof bidsQuery>>[number];

const MINUTE_S = 60;
/** All of a span is one step. */
const WHOLE = 2 ** 32 - 1;

/** The questions that landing conditions ask of the store. */
export interface LandingReads {
  /** Minutes with blocks of the slots from one to another, of a span of seconds. */
  blocks(
    slots: { readonly from: number; readonly mark: number },
    since: number,
    until: number,
  ): Promise<LandingBlocksRow[]>;
  slots(span: LandingSpan): Promise<LandingSlotRow[]>;
  /** Counts of a whole span, without its bids: `start` is 0. */
  counts(span: LandingSpan): Promise<LandingSumsRow[]>;
  /** Counts and bids by minute. */
  minutes(span: LandingSpan): Promise<LandingSumsRow[]>;
  /** The same in pieces, of a longer span, for the service itself. */
  manyMinutes(span: LandingSpan, signal: AbortSignal): AsyncGenerator<LandingSumsRow[]>;
  /** Why attempts of a whole span reverted: `start` is 0. */
  reasons(span: LandingSpan): Promise<LandingReasonRow[]>;
  /** The same by minute. */
  reasonsByMinute(span: LandingSpan): Promise<LandingReasonRow[]>;
  /** Exact bids of a span. */
  bids(span: LandingSpan): Promise<LandingBidsRow[]>;
}

export function createLandingReads(client: StoreClient): LandingReads {
  const actors = [...PROTOCOL_ACTOR_WALLETS];
  const traded = (span: LandingSpan) => ({
    ...span,
    born: Math.max(0, span.first - SLOTS_BEHIND + 1),
    behind: SLOTS_BEHIND,
    actors,
  });
  return {
    blocks: ({ from, mark }, since, until) => blocksQuery(client, { from_slot: from, mark, since, until }),
    slots: (span) => slotsQuery(client, { ...span }),
    counts: (span) => sumsQuery(client, { ...traded(span), width: WHOLE, bids: false }),
    minutes: (span) => sumsQuery(client, { ...traded(span), width: MINUTE_S, bids: true }),
    manyMinutes: (span, signal) => sumsStream(client, { ...traded(span), width: MINUTE_S, bids: true }, signal),
    reasons: (span) => reasonsQuery(client, { ...span, actors, width: WHOLE }),
    reasonsByMinute: (span) => reasonsQuery(client, { ...span, actors, width: MINUTE_S }),
    bids: (span) => bidsQuery(client, traded(span)),
  };
}

/** The shares that {@link LandingBidsRow} tells bids at, in its order. */
export const TOLD_SHARES = Object.keys(BID_SHARES) as (keyof typeof BID_SHARES)[];
