import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { UnbrokenReader, WholeSince } from '../../token/history.ts';
import type { TipMarket } from './contract-tip-market.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';
import { PROVIDER_NAMES, readTipSteps, type StepTips } from './tip-market-reads.ts';
import { readFeeSpan } from './window-span.ts';

export interface TipMarketDeps {
  readonly client: StoreClient;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
}

/** Tips of a window as they stand at one slot, of every provider. */
export interface TipSteps {
  readonly window: FeeWindowName;
  readonly slot: number;
  readonly steps: readonly StepTips[];
  /** Unix seconds from which on all of it is there; undefined when it all is. */
  readonly since: number | undefined;
}

/** @throws {ApiError} `warming_up` while there is no block. */
export async function readTipMarket(deps: TipMarketDeps, window: FeeWindowName): Promise<TipSteps> {
  const { client, feed, clock } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  const mark = feed.committedSlot;
  const span = await readFeeSpan(client, { mark, wall: Math.floor(clock.now() / 1_000) }, window);
  if (span === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const steps = await readTipSteps(client, span, window);
  const from = span.from.time;
  // Whole quarters are kept for ever; the slots before the first of them may have been let go.
  const edge = (kept.get('slot_tips') ?? 0) > from ? span.firstQuarter : from;
  // While it is not known since when slots are whole, nothing is known to be there.
  const since = Math.max(slots?.since ?? span.now, edge);
  return { window, slot: mark, steps, since: since > from ? since : undefined };
}

export function tipMarketBody({ window, slot, steps, since }: TipSteps, provider: string | undefined): Buffer {
  const market: Written<TipMarket> = {
    ...{ window, step: FEE_WINDOWS[window].step.name },
    data: steps
      .filter((step) => provider === undefined || step.provider === provider)
      .map(({ start, provider: name, count, lamports, sizes }) => ({
        ...{ t: start, provider: name, count },
        ...{ p25: sizes?.p25.toString(), p50: sizes?.p50.toString(), p75: sizes?.p75.toString() },
        ...{ p95: sizes?.p95.toString(), max: sizes?.max.toString(), lamports: lamports.toString() },
      })),
    since: since === undefined ? undefined : timeText(since),
  };
  return stampBody(jsonBody(market), slot);
}

/**
 * A provider as rows name it.
 *
 * @throws {ApiError} `invalid_param` for a name that nobody has.
 */
export function knownProvider(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const name = PROVIDER_NAMES.find((each) => each.toLowerCase() === text.toLowerCase());
  if (name !== undefined) return name;
  throw new ApiError('invalid_param', {
    param: 'provider',
    message: `provider must be one of ${PROVIDER_NAMES.join(', ')}`,
    details: { allowed: PROVIDER_NAMES },
  });
}
