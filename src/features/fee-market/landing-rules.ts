import { threeDigitAmount } from '../../kernel/three-digits.ts';
import { BID_NUMBERS, type Counts, numberAt } from './bid-numbers.ts';
import { BID_SHARES, MAX_REASONS, SLOTS_BEHIND } from './contract-landing-limits.ts';
import { type LandingBidsRow, TOLD_SHARES } from './landing-reads.ts';
import { type BidCounts, type LandedCounts, PLACE_SHIFT, type SpanSums, type VenueSums } from './landing-sums.ts';

/** Bids that a share of all attempts is no higher than, by its name. */
export type BidsAtShares = Readonly<Record<keyof typeof BID_SHARES, bigint>>;

/** Attempts so many slots behind the creation of the youngest of their tokens. */
export interface PlaceFigures {
  readonly slotsBehind: number;
  readonly attempts: number;
  readonly landed: number;
  /** Undefined where no bid is known. */
  readonly middlePrice: bigint | undefined;
  /** Of those that landed; undefined where none did whose bid is known. */
  readonly middleTip: bigint | undefined;
}

/** Bids of one venue. */
export interface BidFigures {
  readonly price: BidsAtShares | undefined;
  readonly fee: BidsAtShares | undefined;
  readonly tip: BidsAtShares | undefined;
  readonly middles: ReadonlyMap<number, Pick<PlaceFigures, 'middlePrice' | 'middleTip'>>;
}

export interface ReasonFigures {
  /** Empty where nobody knows. */
  readonly reason: string;
  readonly attempts: number;
}

export interface LeaderFigures {
  readonly client: string;
  readonly slots: number;
  readonly attempts: number;
  readonly landed: number;
}

/** Who led a slot, by the client that they run. */
export type ClientOf = (slot: number) => string;

/** Adds up spans at one venue. */
export class LandingTally {
  attempts = 0;
  landed = 0;
  unknown = 0;
  readonly #reasons = new Map<string, number>();
  readonly #clients = new Map<string, { slots: number; attempts: number; landed: number }>();
  readonly #byPlace: LandedCounts = {
    attempts: new Uint32Array(SLOTS_BEHIND),
    landed: new Uint32Array(SLOTS_BEHIND),
  };
  readonly #prices = new Uint32Array(BID_NUMBERS);
  readonly #fees = new Uint32Array(BID_NUMBERS);
  readonly #tips = new Uint32Array(BID_NUMBERS);
  readonly #pricesByPlace = new Uint32Array(SLOTS_BEHIND * BID_NUMBERS);
  readonly #tipsByPlace = new Uint32Array(SLOTS_BEHIND * BID_NUMBERS);

  add({ slots, venues }: SpanSums, venue: number, clientOf: ClientOf): void {
    const sums = venues.get(venue);
    this.#addSlots(slots, sums?.bySlot, clientOf);
    if (sums === undefined) return;
    this.attempts += sums.attempts;
    this.landed += sums.landed;
    this.unknown += sums.unknown;
    for (const [reason, count] of sums.reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + count);
    for (let place = 0; place < SLOTS_BEHIND; place += 1) {
      this.#byPlace.attempts[place]! += sums.byPlace.attempts[place]!;
      this.#byPlace.landed[place]! += sums.byPlace.landed[place]!;
    }
    this.#addBids(sums);
  }

  #addSlots(slots: Uint32Array, counts: LandedCounts | undefined, clientOf: ClientOf): void {
    for (let at = 0; at < slots.length; at += 1) {
      const client = clientOf(slots[at]!);
      let figures = this.#clients.get(client);
      if (figures === undefined) {
        figures = { slots: 0, attempts: 0, landed: 0 };
        this.#clients.set(client, figures);
      }
      figures.slots += 1;
      figures.attempts += counts?.attempts[at] ?? 0;
      figures.landed += counts?.landed[at] ?? 0;
    }
  }

  #addBids({ prices, fees, tips, pricesByPlace, tipsByPlace }: VenueSums): void {
    addTo(this.#prices, prices);
    addTo(this.#fees, fees);
    addTo(this.#tips, tips);
    addTo(this.#pricesByPlace, pricesByPlace);
    addTo(this.#tipsByPlace, tipsByPlace);
  }

  /** The commonest first. */
  reasons(): readonly ReasonFigures[] {
    return Array.from(this.#reasons, ([reason, attempts]) => ({ reason, attempts }))
      .sort((a, b) => b.attempts - a.attempts || order(a.reason, b.reason))
      .slice(0, MAX_REASONS);
  }

  /** Those with most slots first. */
  clients(): readonly LeaderFigures[] {
    return Array.from(this.#clients, ([client, figures]) => ({ client, ...figures })).sort(
      (a, b) => b.slots - a.slots || order(a.client, b.client),
    );
  }

  /** Slots with attempts, in order. */
  places({ middles }: Pick<BidFigures, 'middles'>): readonly PlaceFigures[] {
    return Array.from({ length: SLOTS_BEHIND }, (_, slotsBehind) => ({
      slotsBehind,
      attempts: this.#byPlace.attempts[slotsBehind]!,
      landed: this.#byPlace.landed[slotsBehind]!,
      middlePrice: middles.get(slotsBehind)?.middlePrice,
      middleTip: middles.get(slotsBehind)?.middleTip,
    })).filter(({ attempts }) => attempts > 0);
  }

  /** Of bids by their first digits. */
  bids(): BidFigures {
    const middles = Array.from({ length: SLOTS_BEHIND }, (_, place) => {
      const ofPlace = (counts: Uint32Array) => counts.subarray(place << PLACE_SHIFT, (place + 1) << PLACE_SHIFT);
      const middle = (counts: Uint32Array) => bidAt(ofPlace(counts), BID_SHARES.p50);
      return [place, { middlePrice: middle(this.#pricesByPlace), middleTip: middle(this.#tipsByPlace) }] as const;
    });
    return {
      price: bidsAtShares(this.#prices),
      fee: bidsAtShares(this.#fees),
      tip: bidsAtShares(this.#tips),
      middles: new Map(middles),
    };
  }
}

/** Of exact bids. */
export function exactBids(rows: readonly LandingBidsRow[]): BidFigures {
  const whole = rows.find((row) => row.is_whole);
  const at = (count: number | undefined, bids: readonly string[] | undefined): BidsAtShares | undefined =>
    count ? shares((_share, place) => BigInt(bids![place]!)) : undefined;
  const middles = rows
    .filter((row) => !row.is_whole)
    .map(
      (row) =>
        [
          row.slots_behind,
          {
            middlePrice: BigInt(row.middle_price),
            middleTip: row.paid_tips === 0 ? undefined : BigInt(row.paid_at),
          },
        ] as const,
    );
  return {
    price: at(whole?.bids, whole?.price_at),
    fee: at(whole?.bids, whole?.fee_at),
    tip: at(whole?.tips, whole?.tip_at),
    middles: new Map(middles),
  };
}

function addTo(sums: Uint32Array, { numbers, counts }: BidCounts): void {
  for (let at = 0; at < numbers.length; at += 1) sums[numbers[at]!]! += counts[at]!;
}

function bidsAtShares(counts: Counts): BidsAtShares | undefined {
  if (numberAt(counts, 1) === undefined) return undefined;
  return shares((share) => bidAt(counts, share)!);
}

function bidAt(counts: Counts, share: number): bigint | undefined {
  const number = numberAt(counts, share);
  return number === undefined ? undefined : threeDigitAmount(number);
}

function shares(bid: (share: number, place: number) => bigint): BidsAtShares {
  return Object.fromEntries(TOLD_SHARES.map((name, place) => [name, bid(BID_SHARES[name], place)])) as BidsAtShares;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
