import { instantJson, quoteJson, timeJson } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import { ratioPrice } from '../../token/price-string.ts';
import type { PositionSums } from '../holders/position-reads.ts';
import type { WalletEvent } from './event-rules.ts';
import type { Intelligence, SniperFigures } from './intelligence-rules.ts';
import type { WalletView } from './wallet-rules.ts';

const SOL_DECIMALS = 9;

/** What the body says besides what was analysed. */
export interface IntelligenceFrame {
  readonly mint: Address;
  /** Unix milliseconds. */
  readonly madeAt: number;
  /** Unix seconds; 0 while nothing is known to begin with. */
  readonly windowStart: number;
  readonly supported: boolean;
  readonly partial: boolean;
  readonly supplySource: string | undefined;
  readonly sums: PositionSums;
  readonly tokenDecimals: number | undefined;
}

/** The answer's bytes. Whatever is undefined is left out. */
export function intelligenceBody(frame: IntelligenceFrame, found: Intelligence): Buffer {
  const { mint, madeAt, windowStart, supplySource, sums } = frame;
  const { source, reconciliation } = found.holdings;
  return Buffer.from(
    `{"mint":"${mint}","updated_at":${instantJson(madeAt)}` +
      (windowStart === 0 ? '' : `,"window_start":${timeJson(windowStart)}`) +
      `,"supported":${frame.supported},"partial":${frame.partial}` +
      (supplySource === undefined ? '' : `,"supply_source":"${supplySource}"`) +
      `,"pnl":{${pnlFields(found)}"source":"${source}"}` +
      (found.snipers === undefined ? '' : `,"snipers":${snipersJson(found.snipers)}`) +
      `,"wallets":[${found.wallets.map((view) => walletJson(view, frame)).join(',')}]` +
      `,"events":[${found.events.map(eventJson).join(',')}]` +
      `,"buy_sol":"${sums.buy_sol}","sell_sol":"${sums.sell_sol}","buyers":${sums.buyers},"sellers":${sums.sellers}` +
      `,"pattern":"${found.pattern}","untraced_supply_pct":${reconciliation.untracedPct}` +
      `,"balances_unreconciled":${reconciliation.unreconciled}}`,
  );
}

function pnlFields({ pnl }: Intelligence): string {
  if (pnl === undefined) return '';
  const { profit, loss, flat, unknown } = pnl;
  const total = profit + loss + flat + unknown;
  return `"total":${total},"profit":${profit},"loss":${loss},"flat":${flat},"unknown":${unknown},`;
}

function snipersJson({ total, holding, closed, unknown, supplyPct, partial, maxSlots }: SniperFigures): string {
  return (
    `{"total":${total},"holding":${holding},"closed":${closed},"unknown":${unknown}${number('supply_pct', supplyPct)}` +
    `,"partial":${partial}${number('max_slots', maxSlots)}}`
  );
}

function walletJson(view: WalletView, frame: IntelligenceFrame): string {
  const { ledger, pnl, funding } = view;
  const { positions } = ledger;
  const first = Math.min(...positions.map(({ first_time }) => first_time));
  const last = Math.max(...positions.map(({ last_time }) => last_time));
  return (
    `{"wallet":"${ledger.wallet}","roles":${JSON.stringify(view.roles)}` +
    digits('token_balance', view.balance) +
    number('supply_pct', view.supplyPct) +
    `,"tokens_bought":"${ledger.bought}","tokens_sold":"${ledger.sold}"` +
    digits('transferred_in', view.movedIn) +
    digits('transferred_out', view.movedOut) +
    tradeFields(view, frame) +
    digits('realized_pnl', pnl.realized) +
    digits('unrealized_pnl', pnl.unrealized) +
    `,"pnl_status":"${pnl.status}","holding_state":"${view.state}"` +
    (positions.length === 0 ? '' : number('first_slot', Math.min(...positions.map(({ first_slot }) => first_slot)))) +
    number('slots_after_creation', view.slotsAfterCreation) +
    number('block_index', view.firstPlace) +
    (positions.length === 0 || first === 0 ? '' : `,"first_trade_at":${timeJson(first)}`) +
    (positions.length === 0 || last === 0 ? '' : `,"last_trade_at":${timeJson(last)}`) +
    (funding?.funder === undefined ? '' : `,"funder":"${funding.funder}"`) +
    (funding?.label === undefined ? '' : `,"funder_label":${quoteJson(funding.label)}`) +
    number('bundle', view.bundle) +
    '}'
  );
}

/** Of wallets that traded in SOL alone: sums in several quotes mean nothing. */
function tradeFields({ ledger, balance }: WalletView, { tokenDecimals }: IntelligenceFrame): string {
  const [position] = ledger.positions;
  if (position === undefined || ledger.positions.length > 1 || position.quote_mint !== '') return '';
  const { basis, basis_tokens, quote_invested, quote_received } = position;
  const invested = `,"sol_invested":"${quote_invested}","sol_received":"${quote_received}"`;
  // What is held, and what it cost, is told only where ownership is.
  if (balance === undefined || balance <= 0n || basis_tokens === 0n || tokenDecimals === undefined) return invested;
  const cost = ratioPrice({ quote: basis, token: basis_tokens, quoteDecimals: SOL_DECIMALS, tokenDecimals });
  return `${invested},"avg_cost":"${cost}"`;
}

function eventJson(event: WalletEvent): string {
  const { time, slot, signature, ix_index, kind, wallet, roles, isBuy, counterparty } = event;
  return (
    `{${time === 0 ? '' : `"time":${timeJson(time)},`}"slot":${slot},"sig":"${encodeSignature(signature)}"` +
    `,"ix_index":${ix_index},"kind":"${kind}","wallet":"${wallet}","roles":${JSON.stringify(roles)}` +
    (isBuy === undefined ? '' : `,"is_buy":${isBuy}`) +
    digits('sol_amount', event.solAmount) +
    digits('token_amount', event.tokenAmount) +
    number('supply_pct', event.supplyPct) +
    (counterparty === undefined ? '' : `,"counterparty":"${counterparty}"`) +
    '}'
  );
}

function digits(name: string, value: bigint | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}

function number(name: string, value: number | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`;
}
