import { type Static, Type } from 'typebox';
import { windowParameter } from '../../contract/duration.ts';
import { parameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Count, Digits, SinceTime, Text, Venue } from '../../contract/scalars.ts';
import {
  BID_DIGITS,
  LANDING_VENUES,
  LANDING_WINDOWS,
  type LandingWindowName,
  MAX_REASONS,
  SLOTS_BEHIND,
} from './contract-landing-limits.ts';

const REVERTED_UNKNOWN = 'absent where reverted transactions are not known';
const Rate = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: `Landed, of all attempts; absent without any, and ${REVERTED_UNKNOWN}.`,
  }),
);
const Attempts = Type.Optional(Count(`Transactions, landed and reverted; ${REVERTED_UNKNOWN}.`));

const Bids = Type.Object(
  {
    p25: Digits('A quarter of all attempts bid no more.'),
    p50: Digits('Half of them.'),
    p75: Digits('Three quarters.'),
    p90: Digits('Nine tenths.'),
    p99: Digits('99 of 100.'),
  },
  { $id: 'Bids' },
);
const BidsOf = (description: string) => Type.Optional(Type.Object(Bids.properties, { description }));

const RevertedByWhy = Type.Object(
  {
    why: Type.Optional(Text('Decoded reason; absent where it is not known.')),
    attempts: Count('Transactions.'),
  },
  { $id: 'RevertedByWhy' },
);

const LandingAtOffset = Type.Object(
  {
    slots_after_creation: Type.Integer({
      ...{ minimum: 0, maximum: SLOTS_BEHIND - 1 },
      description: 'Slots behind the creation of the youngest token that a transaction traded; 0 is its own.',
    }),
    attempts: Attempts,
    landed: Count('Those that landed.'),
    median_cu_price: Type.Optional(Digits('Micro-lamports a compute unit; absent where no bid is known.')),
    median_tip: Type.Optional(
      Digits('Lamports that those that landed paid; absent where none did whose bid is known.'),
    ),
  },
  { $id: 'LandingAtOffset' },
);

const LandingByClient = Type.Object(
  {
    client: Text('That the leaders of the slots run; `unknown` where it, or who led, is not known.'),
    slots: Count('Slots with a block.'),
    attempts: Attempts,
    land_rate: Rate,
  },
  { $id: 'LandingByClient' },
);

export const LandingConditions = Type.Object(
  {
    window: Type.Enum(Object.keys(LANDING_WINDOWS) as LandingWindowName[], {
      type: 'string',
      description: 'As asked for.',
    }),
    venue: Venue,
    attempts: Attempts,
    landed: Count('Transactions that traded.'),
    land_rate: Rate,
    reverted_by_why: Type.Optional(
      Type.Array(RevertedByWhy, { description: `The ${MAX_REASONS} commonest reasons; ${REVERTED_UNKNOWN}.` }),
    ),
    cu_price: BidsOf('Micro-lamports a compute unit.'),
    priority_fee: BidsOf('Lamports.'),
    tip: BidsOf('Lamports; of reverted attempts as much as their payers had.'),
    bid_digits: Type.Optional(
      Count('Digits that are left of bids, which are rounded down: of windows whose bids are not exact.'),
    ),
    by_slot_offset: Type.Array(LandingAtOffset, {
      description: 'Slots with attempts, of tokens whose creation was seen.',
    }),
    by_client: Type.Array(LandingByClient, { description: 'Most slots first.' }),
    unknown_budget: Count('Attempts whose budget nobody told (`budget_source` 2): in no bid.'),
    unmeasured: Count('Attempts of a venue whose budgets are not measured: in no bid. None on the curve.'),
    since: SinceTime,
  },
  { $id: 'LandingConditions' },
);
export type LandingConditions = Static<typeof LandingConditions>;

export const landingExample = {
  ...{ window: '1h', venue: 0, attempts: 1_482_301, landed: 1_020_114, land_rate: 0.6882 },
  reverted_by_why: [
    { why: 'TooMuchSolRequired', attempts: 201_337 },
    { why: 'BuySlippageBelowMinTokensOut', attempts: 150_420 },
  ],
  cu_price: { p25: '100000', p50: '500000', p75: '1300000', p90: '5000000', p99: '41000000' },
  priority_fee: { p25: '12000', p50: '75000', p75: '240000', p90: '1000000', p99: '5000000' },
  tip: { p25: '0', p50: '100000', p75: '1000000', p90: '2500000', p99: '30000000' },
  bid_digits: BID_DIGITS,
  by_slot_offset: [
    {
      ...{ slots_after_creation: 0, attempts: 4_120, landed: 2_915 },
      ...{ median_cu_price: '1200000', median_tip: '1000000' },
    },
  ],
  by_client: [{ client: 'Jito', slots: 9_412, attempts: 801_220, land_rate: 0.7012 }],
  ...{ unknown_budget: 20_114, unmeasured: 0 },
} satisfies LandingConditions;

export const landingConditions = defineRoute({
  path: '/landing-conditions',
  tag: 'tokens',
  name: 'landingConditions',
  summary: 'What it took lately to land a trade',
  description: `Of transactions that traded at a venue, or tried to and reverted, each counted once, by others than the protocol's own actors; those that came without their block are left out. Windows end with the newest block. 5m begins at a second of block time and its bids are exact; 1h and 24h begin at their minute, and of their bids ${BID_DIGITS} digits are left (\`bid_digits\`). Bids are those of the curve, of landed and reverted attempts alike; AMM and equities are counted alone (\`unmeasured\`). Where the source tells of no failed transactions, and of equities always, those that landed are all that is known: \`attempts\` and \`land_rate\` are absent then. \`since\` says from when on nothing is missing, where that is later than the window begins. The rules are in docs/rules.md. Made again every few seconds.`,
  access: 'key',
  pages: true,
  query: {
    window: windowParameter({
      windows: windowSeconds(),
      fallback: '1h',
      description: 'How far back; a duration that is as long as one of these is that one.',
    }),
    venue: parameter({
      schema: Type.Enum(LANDING_VENUES.map(String), {
        type: 'string',
        default: '0',
        description: '0 = bonding curve, 1 = AMM, 2 = tokenized equities.',
      }),
      parse: (text) => LANDING_VENUES.find((venue) => String(venue) === text),
      absent: 0 as const,
      error: 'invalid_param',
      expected: 'must be 0, 1 or 2',
    }),
  },
  price: flatPrice(5),
  response: LandingConditions,
  errors: ['warming_up'],
  examples: { conditions: landingExample },
});

function windowSeconds(): Readonly<Record<LandingWindowName, number>> {
  const entries = Object.entries(LANDING_WINDOWS).map(([name, { seconds }]) => [name, seconds]);
  return Object.fromEntries(entries) as Record<LandingWindowName, number>;
}

export const LANDING_ROUTES: readonly RouteContract[] = [landingConditions];
