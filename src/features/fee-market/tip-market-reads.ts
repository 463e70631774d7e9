import { Type } from 'typebox';
import type { Address } from '../../chain/address.ts';
import { threeDigitAmount } from '../../kernel/three-digits.ts';
import { TIP_PROVIDERS, tipProvider } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../../store/query.ts';
import { FEE_WINDOWS, type FeeWindowName } from './contract-windows.ts';
import type { FeeSpan } from './window-span.ts';

const STEPS = {
  name: 'tip_market_steps',
  columns: {
    start: 'u32',
    /** Place among the names; 255 of wallets that nobody knows any more. */
    provider: 'u8',
    count: 'u64',
    lamports: 'i128',
    largest: 'u64',
    /** Transactions whose size is known. */
    known: 'u64',
    p25: 'u16',
    p50: 'u16',
    p75: 'u16',
    p95: 'u16',
  },
} as const;

const steps = defineRowQuery({
  maxSeconds: SHARED_READ_SECONDS,
  sql: new URL('./tip-market-steps.sql', import.meta.url),
  params: Type.Object({
    step: Type.Integer(),
    wallets: Type.Array(Type.String()),
    providers: Type.Array(Type.Integer()),
    from: Type.Integer(),
    from_slot: Type.Integer(),
    first_quarter: Type.Integer(),
    last_before: Type.Integer(),
    quarter: Type.Integer(),
    quarter_slot: Type.Integer(),
    mark: Type.Integer(),
    now: Type.Integer(),
  }),
  layout: STEPS,
});

const KNOWN = TIP_PROVIDERS.flatMap(({ provider, accounts }, place) =>
  accounts.filter(({ address }) => tipProvider(address) === provider).map(({ address }) => ({ address, place })),
);
const WALLETS: readonly Address[] = KNOWN.map(({ address }) => address);
const PLACES = KNOWN.map(({ place }) => place);

/** Of wallets that nobody knows any more. */
const UNKNOWN_PROVIDER = 'unknown';
export const PROVIDER_NAMES: readonly string[] = [...TIP_PROVIDERS.map(({ provider }) => provider), UNKNOWN_PROVIDER];

/** What transactions tipped a provider in a step, lamports. */
export interface TipSizes {
  readonly p25: bigint;
  readonly p50: bigint;
  readonly p75: bigint;
  readonly p95: bigint;
  readonly max: bigint;
}

export interface StepTips {
  /** Unix seconds. */
  readonly start: number;
  readonly provider: string;
  readonly count: number;
  readonly lamports: bigint;
  /** Undefined where they are not known of all of `count`. */
  readonly sizes: TipSizes | undefined;
}

/** Tips of a window, by step and then by sum, largest first. */
export async function readTipSteps(
  client: StoreClient,
  { mark, now, from, quarter, firstQuarter, lastBefore }: FeeSpan,
  window: FeeWindowName,
): Promise<StepTips[]> {
  const rows = await steps(client, {
    ...{ step: FEE_WINDOWS[window].step.seconds, wallets: [...WALLETS], providers: [...PLACES] },
    ...{ from: from.time, from_slot: from.slot, first_quarter: firstQuarter, last_before: lastBefore },
    ...{ quarter: quarter.time, quarter_slot: quarter.slot, mark, now },
  });
  return rows
    .map(({ start, provider, count, lamports, largest, known, ...codes }) => ({
      ...{ start, provider: PROVIDER_NAMES[provider] ?? UNKNOWN_PROVIDER, count: Number(count), lamports },
      sizes:
        known === 0n || known !== count
          ? undefined
          : {
              ...{ p25: threeDigitAmount(codes.p25), p50: threeDigitAmount(codes.p50) },
              ...{ p75: threeDigitAmount(codes.p75), p95: threeDigitAmount(codes.p95), max: largest },
            },
    }))
    .sort((a, b) => a.start - b.start || Number(b.lamports - a.lamports) || (a.provider < b.provider ? -1 : 1));
}
