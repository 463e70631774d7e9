import { type Static, Type } from 'typebox';
import { windowParameter } from '../../contract/duration.ts';
import { tokenExample } from '../../contract/examples.ts';
import { flatPrice } from '../../contract/price.ts';
import { ProviderTips } from '../../contract/provider-tips.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count, Decimal, Digits, SignedDigits, SinceTime, Text, Timestamp } from '../../contract/scalars.ts';
import { historyRoute } from './contract-history.ts';
import { ECOSYSTEM_WINDOWS, type EcosystemWindow, MAX_REPORT_ROWS } from './contract-limits.ts';

const MINT = Address('Token address.');
const ShownSymbol = Type.Optional(Text('As its maker wrote it, without control characters; absent while unknown.'));
const CreatedAt = Type.Optional(Timestamp('Block time of the creation.'));
const Status = Type.Optional(Type.Enum(['bonding', 'graduated'], { type: 'string', description: 'As of a snapshot.' }));
const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description });

const TipWallet = Type.Object(
  {
    wallet: Address('A known tip account.'),
    provider: Text('Whose it is.'),
    count: Count('Transactions that tipped it.'),
    lamports: Digits('All that it was tipped.'),
    recurring: Type.Optional(
      Type.Boolean({ description: 'It was tipped in each quarter of the window; absent where blocks are missing.' }),
    ),
  },
  { $id: 'TipWallet' },
);

const Tipper = Type.Object(
  {
    wallet: Address('Who paid the fees of the transactions.'),
    count: Count('Transactions with a swap that tipped.'),
    lamports: Digits('All that they tipped.'),
  },
  { $id: 'Tipper' },
);

const BundledLaunch = Type.Object(
  {
    mint: MINT,
    symbol: ShownSymbol,
    created_at: CreatedAt,
    pct_supply: Type.Number({ minimum: 0, description: 'Bought in bundled transactions, of 1 billion tokens, or 2.' }),
    wallets: Count('Wallets that bought in them.'),
    lamports: Digits('What they paid, net of fees; 0 where the curve is not in SOL.'),
    status: Status,
  },
  { $id: 'BundledLaunch' },
);

const Bundler = Type.Object(
  {
    wallet: Address('It bought in the bundles of several launches.'),
    tokens: Count('Launches, two at least.'),
    lamports: Digits('What it paid in these bundles, net of fees, in SOL.'),
  },
  { $id: 'Bundler' },
);

const TopCreator = Type.Object(
  {
    creator: Address('Who launched them.'),
    tokens: Count('Tokens created in the window.'),
    graduated: Count('Of these, those that have migrated.'),
  },
  { $id: 'TopCreator' },
);

const DevDump = Type.Object(
  {
    mint: MINT,
    symbol: ShownSymbol,
    created_at: CreatedAt,
    sold_pct: Percent('Sold by the creator, of what they bought.'),
    hold_pct: Type.Optional(Type.Number({ minimum: 0, description: 'Of the supply; absent while not known.' })),
    realized_pnl: Type.Optional(
      SignedDigits('Lamports, by average cost; absent while not known, or where it was traded in another quote.'),
    ),
    lamports: Digits('What the creator got by sales in the window, net of fees.'),
    status: Status,
  },
  { $id: 'DevDump' },
);

const Crash = Type.Object(
  {
    mint: MINT,
    symbol: ShownSymbol,
    high: Decimal('Highest price in the window, SOL per token.'),
    cur: Decimal('Newest price.'),
    drawdown: Percent('How far the newest is below the highest.'),
    volume: Digits('Lamports traded in the window.'),
    status: Status,
  },
  { $id: 'Crash' },
);

export const EcosystemReport = Type.Object(
  {
    window: Type.Enum(Object.keys(ECOSYSTEM_WINDOWS) as EcosystemWindow[], {
      type: 'string',
      description: 'As asked for.',
    }),
    rule_version: Count('Of the rules for bundles, dumps, crashes and what is recurring.'),
    new_tokens: Count('Tokens created.'),
    graduated: Count('Migrations to the AMM.'),
    volume: Digits('Lamports of the swaps in SOL, net of fees.'),
    trades: Count('Swaps in any quote.'),
    tips_total: Digits('Lamports of all tips that landed.'),
    tip_swaps_1h: Count('Swaps whose transaction tipped.'),
    active_traders_1h: Count('Wallets that traded, the protocol’s own left out.'),
    buys_1h: Count('Swaps that bought.'),
    sells_1h: Count('Swaps that sold.'),
    fees_1h: Digits('Lamports of the protocol’s fees of swaps in SOL.'),
    creator_fees_1h: Digits('The same for creators.'),
    priority_fees_1h: Digits('Lamports of priority fees, once for each transaction with a swap on a curve.'),
    tip_wallets: Type.Array(TipWallet, { description: 'Most lamports first.' }),
    tippers: Type.Array(Tipper, { description: 'Most lamports first.' }),
    providers: Type.Array(ProviderTips, { description: 'Most lamports first.' }),
    bundled_launches: Type.Array(BundledLaunch, { description: 'Largest share of the supply first.' }),
    bundlers: Type.Array(Bundler, { description: 'Most launches first.' }),
    creators: Type.Array(TopCreator, { description: 'Most tokens first.' }),
    dev_dumps: Type.Optional(
      Type.Array(DevDump, {
        description: 'Most lamports first; absent while sales of the window are still being read.',
      }),
    ),
    crashes: Type.Array(Crash, { description: 'Most volume first.' }),
    since: SinceTime,
  },
  { $id: 'EcosystemReport' },
);
export type EcosystemReport = Static<typeof EcosystemReport>;

const WALLET = 'Eo6pYFYmbXKmvQDzpQ7aUnwhpiebp8pDLtanSqFEv8g1';
const TIP_WALLET = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
const shown = { mint: tokenExample.mint, symbol: 'EXMPL' };

export const ecosystemExample = {
  ...{ window: '1h', rule_version: 1, new_tokens: 1_012, graduated: 9, volume: '18420917000000', trades: 131_004 },
  ...{ tips_total: '410233000000', tip_swaps_1h: 70_112, active_traders_1h: 21_340, buys_1h: 70_001, sells_1h: 61_003 },
  ...{ fees_1h: '171933000000', creator_fees_1h: '54287000000', priority_fees_1h: '91022000000' },
  tip_wallets: [{ wallet: TIP_WALLET, provider: 'Jito', count: 40_121, lamports: '136744000000', recurring: true }],
  tippers: [{ wallet: WALLET, count: 812, lamports: '9120000000' }],
  providers: [{ provider: 'Jito', count: 120_331, lamports: '410233000000' }],
  bundled_launches: [
    {
      ...{ ...shown, created_at: '2026-08-01T09:59:58Z', pct_supply: 12.41, wallets: 4, lamports: '4100000000' },
      status: 'bonding',
    },
  ],
  bundlers: [{ wallet: WALLET, tokens: 3, lamports: '6200000000' }],
  creators: [{ creator: WALLET, tokens: 14, graduated: 1 }],
  dev_dumps: [
    {
      ...{ ...shown, created_at: '2026-08-01T09:59:58Z', sold_pct: 100, hold_pct: 0, realized_pnl: '1200000000' },
      ...{ lamports: '3200000000', status: 'bonding' },
    },
  ],
  crashes: [
    {
      ...{ ...shown, high: '0.000000312', cur: '0.0000000301', drawdown: 90.35, volume: '412093118420' },
      status: 'bonding',
    },
  ],
} satisfies EcosystemReport;

export const ecosystem = defineRoute({
  path: '/ecosystem',
  tag: 'tokens',
  name: 'ecosystem',
  summary: 'The launchpad and its AMM in one report',
  description: `Of the window that ends with the newest block: 1h begins at a second of block time, the others at its minute, lists of tippers and crashes at the hour of that. Figures that end with _1h are always of the last hour. Bundled launches and bundlers are of tokens created in the last hour, for longer windows in the last six. Lists have up to ${MAX_REPORT_ROWS} rows. \`since\` says from when on no block is missing, where that is later than the window begins. The rules are in docs/rules.md. Made again every few seconds.`,
  access: 'key',
  pages: true,
  query: {
    window: windowParameter({
      windows: windowSeconds(),
      fallback: '1h',
      description: 'How far back; a duration that is as long as one of these is that one.',
    }),
  },
  price: flatPrice(1),
  response: EcosystemReport,
  errors: ['warming_up'],
  examples: { report: ecosystemExample },
});

function windowSeconds(): Readonly<Record<EcosystemWindow, number>> {
  const entries = Object.entries(ECOSYSTEM_WINDOWS).map(([name, { seconds }]) => [name, seconds]);
  return Object.fromEntries(entries) as Record<EcosystemWindow, number>;
}

export const ECOSYSTEM_ROUTES: readonly RouteContract[] = [ecosystem, historyRoute];
