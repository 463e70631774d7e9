import type { LatestSwapRow } from '../../token/facts.ts';
import { quotePrice } from '../../token/row-json.ts';
import { CRASH_DROP_PCT } from './contract-limits.ts';
import type { VolumeRow } from './report-list-reads.ts';

export interface Crash {
  /** SOL per token. */
  readonly high: string;
  readonly cur: string;
  /** How far below the highest price, percent with two decimals. */
  readonly drawdown: number;
}

const SOL = { quote_mint: '', quote_decimals: 9 } as const;
const HUNDREDTHS = 10_000n;

/** Undefined for a token that has not crashed, or of which it cannot be said: without prices in SOL. */
export function crashOf({ price_quote, price_token }: VolumeRow, newest: LatestSwapRow | undefined): Crash | undefined {
  if (newest === undefined || newest.quote_mint !== '' || price_token === 0n || newest.price_token === 0n) return;
  const [part, whole] = [newest.price_quote * price_token, newest.price_token * price_quote];
  if (whole === 0n || part * 100n > whole * BigInt(100 - CRASH_DROP_PCT)) return;
  const { token_decimals } = newest;
  const high = quotePrice({ ...SOL, token_decimals, price_quote, price_token });
  const cur = quotePrice(newest);
  if (high === undefined || cur === undefined) return;
  return { high, cur, drawdown: Number(((whole - part) * HUNDREDTHS * 2n + whole) / (2n * whole)) / 100 };
}
