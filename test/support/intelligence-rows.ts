import type { Address } from '../../src/chain/address.ts';
import { TOKEN_PROGRAM } from '../../src/chain/well-known.ts';
import {
  type IntelligenceRows,
  type OwnershipRows,
  settleHoldings,
} from '../../src/features/intelligence/intelligence-rules.ts';
import type {
  LaunchSwap,
  NotableMove,
  NotableSwap,
  StrictResult,
  TradePosition,
  WalletFlow,
} from '../../src/features/intelligence/rule-rows.ts';
import { analyseLaunch } from '../../src/features/launch/launch-rules.ts';
import type { HydratedTokenRow } from '../../src/store/clickhouse/schema/background-tables.ts';
import type { SwapRow, TokenCreationRow } from '../../src/store/clickhouse/schema/tables.ts';
import { address } from './token-world-rows.ts';

/** A million tokens of no decimals. */
export const SUPPLY = 1_000_000n;
export const MINT = address(11);
export const DEV = address(20);
export const CREATED_SLOT = 1_000;
export const NOW = 1_790_000_000;

/** A wallet that bought `bought` for as many lamports and sold `sold` at `price` each. */
export function position(
  wallet: Address,
  bought: bigint,
  sold = 0n,
  more: Partial<TradePosition> & { readonly price?: bigint } = {},
): TradePosition {
  const { price = 1n, ...rest } = more;
  const left = bought > sold ? bought - sold : 0n;
  return {
    ...{ quote_mint: '', trader: wallet, slot: CREATED_SLOT, first_slot: CREATED_SLOT },
    ...{ token_balance: bought - sold, tokens_bought: bought, tokens_sold: sold },
    ...{ quote_invested: bought, quote_received: sold * price, basis: left, basis_tokens: left },
    ...{ realized_pnl: sold * price - (bought - left), pnl_known: sold <= bought },
    ...{ buys: bought > 0n ? 1 : 0, sells: sold > 0n ? 1 : 0, first_time: NOW - 60, last_time: NOW - 30 },
    ...rest,
  };
}

export function flow(wallet: Address, more: Partial<WalletFlow>): WalletFlow {
  return { wallet, received: 0n, sent: 0n, burnt: 0n, provided: 0n, unexplained: 0n, ...more };
}

/** Cost and result of a wallet that moved tokens outside of trades. */
export function result(wallet: Address, more: Partial<StrictResult>): StrictResult {
  const inSol = { wallet, slot: CREATED_SLOT, quote_mint: '', quotes: 1 } as const;
  return { ...inSol, basis: 0n, basis_tokens: 0n, realized_pnl: 0n, pnl_known: true, ...more };
}

export function launchBuy(
  wallet: Address,
  slot: number,
  block_index: number,
  more: Partial<LaunchSwap> = {},
): LaunchSwap {
  return {
    slot,
    block_index,
    ix_index: 0,
    time: NOW - 60,
    trader: wallet,
    is_buy: true,
    token_amount: 1_000n,
    protocol_actor: false,
    ...more,
  };
}

export function swap(
  wallet: Address,
  slot: number,
  token_amount: bigint,
  more: Partial<NotableSwap> = {},
): NotableSwap {
  const signature = new Uint8Array(64).fill(slot % 251);
  return {
    slot,
    block_index: 3,
    ix_index: 1,
    time: NOW - 10,
    signature,
    trader: wallet,
    is_buy: false,
    quote_mint: '',
    quote_amount: 7n,
    token_amount,
    ...more,
  };
}

export function move(wallet: Address, slot: number, amount: bigint, receiver: Address | ''): NotableMove {
  const { block_index, ix_index, time, signature } = swap(wallet, slot, amount);
  return { slot, block_index, ix_index, time, signature, wallet, amount, receiver, isBurn: receiver === '' };
}

/** A token whose launch was seen. `launchSwaps` are the launch's. */
export function intelligenceRows(
  given: Partial<Omit<IntelligenceRows, 'holdings' | 'facts'>> & {
    readonly ownership?: Partial<OwnershipRows>;
    readonly launchSwaps?: readonly LaunchSwap[];
    readonly slotMs?: number | undefined;
    readonly isLaunchSeen?: boolean;
  },
): IntelligenceRows {
  const { ownership, launchSwaps = [], isLaunchSeen = true, ...rest } = given;
  const slotMs = 'slotMs' in given ? given.slotMs : 200;
  const supply = 'supply' in given ? given.supply : SUPPLY;
  const creation = { creator: DEV, slot: CREATED_SLOT, partial: false } as TokenCreationRow;
  const rows = launchSwaps.map(
    (each) =>
      ({
        ...each,
        quote_mint: '',
        quote_amount: 1n,
        partial: false,
        signature: new Uint8Array(64).fill(each.block_index % 251),
        fee_payer: each.trader,
      }) as SwapRow,
  );
  const holdings = settleHoldings({
    ...{ supply, positions: [], flows: [], results: [], isWhole: true, onchain: undefined, isNobody: () => false },
    ...ownership,
  });
  const analysis = analyseLaunch({ mint: MINT, creation: isLaunchSeen ? creation : undefined, supply, swaps: rows });
  const launch = { creator: DEV, createdSlot: CREATED_SLOT, swaps: launchSwaps, complete: true, isWhole: true, slotMs };
  return {
    ...{
      price: { quote: 1n, token: 1n },
      clusters: [],
      fundings: new Map(),
      swaps: [],
      moves: [],
      buyers: 0,
      isHandedOut: false,
      now: NOW,
    },
    ...rest,
    ...{ supply, holdings, facts: { launch: isLaunchSeen ? launch : undefined, analysis } },
  };
}

/** A buy of ten units for ten lamports on the curve, as the store has it. */
export function storedBuy(mint: Address, trader: Address, more: Partial<SwapRow>): SwapRow {
  return {
    ...{ mint, slot: CREATED_SLOT, block_index: 4, ix_index: 1, time: NOW, signature: new Uint8Array(64) },
    ...{ partial: false, venue: 0, pool: '', trader, is_buy: true, quote_mint: '', quote_decimals: 9 },
    ...{ token_decimals: 6, quote_amount: 10n, token_amount: 10n, price_quote: 10n, price_token: 10n, price: 1 },
    ...{ fee: 0n, creator_fee: 0n, lp_fee: 0n, fee_in_token: false, fee_creator: '', priced: true },
    ...{ virtual_quote_reserves: 0n, virtual_token_reserves: 0n, real_quote_reserves: 0n, real_token_reserves: 0n },
    ...{ reserves_known: false, protocol_actor: false, bundled: 0, fee_payer: trader, router: '', tip: 0n },
    ...{ tip_wallet: '', cu_price: 0n, cu_limit: 0, priority_fee: 0n, budget_source: 0, network_fee: 0n },
    signatures: 1,
    ...more,
  };
}

/** The accounts' row of a token that never was on the launchpad: a billion of it. */
export function hydratedToken(mint: Address, more: Partial<HydratedTokenRow>): HydratedTokenRow {
  return {
    ...{ mint, slot: CREATED_SLOT, checked_at: NOW, retry_at: 0, found: true, named: false, name: '', symbol: '' },
    ...{ uri: '', decimals: 6, supply: 10n ** 15n, token_program: TOKEN_PROGRAM, bonding_curve: '', complete: false },
    ...{ fee_creator: '', quote_mint: '', mayhem: false, cashback: false, holder_reward: false },
    ...{ creator_fee_bps: 0, curve_depth: 0, pool: '' },
    ...more,
  };
}
