import { type Static, Type } from 'typebox';
import { choiceParameter, countParameter } from '../../contract/parameter.ts';
import { flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count, Digits, Text, Timestamp } from '../../contract/scalars.ts';
import { leaderFields } from '../../contract/token.ts';
import { DISTRIBUTED_BY, FUTURE_SLOTS, MAX_SHARES, OTHER_KEY, PAST_SLOTS } from './contract-limits.ts';

const FromSwaps = 'of transactions with an indexed swap';
const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

export const LeaderSegment = Type.Object(
  {
    start_slot: Count('First slot.'),
    end_slot: Count('Last slot, included.'),
    slots: Count('Slots, four but where the epoch or the turn of its leader ends.'),
    state: Type.Enum(['past', 'active', 'future'], {
      type: 'string',
      description: '`active` is the one that the current slot is in.',
    }),
    ...leaderFields,
    commission: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the rewards.' }),
    delinquent: Type.Boolean({ description: 'It has not voted lately.' }),
    swaps: Type.Optional(Count('Indexed swaps of its slots so far; absent on future ones.')),
    priority_fees: Digits(`Lamports, ${FromSwaps}, each counted once; 0 on future segments.`),
    tips: Digits(`Lamports, ${FromSwaps}, each counted once; 0 on future segments.`),
    fees: Digits('Lamports of the protocol’s fees of swaps in SOL; 0 on future segments.'),
    vol: Type.Optional(Digits('Lamports of the swaps in SOL; absent on future segments.')),
    skipped: Type.Optional(Count('Slots without a block; on past segments.')),
    unknown: Type.Optional(Count('Slots up to now whose block is not indexed, if any: figures are without them.')),
    remaining_slots: Type.Optional(Count('Slots behind the current one; on the active segment.')),
    eta_slots: Type.Optional(Count('Slots from the current one to the first; on future segments.')),
  },
  { $id: 'LeaderSegment' },
);
export type LeaderSegment = Static<typeof LeaderSegment>;

export const SlotFees = Type.Object(
  {
    slot: Count('A slot of a past or active segment whose block is indexed.'),
    identity: Address('Who made it.'),
    swaps: Count('Indexed swaps.'),
    priority_fees: Digits('Lamports, as on segments.'),
    tips: Digits('Lamports, as on segments.'),
  },
  { $id: 'SlotFees' },
);
export type SlotFees = Static<typeof SlotFees>;

export const LeaderSchedule = Type.Object(
  {
    current_slot: Count('Newest indexed slot.'),
    as_of: Type.Optional(Timestamp('Block time of the current slot; absent where its block tells none.')),
    slot_ms: Type.Optional(
      Count('Milliseconds of a slot, measured: the mean of the newest 1,000; absent while too few blocks are known.'),
    ),
    epoch: Count('Epoch of the current slot.'),
    slot_index: Count('Place of the current slot in its epoch, from 0 on.'),
    slots_in_epoch: Count('Slots of the epoch.'),
    segments: Type.Array(LeaderSegment, { description: 'In order of slots.' }),
    slot_fees: Type.Array(SlotFees, { description: 'In order of slots.' }),
  },
  { $id: 'LeaderSchedule' },
);
export type LeaderSchedule = Static<typeof LeaderSchedule>;

export const DistributionRow = Type.Object(
  {
    key: Text(
      `The city, ISO code of the country, data centre as \`ASN name (city)\`, or client; \`${OTHER_KEY}\` for all rows beyond the first ${MAX_SHARES}.`,
    ),
    country: Type.Optional(Text('ISO code of the country; absent by client, and where it is not known.')),
    slots: Count('Slots of the epoch.'),
    pct: Percent('Percent of all slots of the epoch.'),
    validators: Count('Different identities that lead these slots.'),
    lat: Type.Optional(
      Type.Number({ minimum: -90, maximum: 90, description: 'Degrees to a tenth; by city, where it is known.' }),
    ),
    lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'As lat.' })),
  },
  { $id: 'DistributionRow' },
);
export type DistributionRow = Static<typeof DistributionRow>;

export const LeaderDistribution = Type.Object(
  {
    by: Type.Enum([...DISTRIBUTED_BY], { type: 'string', description: 'As asked for.' }),
    epoch: Count('The current epoch.'),
    total_slots: Count('Slots of the epoch.'),
    leader: Type.Optional(Text('Key of the first row; absent without one.')),
    leader_pct: Type.Optional(Percent('Its percent of all slots of the epoch.')),
    unknown_slots: Count('Slots that could not be classified. They count in total_slots and in every percentage.'),
    data: Type.Array(DistributionRow, { description: 'Most slots first.' }),
  },
  { $id: 'LeaderDistribution' },
);
export type LeaderDistribution = Static<typeof LeaderDistribution>;

const IDENTITY = 'HEL1USMZKAL2odpNBj2oCjffnFGaYwmbGmyewGv1e2TU';

const validator = {
  ...{ identity: IDENTITY, name: 'Example Validator', client: 'Jito', version: '4.0.3', relay_flag: true },
  ...{ stake: '15593892916094624', country: 'DE', city: 'Frankfurt', commission: 5, delinquent: false },
};

export const scheduleExample = {
  ...{ current_slot: 351265122, as_of: '2026-08-01T10:00:00Z', slot_ms: 312 },
  ...{ epoch: 813, slot_index: 49122, slots_in_epoch: 432000 },
  segments: [
    {
      ...{ start_slot: 351265116, end_slot: 351265119, slots: 4, state: 'past', ...validator },
      ...{ swaps: 212, priority_fees: '412093118', tips: '901200000', fees: '88120400', vol: '9122000311' },
      skipped: 1,
    },
    {
      ...{ start_slot: 351265120, end_slot: 351265123, slots: 4, state: 'active', ...validator },
      ...{ swaps: 154, priority_fees: '301277102', tips: '611000000', fees: '61288120', vol: '6401220113' },
      remaining_slots: 1,
    },
    {
      ...{ start_slot: 351265124, end_slot: 351265127, slots: 4, state: 'future', ...validator },
      ...{ priority_fees: '0', tips: '0', fees: '0', eta_slots: 2 },
    },
  ],
  slot_fees: [{ slot: 351265122, identity: IDENTITY, swaps: 51, priority_fees: '98120331', tips: '200500000' }],
} satisfies LeaderSchedule;

export const distributionExample = {
  ...{ by: 'city', epoch: 813, total_slots: 432000, leader: 'Frankfurt', leader_pct: 18.12, unknown_slots: 3104 },
  data: [{ key: 'Frankfurt', country: 'DE', slots: 78278, pct: 18.12, validators: 131, lat: 50.1, lon: 8.7 }],
} satisfies LeaderDistribution;

const slotsParameter = (bounds: typeof PAST_SLOTS, description: string) =>
  countParameter({ ...bounds, error: 'invalid_param', description });

export const getLeaders = defineRoute({
  path: '/leaders',
  tag: 'leaders',
  name: 'getLeaders',
  summary: 'Who led the last slots, leads now and leads next',
  description:
    'Around the newest indexed slot, within its epoch. Segments are whole turns of leaders: the first may begin before the slots that were asked for, and the last end behind them. 503 warming_up while the schedule of the epoch is not there yet.',
  access: 'key',
  pages: true,
  query: {
    past: slotsParameter(PAST_SLOTS, 'Slots before the current one.'),
    future: slotsParameter(FUTURE_SLOTS, 'Slots behind the current one.'),
  },
  price: flatPrice(1),
  response: LeaderSchedule,
  errors: ['warming_up'],
  examples: { schedule: scheduleExample },
});

export const getDistribution = defineRoute({
  path: '/leaders/distribution',
  tag: 'leaders',
  name: 'getDistribution',
  summary: 'The slots of the epoch by city, country, data centre or client',
  description:
    'Of all slots of the current epoch, by who leads them. Names of cities are without a timezone before them; Frankfurt am Main is Frankfurt and City of London is London, while districts and Frankfurt (Oder) stand for themselves. 503 warming_up while the schedule of the epoch is not there yet.',
  access: 'key',
  pages: true,
  query: { by: choiceParameter(DISTRIBUTED_BY, 'city', 'invalid_param', 'What slots are counted by.') },
  price: flatPrice(1),
  response: LeaderDistribution,
  etag: true,
  errors: ['warming_up'],
  examples: { distribution: distributionExample },
});

export const LEADER_ROUTES: readonly RouteContract[] = [getLeaders, getDistribution];
