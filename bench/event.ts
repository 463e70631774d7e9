import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BorshEventCoder } from '@coral-xyz/anchor';
import type { Address } from '../src/chain/address.ts';
import { encodeAddress } from '../src/chain/keys/base58.ts';
import { failingJournal } from '../src/kernel/journal.ts';
import { decodeEvent } from '../src/programs/decode.ts';
import { layoutFields } from '../src/programs/layout.ts';
import { encodeEvent } from '../src/programs/program-event.ts';
import type { TradeEvent } from '../src/programs/pump/events.ts';
import { TRADE_EVENTS } from '../src/programs/pump/trade-events.ts';
import { anchorIdl, fromAnchor } from '../test/support/anchor-idl.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, medianRatio, rounded } from './run/statistics.ts';

/** Required times Anchor's rate. */
const BAR = 10;
const ROUNDS = { whole: 15, short: 1 };
const EVENTS_PER_ROUND = 20_000;
/** Different events: as many mints and traders as a few busy minutes show. */
const DISTINCT_EVENTS = 2_000;
const DISTINCT_MINTS = 300;

/**
 * TradeEvents per second, ours against Anchor's own coder, on the same events:
 * the newest layout, 382 bytes. Anchor takes base64 text; ours takes bytes in
 * one figure and, decoding the base64 itself, the same text in the other. The
 * rounds of the three are interleaved in one process, and the median counts.
 */
export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const rounds = short ? ROUNDS.short : ROUNDS.whole;
  const events = inOneBlock(
    Array.from({ length: DISTINCT_EVENTS }, (_, i) => encodeEvent('pump', 'TradeEvent', tradeEvent(i))),
  );
  const texts = events.map((event) => Buffer.from(event).toString('base64'));
  const coder = new BorshEventCoder(anchorIdl({ TradeEvent: TRADE_EVENTS.TradeEvent }));
  const contenders = {
    anchor: (i: number): unknown => coder.decode(texts[i]!),
    bytes: (i: number): unknown => decodeEvent('pump', events[i]!, 0, 0, 0, failingJournal),
    base64: (i: number): unknown => decodeEvent('pump', Buffer.from(texts[i]!, 'base64'), 0, 0, 0, failingJournal),
  };
  assertAlike(coder, events, texts);
  const rates = { anchor: [] as number[], bytes: [] as number[], base64: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['anchor', 'bytes', 'base64'] as const) {
      const rate = eventsPerSecond(contenders[name]);
      // The first round warms up.
      if (round > 0) rates[name].push(rate);
    }
  }
  const ratio = (name: 'bytes' | 'base64') => rounded(medianRatio(rates[name], rates.anchor), 1);
  return {
    bench: 'event',
    ratio: ratio('bytes'),
    bar: BAR,
    ratio_from_base64: ratio('base64'),
    events_per_second: Math.round(median(rates.bytes)),
    events_per_second_from_base64: Math.round(median(rates.base64)),
    anchor_events_per_second: Math.round(median(rates.anchor)),
    nanoseconds_per_event: Math.round(1e9 / median(rates.bytes)),
    anchor_nanoseconds_per_event: Math.round(1e9 / median(rates.anchor)),
    bytes_per_event: events[0]!.length,
    rounds,
  };
}

/** Throws unless all sides do the same work: all find the same in every event. */
function assertAlike(coder: BorshEventCoder, events: readonly Uint8Array[], texts: readonly string[]): void {
  const fields = layoutFields(TRADE_EVENTS.TradeEvent);
  for (const [i, text] of texts.entries()) {
    const theirs = coder.decode(text)?.data;
    const expected = Object.fromEntries(fields.map(({ name, type }) => [name, fromAnchor(theirs?.[name], type)]));
    for (const bytes of [events[i]!, Buffer.from(text, 'base64')]) {
      const ours: object | undefined = decodeEvent('pump', bytes, 0, 0, 0, failingJournal)?.data;
      if (!isDeepStrictEqual({ ...ours }, expected)) throw new Error(`event ${i}: ours is not what Anchor decodes`);
    }
  }
}

/** As a node streams them: parts of one buffer. */
function inOneBlock(events: readonly Uint8Array[]): Uint8Array[] {
  const block = Buffer.concat(events);
  let end = 0;
  return events.map((event) => {
    end += event.length;
    return block.subarray(end - event.length, end);
  });
}

function eventsPerSecond(decode: (i: number) => unknown): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < EVENTS_PER_ROUND; i++) {
    if (decode(i % DISTINCT_EVENTS) == null) throw new Error('an event was not decoded');
  }
  return EVENTS_PER_ROUND / (Number(process.hrtime.bigint() - start) / 1e9);
}

function tradeEvent(i: number): TradeEvent {
  const amount = BigInt(1_000_000 + i * 7_919);
  return {
    mint: keyOf(i % DISTINCT_MINTS),
    solAmount: amount,
    tokenAmount: amount * 35_000n,
    isBuy: i % 2 === 0,
    user: keyOf(DISTINCT_MINTS + i),
    timestamp: 1_791_500_000n + BigInt(i),
    virtualSolReserves: 30_000_000_000n + amount,
    virtualTokenReserves: 1_073_000_000_000_000n - amount,
    realSolReserves: amount,
    realTokenReserves: 793_100_000_000_000n - amount,
    feeRecipient: keyOf(1),
    feeBasisPoints: 95n,
    fee: amount / 105n,
    creator: keyOf(2 + (i % DISTINCT_MINTS)),
    creatorFeeBasisPoints: 30n,
    creatorFee: amount / 333n,
    trackVolume: true,
    totalUnclaimedTokens: 0n,
    totalClaimedTokens: 0n,
    currentSolVolume: amount,
    lastUpdateTimestamp: 1_791_500_000n,
    ixName: i % 2 === 0 ? 'buy' : 'sell',
    mayhemMode: false,
    cashbackFeeBasisPoints: 0n,
    cashback: 0n,
    buybackFeeBasisPoints: 5_000n,
    buybackFee: amount / 210n,
    shareholders: [],
    quoteMint: keyOf(3),
    quoteAmount: amount,
    virtualQuoteReserves: 30_000_000_000n + amount,
    realQuoteReserves: amount,
    holderRewardsBps: 0n,
    holderRewards: 0n,
    creatorFeeUnclaimed: 0n,
  };
}

/** The n-th of a fixed series of addresses. */
function keyOf(n: number): Address {
  return encodeAddress(createHash('sha256').update(`key ${n}`).digest());
}
