import { type Static, Type } from 'typebox';
import { windowParameter } from '../../contract/duration.ts';
import { flatPrice } from '../../contract/price.ts';
import { ProviderTips } from '../../contract/provider-tips.ts';
import { defineRoute } from '../../contract/route.ts';
import { Count, Digits, SinceTime } from '../../contract/scalars.ts';
import { TIP_WINDOWS, type TipWindowName } from './contract-limits.ts';

/** Sums over all tokens, and since when they are whole. */

const TipsByProvider = Type.Object({
  window: Type.Enum(Object.keys(TIP_WINDOWS) as TipWindowName[], { type: 'string', description: 'As asked for.' }),
  providers: Type.Array(ProviderTips, { description: 'Most lamports first.' }),
  since: SinceTime,
});

const BEFORE = 'of the 24 hours before; absent unless all of their blocks are known.';

export const LaunchpadDay = Type.Object(
  {
    volume: Digits('Lamports of the swaps in SOL, net of fees.'),
    volume_prev: Type.Optional(Digits(`The same ${BEFORE}`)),
    trades: Count('Swaps in any quote.'),
    trades_prev: Type.Optional(Count(`The same ${BEFORE}`)),
    new_tokens: Count('Tokens created.'),
    new_tokens_prev: Type.Optional(Count(`The same ${BEFORE}`)),
    graduated: Count('Migrations to the AMM.'),
    graduated_prev: Type.Optional(Count(`The same ${BEFORE}`)),
    since: SinceTime,
  },
  { $id: 'LaunchpadDay' },
);
export type LaunchpadDay = Static<typeof LaunchpadDay>;

export const tipsExample = {
  window: '1h',
  providers: [{ provider: 'Jito', count: 120_331, lamports: '410233000000' } satisfies ProviderTips],
};

export const launchpadExample = {
  ...{ volume: '412093118420917', volume_prev: '398110002911040', trades: 3_104_511, trades_prev: 2_998_020 },
  ...{ new_tokens: 24_310, new_tokens_prev: 23_877, graduated: 201, graduated_prev: 188 },
} satisfies LaunchpadDay;

export const tipsByProvider = defineRoute({
  path: '/tips/by-provider',
  tag: 'tokens',
  name: 'tipsByProvider',
  summary: 'Tips by the provider that got them',
  description:
    'Of all transactions that tipped a known wallet and landed, in the window that ends with the newest block. 5m and 1h begin at a second of block time, the others at its minute. In blocks that an older version stored, a transaction that tips two wallets of a provider counts twice.',
  access: 'key',
  pages: true,
  query: {
    window: windowParameter({
      windows: tipWindowSeconds(),
      fallback: '1h',
      description: 'How far back; a duration that is as long as one of these is that one.',
    }),
  },
  price: flatPrice(1),
  response: TipsByProvider,
  errors: ['warming_up'],
  examples: { tips: tipsExample },
});

function tipWindowSeconds(): Readonly<Record<TipWindowName, number>> {
  const entries = Object.entries(TIP_WINDOWS).map(([name, { seconds }]) => [name, seconds]);
  return Object.fromEntries(entries) as Record<TipWindowName, number>;
}

export const launchpadDay = defineRoute({
  path: '/launchpad-24h',
  tag: 'tokens',
  name: 'launchpadDay',
  summary: 'The launchpad in 24 hours, and in the 24 hours before',
  description:
    'Swaps on bonding curves, tokens created and migrations to the AMM, by minutes: of the minute of the newest block and the 1,440 before it, and of the 1,440 before those.',
  access: 'key',
  pages: true,
  query: {},
  price: flatPrice(1),
  response: LaunchpadDay,
  errors: ['warming_up'],
  examples: { day: launchpadExample },
});
