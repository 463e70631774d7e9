import { jsonBody, knownTime, timeText } from '../../books/json-text.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { Written } from '../../contract/written.ts';
import { shownName } from '../../token/shown-name.ts';
import type { MempoolBuyers as MempoolAnswer, MempoolEvent, MempoolWallet } from './contract-shapes.ts';
import type { MempoolBuyers } from './mempool-reads.ts';

/** `partial` while attempts of older slots wait to be gone through. */
export function mempoolBuyersBody(days: number, { wallets, events }: MempoolBuyers, partial = false): Buffer {
  return jsonBody({
    since_days: days,
    per_wallet: wallets.map(walletRow),
    events: events.map(eventRow),
    partial: partial || undefined,
  } satisfies Written<MempoolAnswer>);
}

function walletRow(row: MempoolBuyers['wallets'][number]): Written<MempoolWallet> {
  return {
    wallet: row.wallet,
    tokens: row.tokens,
    attempts: row.attempts,
    max_slots_before: row.max_slots_before,
    landed: row.landed_tokens,
    last_time: timeText(row.last_time),
  };
}

function eventRow(row: MempoolBuyers['events'][number]): Written<MempoolEvent> {
  return {
    wallet: row.wallet,
    mint: row.mint,
    symbol: shownName(row.symbol),
    creator: row.creator || undefined,
    attempts: row.attempts,
    slots_before: row.slots_before,
    slot: row.slot,
    created_slot: row.created_slot,
    sig: encodeSignature(row.signature),
    create_sig: encodeSignature(row.create_signature),
    landed: row.landed,
    time: knownTime(row.time),
  };
}
