import { jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { UNKNOWN_DECIMALS } from '../../store/clickhouse/schema/codes.ts';
import { quoteOfAmounts } from '../../token/row-json.ts';
import { creatorOf, feeCreatorOf, type TokenState } from '../../token/state.ts';
import type { CreatorFees, EarnedFees, FeeCreatorChange, FeeRecipient } from './contract.ts';
import type { CreatorFeeFacts, EarnedFeesRow } from './creator-fee-reads.ts';

/** Fees in one unit: a quote, or the token itself. */
interface UnitSums {
  readonly unit: Unit;
  earned: bigint;
  swaps: number;
  paid: bigint;
  payouts: number;
  lastPaid: number;
}

type Unit = Pick<EarnedFeesRow, 'quote_mint' | 'fee_in_token' | 'quote_decimals'>;

interface RecipientSums {
  readonly wallet: Address;
  readonly unit: Unit;
  earned: bigint;
  paid: bigint;
}

/** Body of the fees that a token's creator earned and was paid. */
export function creatorFeesBody(token: TokenState, facts: CreatorFeeFacts): Buffer {
  const { mint, creation, hydrated } = token;
  return jsonBody({
    mint,
    creator: creatorOf(token),
    fee_creator: feeCreatorOf(token) || undefined,
    holder_reward: (creation ?? hydrated)?.holder_reward || undefined,
    data: sumUnits(facts).map((sums) => unitRow(mint, sums)),
    recipients: sumRecipients(facts).map((sums) => recipientRow(mint, sums)),
    changes: facts.changes.map(changeRow),
    partial: (creation?.partial ?? true) || undefined,
  } satisfies Written<CreatorFees>);
}

/** SOL first, the others in order of their address. */
function sumUnits({ earned, paid }: CreatorFeeFacts): UnitSums[] {
  const units = new Map<string, UnitSums>();
  const of = (unit: Unit): UnitSums => {
    const sums = units.get(unitKey(unit)) ?? { unit, earned: 0n, swaps: 0, paid: 0n, payouts: 0, lastPaid: 0 };
    units.set(unitKey(unit), sums);
    return sums;
  };
  for (const row of earned) {
    const sums = of(row);
    sums.earned += row.earned;
    sums.swaps += row.swaps;
  }
  for (const row of paid) {
    const sums = of(paidUnit(row.quote_mint));
    sums.paid += row.paid;
    sums.payouts += row.payouts;
    sums.lastPaid = Math.max(sums.lastPaid, row.last_time);
  }
  return [...units.values()].sort(
    (a, b) => Number(isSol(b.unit)) - Number(isSol(a.unit)) || (unitKey(a.unit) < unitKey(b.unit) ? -1 : 1),
  );
}

function sumRecipients({ earned, paid }: CreatorFeeFacts): RecipientSums[] {
  const recipients = new Map<string, RecipientSums>();
  const of = (wallet: Address, unit: Unit): RecipientSums => {
    const key = `${wallet} ${unitKey(unit)}`;
    const sums = recipients.get(key) ?? { wallet, unit, earned: 0n, paid: 0n };
    recipients.set(key, sums);
    return sums;
  };
  for (const row of earned) if (row.fee_creator !== '') of(row.fee_creator, row).earned += row.earned;
  for (const row of paid) of(row.recipient, paidUnit(row.quote_mint)).paid += row.paid;
  return [...recipients.values()].sort(compareRecipients);
}

function compareRecipients(a: RecipientSums, b: RecipientSums): number {
  if (isSol(a.unit) !== isSol(b.unit)) return isSol(a.unit) ? -1 : 1;
  if (a.earned !== b.earned) return a.earned > b.earned ? -1 : 1;
  if (a.paid !== b.paid) return a.paid > b.paid ? -1 : 1;
  return a.wallet < b.wallet ? -1 : 1;
}

function isSol({ quote_mint, fee_in_token }: Unit): boolean {
  return quote_mint === '' && !fee_in_token;
}

/** Fees of inverted pools are in the token, whatever the pool's quote is. */
function unitKey({ quote_mint, fee_in_token }: Unit): string {
  return fee_in_token ? 'token' : quote_mint;
}

function paidUnit(quote: Address | ''): Unit {
  return { quote_mint: quote, fee_in_token: false, quote_decimals: UNKNOWN_DECIMALS };
}

function unitFields(mint: Address, unit: Unit) {
  return unit.fee_in_token ? { fee_mint: mint } : quoteOfAmounts(unit);
}

function unitRow(mint: Address, { unit, earned, swaps, paid, payouts, lastPaid }: UnitSums): Written<EarnedFees> {
  return {
    ...unitFields(mint, unit),
    earned: String(earned),
    swaps,
    paid: String(paid),
    payouts,
    last_paid_at: knownTime(lastPaid),
  };
}

function recipientRow(mint: Address, { wallet, unit, earned, paid }: RecipientSums): Written<FeeRecipient> {
  return { wallet, ...unitFields(mint, unit), earned: String(earned), paid: String(paid) };
}

function changeRow(change: CreatorFeeFacts['changes'][number]): Written<FeeCreatorChange> {
  const { time, slot, previous, creator, reason } = change;
  return { time: knownTime(time), slot, previous: previous || undefined, fee_creator: creator, reason };
}
