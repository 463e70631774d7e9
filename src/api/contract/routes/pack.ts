import { Type } from 'typebox';
import { packExample } from '../examples/pack.ts';
import { addressParameter, parameter } from '../parameter.ts';
import { Pack } from '../resources/pack.ts';
import { defineRoute, type RouteContract } from '../route.ts';
import { getCounters, getIntelligence } from './intelligence.ts';
import { getLaunch } from './launch.ts';
import { getFundingClusters } from './movements.ts';
import { getActivity, getToken, listCandles, listHolders, listSwaps } from './tokens.ts';

/** The endpoints that a pack holds the bodies of, by their names in it, in its order. */
export const PACK_PARTS = {
  token: getToken,
  activity: getActivity,
  swaps: listSwaps,
  candles: listCandles,
  holders: listHolders,
  counters: getCounters,
  intelligence: getIntelligence,
  launch: getLaunch,
  funding_clusters: getFundingClusters,
} as const satisfies Readonly<Record<string, RouteContract>>;

export type PackPart = keyof typeof PACK_PARTS;

const PART_NAMES = Object.keys(PACK_PARTS) as readonly PackPart[];
/** What all parts cost together. */
const WHOLE_PACK = 40;

/** Price of so many parts, in credits. */
function packPrice(parts: number): number {
  return Math.ceil((WHOLE_PACK * parts) / PART_NAMES.length);
}

/** Names in the order of the pack, each once; undefined when one is not a part's. */
function readParts(text: string): readonly PackPart[] | undefined {
  const names = new Set<string>(text.split(','));
  const parts = PART_NAMES.filter((name) => names.has(name));
  return parts.length === names.size ? parts : undefined;
}

export const getPack = defineRoute({
  path: '/tokens/{mint}/pack',
  tag: 'tokens',
  name: 'getPack',
  summary: 'Everything about a token at once, as of one slot',
  description:
    'Each part is the body of its own endpoint at its defaults, and none is newer than the slot of X-Indexed-Slot. A part that fails, or takes longer than 2 seconds, is told in `errors` and not paid for.',
  access: 'key',
  params: { mint: addressParameter('invalid_mint', 'Token address.') },
  query: {
    parts: parameter<readonly PackPart[]>({
      schema: Type.String({
        pattern: `^(${PART_NAMES.join('|')})(,(${PART_NAMES.join('|')}))*$`,
        description: `Names of parts, separated by commas; all when left out: ${PART_NAMES.join(', ')}.`,
      }),
      parse: readParts,
      absent: PART_NAMES,
      error: 'invalid_param',
      expected: `must be a comma-separated list of ${PART_NAMES.join(', ')}`,
    }),
  },
  price: { rule: 'ceil(40*ok/9)', compute: ({ parts }) => packPrice(parts.length) },
  pricedByParts: true,
  response: Pack(Object.fromEntries(Object.entries(PACK_PARTS).map(([name, { response }]) => [name, response]))),
  absent: 'token_not_found',
  freeWhenAbsent: true,
  examples: { pack: packExample },
});

export const PACK_ROUTES = [getPack] as const;
