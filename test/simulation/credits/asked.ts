import { createHash } from 'node:crypto';
import { encodeAddress } from '../../../src/chain/keys/base58.ts';
import { KNOWN_MINT, UNKNOWN_MINT } from '../../support/token-answers.ts';

/** Something to ask, and what the answer has to be and to cost when the call is paid for. */
export interface Asked {
  readonly name: string;
  /** Below the host. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Credits that are taken before the run. */
  readonly price: number;
  readonly status: number;
  /** Credits that the answer costs in the end, by the specification. */
  readonly cost: number;
  /** Share of the calls that ask it, beside the others. */
  readonly weight: number;
}

const mintOf = (label: string) => encodeAddress(createHash('sha256').update(label).digest());

/** Its answers fail. */
export const FAILING_MINT = mintOf('failing');
/** Its answers take {@link SLOW_MS}: what was taken for them is in hand meanwhile. */
export const SLOW_MINT = mintOf('slow');
export const SLOW_MS = 250;

const tokens = (mint: string, rest = '') => `/api/tokens/${mint}${rest}`;

const DEFINED = [
  { name: 'snapshot', path: tokens(KNOWN_MINT), price: 1, status: 200, cost: 1, weight: 30 },
  { name: 'swaps', path: tokens(KNOWN_MINT, '/swaps'), price: 8, status: 200, cost: 8, weight: 12 },
  { name: 'many swaps', path: tokens(KNOWN_MINT, '/swaps?limit=500'), price: 32, status: 200, cost: 32, weight: 2 },
  { name: 'holders', path: tokens(KNOWN_MINT, '/holders'), price: 5, status: 200, cost: 5, weight: 6 },
  { name: 'two parts', path: tokens(KNOWN_MINT, '/pack?parts=token,swaps'), price: 9, status: 200, cost: 9, weight: 3 },
  {
    name: 'one part of two',
    path: tokens(SLOW_MINT, '/pack?parts=token,holders'),
    price: 9,
    status: 200,
    cost: 5,
    weight: 3,
  },
  { name: 'unknown token', path: tokens(UNKNOWN_MINT), price: 1, status: 404, cost: 1, weight: 4 },
  { name: 'unknown swaps', path: tokens(UNKNOWN_MINT, '/swaps'), price: 8, status: 404, cost: 1, weight: 4 },
  { name: 'no image', path: tokens(UNKNOWN_MINT, '/image'), price: 1, status: 404, cost: 0, weight: 2 },
  { name: 'image', path: tokens(KNOWN_MINT, '/image'), price: 1, status: 302, cost: 1, weight: 2 },
  {
    name: 'nothing new',
    path: tokens(KNOWN_MINT, '/meta'),
    headers: { 'if-none-match': '*' },
    price: 1,
    status: 304,
    cost: 1,
    weight: 2,
  },
  { name: 'failing', path: tokens(FAILING_MINT, '/swaps'), price: 8, status: 500, cost: 0, weight: 4 },
  { name: 'slow', path: tokens(SLOW_MINT, '/swaps'), price: 8, status: 200, cost: 8, weight: 4 },
  { name: 'refused parameter', path: tokens(KNOWN_MINT, '/swaps?limit=0'), price: 8, status: 400, cost: 0, weight: 2 },
] as const satisfies readonly Asked[];

export type AskedName = (typeof DEFINED)[number]['name'];

export const ASKED: readonly (Asked & { readonly name: AskedName })[] = DEFINED;
