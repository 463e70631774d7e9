import { type Static, Type } from 'typebox';
import { windowParameter } from '../../contract/duration.ts';
import { parameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Count, Digits, Text, Timestamp } from '../../contract/scalars.ts';
import { FEE_WINDOW_NAMES, FEE_WINDOW_SECONDS } from './contract-windows.ts';

/** Rows of the list, the direct one among them. */
export const MAX_ROUTERS = 100;

/** The day from which on swaps tell what routed them. */
export const ROUTERS_KNOWN_SINCE = '2026-07-06';

export const VENUES = ['0', '1', '2'] as const;
export type VenueWord = (typeof VENUES)[number];

const Ratio = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const RouterRow = Type.Object(
  {
    router: Text('The top-level program that the swaps went through; "" for those that called their venue directly.'),
    router_name: Type.Optional(Text('Its platform; absent for programs that are not registered.')),
    swaps: Count('Swaps in any quote.'),
    volume: Type.Optional(Digits('Lamports of its swaps, as `volume` of all.')),
    share: Type.Optional(Ratio('Of the volume of all, to six digits; absent where that is 0 or not known.')),
    traders: Count(
      'Distinct wallets. Over 24h and 7d an estimate, with a standard error of 1.6 %, and no more than swaps.',
    ),
    revert_rate: Type.Optional(
      Ratio(
        'Transactions that reverted, of those and the ones that landed, on a curve or the AMM: reverted trades of equities are not known. Absent where reverted ones are not known of all of the window, where a source leaves out what failed, and where there was neither.',
      ),
    ),
    median_tip: Type.Optional(
      Digits('Lamports that its transactions paid in tips, of those that paid any; absent without one.'),
    ),
    median_cu_price: Type.Optional(
      Digits(
        'Micro-lamports a compute unit that its transactions bid, of those with a swap on a curve whose budget is known; absent without one.',
      ),
    ),
  },
  { $id: 'RouterRow' },
);
export type RouterRow = Static<typeof RouterRow>;

export const RouterFlow = Type.Object(
  {
    window: Type.Enum([...FEE_WINDOW_NAMES], { type: 'string', description: 'As asked for.' }),
    swaps: Count('All swaps of the window, those of routers that are not listed among them.'),
    volume: Type.Optional(
      Digits(
        'Lamports: SOL as it is, dollars by the newest price of SOL. Other quotes count nothing. Absent where there are dollars while that price is not known.',
      ),
    ),
    data: Type.Array(RouterRow, { description: 'Direct swaps first, whether there are any, then most volume first.' }),
    since: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The day, in UTC, from which on swaps tell what routed them: none from before it is counted.',
    }),
    whole_since: Type.Optional(Timestamp('From when on no block is missing; absent when that is all of the window.')),
  },
  { $id: 'RouterFlow' },
);
export type RouterFlow = Static<typeof RouterFlow>;

export const routersExample = {
  ...{ window: '1h', swaps: 2_104_332, volume: '41209311842091' },
  data: [
    {
      ...{ router: '', swaps: 902_110, volume: '15120000000000', share: 0.366907, traders: 41_022 },
      ...{ revert_rate: 0.218441, median_tip: '1000000', median_cu_price: '250000' },
    },
    {
      ...{ router: 'FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9', router_name: 'Axiom' },
      ...{ swaps: 611_402, volume: '13020000000000', share: 0.315947, traders: 30_501 },
      ...{ revert_rate: 0.104302, median_tip: '2000000', median_cu_price: '400000' },
    },
  ],
  since: ROUTERS_KNOWN_SINCE,
} satisfies RouterFlow;

export const listRouters = defineRoute({
  path: '/routers',
  tag: 'tokens',
  name: 'listRouters',
  summary: 'What swaps go through, by router',
  description: `Swaps of every venue, or of one, in the window that ends with the newest block, by the top-level program that they went through: direct ones first, then at most ${MAX_ROUTERS - 1} routers. 5m and 1h begin at a second of block time, the others at its minute, their wallets at the hour of that. Medians of 5m and 1h are exact, those of 24h and 7d of amounts to three digits, less than 1 % too low. The rules are in docs/rules.md. Made again every few seconds.`,
  access: 'key',
  pages: true,
  query: {
    window: windowParameter({
      windows: FEE_WINDOW_SECONDS,
      fallback: '1h',
      description: 'How far back; a duration that is as long as one of these is that one.',
    }),
    venue: parameter<VenueWord | undefined>({
      schema: Type.Enum([...VENUES], {
        type: 'string',
        description: 'Only this one: 0 = bonding curve, 1 = AMM pool, 2 = tokenized equity.',
      }),
      parse: (text) => VENUES.find((word) => word === text),
      absent: undefined,
      error: 'invalid_param',
      expected: `must be one of ${VENUES.join(', ')}`,
    }),
  },
  price: flatPrice(2),
  response: RouterFlow,
  errors: ['warming_up'],
  examples: { routers: routersExample },
});
