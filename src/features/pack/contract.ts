import { type Static, type TSchema, Type } from 'typebox';
import { swapExample, tokenExample } from '../../contract/examples.ts';
import { addressParameter, parameter } from '../../contract/parameter.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count } from '../../contract/scalars.ts';
import { holderExample, listHolders } from '../holders/contract.ts';
import { countersExample, getCounters, getIntelligence } from '../intelligence/contract.ts';
import { getLaunch } from '../launch/contract.ts';
import { launchExample } from '../launch/contract-examples.ts';
import { getFundingClusters } from '../movements/contract.ts';
import { fundingClustersExample } from '../movements/contract-shapes.ts';
import { getToken } from '../tokens/contract.ts';
import { activityExample, candleExample, getActivity, listCandles, listSwaps } from '../trades/contract.ts';

/** Reason for which a part is missing. */
const PartError = Type.Object(
  {
    code: Type.String({ description: 'As the part’s own endpoint would answer; the message may change.' }),
    message: Type.String(),
    retry_after: Type.Optional(Count('Whole seconds.')),
  },
  { $id: 'PartError' },
);
export type PartError = Static<typeof PartError>;

/** Several answers about one token; `parts` are the schemas of their endpoints by their names in the pack. */
export function Pack(parts: Readonly<Record<string, TSchema>>) {
  return Type.Object(
    {
      mint: Address('The token.'),
      ok: Count('Parts that are here.'),
      failed: Count('Parts that are not.'),
      cost: Count('Credits charged.'),
      parts: Type.Object(
        Object.fromEntries(Object.entries(parts).map(([name, schema]) => [name, Type.Optional(schema)])),
        { description: 'By name, each the body of its own endpoint, byte for byte, with that endpoint’s defaults.' },
      ),
      slots: Type.Record(Type.String(), Count('Nothing newer is in the part, and nothing is missing up to it.'), {
        description:
          'By part. Those out of memory are of one slot; those that are made again now and then may be of an earlier one. The smallest is that of X-Indexed-Slot.',
      }),
      errors: Type.Record(Type.String(), PartError, { description: 'Of the parts that are missing, by name.' }),
    },
    { $id: 'Pack' },
  );
}

/** A pack of which one part could not be told. */
export const packExample = {
  mint: tokenExample.mint,
  ok: 8,
  failed: 1,
  cost: 36,
  parts: {
    token: tokenExample,
    activity: activityExample,
    swaps: { data: [swapExample], next_cursor: '2026-08-01T10:00:00.651230001234000017Z' },
    candles: { data: [candleExample] },
    holders: { data: [holderExample], source: 'swap_estimate' },
    counters: countersExample,
    launch: launchExample,
    funding_clusters: fundingClustersExample,
  },
  slots: {
    token: 351265123,
    activity: 351265123,
    swaps: 351265123,
    candles: 351265123,
    holders: 351265123,
    counters: 351265118,
    launch: 351265123,
    funding_clusters: 351265118,
  },
  errors: { intelligence: { code: 'query_timeout', message: 'this part took too long' } },
};

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
/** Credits that all parts cost together. */
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
  summary: 'Everything about a token at once',
  description:
    'Each part is the body of its own endpoint at its defaults, and `slots` says which slot each is of. A part that fails, or takes longer than 2 seconds, is told in `errors` and not paid for.',
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
