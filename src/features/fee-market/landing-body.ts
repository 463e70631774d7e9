import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Written } from '../../contract/written.ts';
import type { LandingConditions } from './contract-landing.ts';
import { BID_DIGITS, LANDING_WINDOWS, type LandingVenue, type LandingWindowName } from './contract-landing-limits.ts';
import type { BidFigures, BidsAtShares, LandingTally } from './landing-rules.ts';

const ON_CURVE: LandingVenue = 0;
const OF_EQUITIES: LandingVenue = 2;

export interface LandingFigures {
  readonly window: LandingWindowName;
  readonly venue: LandingVenue;
  readonly tally: LandingTally;
  readonly bids: BidFigures;
  /** False where those that landed are all that is known. */
  readonly revertedKnown: boolean;
  /** Unix seconds, where not all of the window is known. */
  readonly since: number | undefined;
}

export function landingBody({ window, venue, tally, bids, since, ...figures }: LandingFigures): Buffer {
  // Reverted trades of equities cannot be told from other transactions.
  const revertedKnown = figures.revertedKnown && venue !== OF_EQUITIES;
  const tried = (attempts: number) => (revertedKnown ? attempts : undefined);
  const rate = (attempts: number, landed: number) =>
    revertedKnown && attempts > 0 ? share(landed, attempts) : undefined;
  const isMeasured = venue === ON_CURVE;
  return jsonBody({
    ...{ window, venue, attempts: tried(tally.attempts), landed: tally.landed },
    land_rate: rate(tally.attempts, tally.landed),
    reverted_by_why: revertedKnown
      ? tally.reasons().map(({ reason, attempts }) => ({ why: reason || undefined, attempts }))
      : undefined,
    cu_price: written(bids.price),
    priority_fee: written(bids.fee),
    tip: written(bids.tip),
    bid_digits: LANDING_WINDOWS[window].isExact || bids.price === undefined ? undefined : BID_DIGITS,
    by_slot_offset: tally.places(bids).map((place) => ({
      ...{ slots_after_creation: place.slotsBehind, attempts: tried(place.attempts), landed: place.landed },
      median_cu_price: place.middlePrice?.toString(),
      median_tip: place.middleTip?.toString(),
    })),
    by_client: tally.clients().map(({ client, slots, attempts, landed }) => ({
      ...{ client, slots, attempts: tried(attempts), land_rate: rate(attempts, landed) },
    })),
    unknown_budget: tally.unknown,
    unmeasured: isMeasured ? 0 : tally.attempts,
    since: since === undefined ? undefined : timeText(since),
  } satisfies Written<LandingConditions>);
}

/** From 0 to 1, rounded to four places: below 1 it stays below. */
function share(part: number, whole: number): number {
  const rounded = Math.round((part / whole) * 10_000) / 10_000;
  return rounded === 1 && part < whole ? 0.9999 : rounded;
}

function written(bids: BidsAtShares | undefined): Written<LandingConditions['cu_price']> {
  if (bids === undefined) return undefined;
  const { p25, p50, p75, p90, p99 } = bids;
  return { p25: `${p25}`, p50: `${p50}`, p75: `${p75}`, p90: `${p90}`, p99: `${p99}` };
}
