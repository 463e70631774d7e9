import type { Address } from '../../chain/address.ts';
import { TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { EQUITIES, type SceneryEquity } from '../scenery.ts';
import { type Wave, walkAt } from '../walk.ts';
import { encodeMint, type MintFields } from './encode-mint.ts';

/** Shares around which the supply of each equity moves: more than its markets are given. */
const CENTRE_SHARES = 4_000_000;
/** Issuers mint and burn once in so long. */
const ISSUE_MS = 240_000;
const SUPPLY_WAVES: readonly Wave[] = [
  { periodMs: 3_600_000, share: 0.004 },
  { periodMs: 604_800_000, share: 0.1 },
];
const CLOSE_WAVES: readonly Wave[] = [
  { periodMs: 86_400_000, share: 0.006 },
  { periodMs: 864_000_000, share: 0.02 },
];
/** Shares pay four times a year: what they pay buys so much more of them. */
const QUARTER_S = 7_889_400;
const DIVIDEND = 0.0013;
/** Since when the issuers reinvest it, Unix seconds. */
const FIRST_DIVIDEND_S = 1_751_328_000;

/** The mint of a simulated equity at a time, Unix milliseconds; undefined for every other mint. */
export function simulatedMint(seed: string, mint: Address, now: number): MintFields | undefined {
  const place = EQUITIES.findIndex((each) => each.mint === mint);
  const equity = EQUITIES[place];
  if (equity === undefined) return undefined;
  const issued = now - (now % ISSUE_MS);
  const shares = Math.round(CENTRE_SHARES * walkAt(`supply ${seed} ${mint}`, issued, SUPPLY_WAVES));
  // One of them pays nothing, and its amounts are shown as they are.
  const scaling = place === 0 ? undefined : scalingAt(now / 1_000);
  return { supply: BigInt(shares) * 10n ** BigInt(equity.decimals), decimals: equity.decimals, scaling };
}

/** The last dividend, and the next one, which is announced. */
function scalingAt(time: number): MintFields['scaling'] {
  const paid = Math.max(0, Math.floor((time - FIRST_DIVIDEND_S) / QUARTER_S));
  const multiplier = (count: number) => Math.round((1 + DIVIDEND) ** count * 1e8) / 1e8;
  const nextFrom = BigInt(FIRST_DIVIDEND_S + (paid + 1) * QUARTER_S);
  return { multiplier: multiplier(paid), nextFrom, nextMultiplier: multiplier(paid + 1) };
}

/** Dollars that a share closed at on a day, `2026-11-25`: near what its token costs when the chain starts. */
export function simulatedClose(seed: string, { mint, dollars }: SceneryEquity, date: string): number {
  const closedAt = Date.parse(date);
  const { scaling } = simulatedMint(seed, mint, closedAt)!;
  const walk = walkAt(`close ${seed} ${mint}`, closedAt, CLOSE_WAVES);
  return Math.round((dollars / (scaling?.multiplier ?? 1)) * walk * 100) / 100;
}

/**
 * The result that a node gives to a call about the mints of equities while it stands at `slot`; undefined for every other
 * call.
 */
export function answerMints(
  { seed, now, slot }: { readonly seed: string; readonly now: number; readonly slot: number },
  method: string,
  [keys]: readonly unknown[],
): { readonly result: unknown } | undefined {
  if (method !== 'getMultipleAccounts' || !Array.isArray(keys)) return undefined;
  const value = (keys as readonly Address[]).map((mint) => {
    const fields = simulatedMint(seed, mint, now);
    if (fields === undefined) return null;
    const data = encodeMint(fields);
    const rest = { lamports: 4_000_000, executable: false, rentEpoch: 0, space: data.length };
    return { owner: TOKEN_2022_PROGRAM, data: [data.toString('base64'), 'base64'], ...rest };
  });
  return { result: { context: { apiVersion: '3.0.0', slot }, value } };
}
