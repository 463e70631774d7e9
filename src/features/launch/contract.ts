import { addressParameter, countParameter, limitParameter } from '../../contract/parameter.ts';
import { flatPrice, ROW_RULE, rowPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { firstBuyerExample, launchExample, launchRaceExample, mempoolBuyersExample } from './contract-examples.ts';
import {
  LAUNCH_SWAPS,
  MAX_FIRST_BUYERS,
  MAX_LAUNCH_SWAPS,
  MAX_MEMPOOL_DAYS,
  MAX_RACE_SLOTS,
  RACE_SLOTS,
} from './contract-limits.ts';
import { FirstBuyers, Launch, LaunchRace, MempoolBuyers } from './contract-shapes.ts';

const mint = addressParameter('invalid_mint', 'Token address.');

export const getLaunch = defineRoute({
  path: '/tokens/{mint}/launch',
  tag: 'tokens',
  name: 'getLaunch',
  summary: 'Who bought together at the launch',
  description:
    'The first `limit` swaps from the creation on, in runs of transactions that landed next to each other. Neighbours are decided against all swaps of the token, not only those that are looked at. A bundle is evidence of one hand, not proof of it.',
  access: 'key',
  pages: true,
  params: { mint },
  query: { limit: limitParameter(LAUNCH_SWAPS, MAX_LAUNCH_SWAPS) },
  price: flatPrice(8),
  response: Launch,
  absent: 'token_not_found',
  examples: { launch: launchExample },
});

export const getLaunchRace = defineRoute({
  path: '/tokens/{mint}/launch-race',
  tag: 'tokens',
  name: 'getLaunchRace',
  summary: 'Who raced to buy first, what they bid and what came of it',
  description:
    'Every transaction that bought or tried to buy in the slot of the creation and the `slots` − 1 behind it, in order of arrival. The winner is the first wallet in by another hand than the creator’s. Attempts whose compute budget was not available take part in no comparison of bids.',
  access: 'key',
  params: { mint },
  query: {
    slots: countParameter({
      fallback: RACE_SLOTS,
      max: MAX_RACE_SLOTS,
      error: 'invalid_slots',
      description: "Slots to look at, the creation's first.",
    }),
  },
  price: {
    rule: '10 + 2*ceil(max(0, slots-30)/30)',
    compute: ({ slots }) => 10 + 2 * Math.ceil(Math.max(0, slots - RACE_SLOTS) / 30),
  },
  pricedBy: ['slots'],
  response: LaunchRace,
  absent: 'token_not_found',
  examples: { race: launchRaceExample },
});

export const listFirstBuyers = defineRoute({
  path: '/tokens/{mint}/first-buyers',
  tag: 'tokens',
  name: 'listFirstBuyers',
  summary: 'The first wallets that bought, and what they still hold',
  description:
    "In order of each wallet's first buy, without the protocol's own wallets. What they hold is what trades tell: tokens that were sent are not in it.",
  access: 'key',
  params: { mint },
  query: { limit: limitParameter(50, MAX_FIRST_BUYERS) },
  price: { rule: ROW_RULE, compute: ({ limit }) => rowPrice(limit) },
  pricedBy: ['limit'],
  response: FirstBuyers,
  absent: 'token_not_found',
  examples: { buyers: { data: [firstBuyerExample] } },
});

const days = countParameter({
  fallback: 1,
  max: MAX_MEMPOOL_DAYS,
  error: 'invalid_days',
  description: 'Days to look back.',
});

export const getMempoolBuyers = defineRoute({
  path: '/mempool-buyers',
  tag: 'tokens',
  name: 'getMempoolBuyers',
  summary: 'Wallets that tried to buy tokens before they were created',
  description:
    "A row stands for failed buys of a token in slots before its creation's. Worked out in the background from whole blocks, within about half a minute.",
  access: 'key',
  query: { days },
  price: { rule: '10 + ceil((days-1)/10)', compute: (query) => 10 + Math.ceil((query.days - 1) / 10) },
  pricedBy: ['days'],
  response: MempoolBuyers,
  examples: { buyers: mempoolBuyersExample },
});

export const LAUNCH_ROUTES = [getLaunch, getLaunchRace, listFirstBuyers, getMempoolBuyers] as const;
