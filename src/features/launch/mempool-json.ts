import { quoteJson, timeJson } from '../../books/json-text.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { MempoolBuyers } from './mempool-reads.ts';

export function mempoolBuyersBody(days: number, { wallets, events }: MempoolBuyers): Buffer {
  const perWallet = wallets.map(
    (row) =>
      `{"wallet":"${row.wallet}","tokens":${row.tokens},"attempts":${row.attempts}` +
      `,"max_slots_before":${row.max_slots_before},"landed":${row.landed_tokens},"last_time":${timeJson(row.last_time)}}`,
  );
  const tries = events.map(
    (row) =>
      `{"wallet":"${row.wallet}","mint":"${row.mint}","symbol":${quoteJson(row.symbol)}` +
      (row.creator === '' ? '' : `,"creator":"${row.creator}"`) +
      `,"attempts":${row.attempts},"slots_before":${row.slots_before},"slot":${row.slot}` +
      `,"created_slot":${row.created_slot},"sig":"${encodeSignature(row.signature)}"` +
      `,"create_sig":"${encodeSignature(row.create_signature)}","landed":${row.landed}` +
      `${row.time === 0 ? '' : `,"time":${timeJson(row.time)}`}}`,
  );
  return Buffer.from(`{"since_days":${days},"per_wallet":[${perWallet}],"events":[${tries}]}`);
}
