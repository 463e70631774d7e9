import { instantText, jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import { ratioPrice } from '../../token/price-string.ts';
import type { PositionSums } from '../holders/position-reads.ts';
import type { Intelligence as IntelligenceAnswer, IntelligenceEvent, IntelligenceWallet } from './contract-shapes.ts';
import type { WalletEvent } from './event-rules.ts';
import type { Intelligence, SniperFigures } from './intelligence-rules.ts';
import { firstSlotOf, type WalletView } from './wallet-rules.ts';

const SOL_DECIMALS = 9;

/** Fields of the body besides those that were analysed. */
export interface IntelligenceFrame {
  readonly mint: Address;
  /** Unix milliseconds. */
  readonly madeAt: number;
  /** Unix seconds; 0 while nothing is known to begin with. */
  readonly windowStart: number;
  readonly supported: boolean;
  readonly partial: boolean;
  readonly supplySource: IntelligenceAnswer['supply_source'] | undefined;
  readonly sums: PositionSums;
  readonly tokenDecimals: number | undefined;
}

/** The answer's bytes. Whatever is undefined is left out. */
export function intelligenceBody(frame: IntelligenceFrame, found: Intelligence): Buffer {
  const { sums } = frame;
  const { source, reconciliation } = found.holdings;
  return jsonBody({
    mint: frame.mint,
    updated_at: instantText(frame.madeAt),
    window_start: knownTime(frame.windowStart),
    supported: frame.supported,
    partial: frame.partial,
    supply_source: frame.supplySource,
    pnl: { ...(frame.supported ? pnlFields(found) : {}), source },
    snipers: found.snipers && sniperFields(found.snipers),
    wallets: found.wallets.map((view) => walletRow(view, frame)),
    events: found.events.map(eventRow),
    buy_sol: String(sums.buy_sol),
    sell_sol: String(sums.sell_sol),
    buyers: sums.buyers,
    sellers: sums.sellers,
    pattern: found.pattern,
    untraced_supply_pct: reconciliation.untracedPct,
    balances_unreconciled: reconciliation.unreconciled,
  } satisfies Written<IntelligenceAnswer>);
}

function pnlFields({ pnl }: Intelligence): Partial<Written<IntelligenceAnswer['pnl']>> {
  if (pnl === undefined) return {};
  const { profit, loss, flat, unknown } = pnl;
  return { total: profit + loss + flat + unknown, profit, loss, flat, unknown };
}

function sniperFields(figures: SniperFigures): Written<NonNullable<IntelligenceAnswer['snipers']>> {
  const { total, holding, closed, unknown, supplyPct, partial, maxSlots } = figures;
  return { total, holding, closed, unknown, supply_pct: supplyPct, partial, max_slots: maxSlots };
}

function walletRow(view: WalletView, frame: IntelligenceFrame): Written<IntelligenceWallet> {
  const { walletBalance, pnl, funding } = view;
  const first = walletBalance.positions.map(({ first_time }) => first_time);
  const last = walletBalance.positions.map(({ last_time }) => last_time);
  return {
    wallet: walletBalance.wallet,
    roles: view.roles,
    token_balance: view.balance?.toString(),
    supply_pct: view.supplyPct,
    tokens_bought: String(walletBalance.bought),
    tokens_sold: String(walletBalance.sold),
    transferred_in: view.movedIn?.toString(),
    transferred_out: view.movedOut?.toString(),
    ...tradeFields(view, frame),
    realized_pnl: pnl.realized?.toString(),
    unrealized_pnl: pnl.unrealized?.toString(),
    pnl_status: pnl.status,
    holding_state: view.state,
    first_slot: firstSlotOf(walletBalance),
    slots_after_creation: view.slotsAfterCreation,
    block_index: view.firstPlace,
    first_trade_at: first.length === 0 ? undefined : knownTime(Math.min(...first)),
    last_trade_at: last.length === 0 ? undefined : knownTime(Math.max(...last)),
    funder: funding?.funder,
    funder_label: funding?.label,
    bundle: view.bundle,
  };
}

/** Of wallets that traded in SOL alone: sums in several quotes mean nothing. */
function tradeFields(
  { walletBalance, balance }: WalletView,
  { tokenDecimals }: IntelligenceFrame,
): Partial<Written<IntelligenceWallet>> {
  const [position] = walletBalance.positions;
  if (position === undefined || walletBalance.positions.length > 1 || position.quote_mint !== '') return {};
  const { quote_invested, quote_received } = position;
  const { basis, basis_tokens } = walletBalance.result ?? position;
  // A balance and its cost are told only where ownership is.
  const isCostTold = balance !== undefined && balance > 0n && basis_tokens !== 0n && tokenDecimals !== undefined;
  return {
    sol_invested: String(quote_invested),
    sol_received: String(quote_received),
    avg_cost: isCostTold
      ? ratioPrice({ quote: basis, token: basis_tokens, quoteDecimals: SOL_DECIMALS, tokenDecimals })
      : undefined,
  };
}

function eventRow(event: WalletEvent): Written<IntelligenceEvent> {
  return {
    time: knownTime(event.time),
    slot: event.slot,
    sig: encodeSignature(event.signature),
    ix_index: event.ix_index,
    kind: event.kind,
    wallet: event.wallet,
    roles: event.roles,
    is_buy: event.isBuy,
    sol_amount: event.solAmount?.toString(),
    token_amount: String(event.tokenAmount),
    supply_pct: event.supplyPct,
    counterparty: event.counterparty,
  };
}
