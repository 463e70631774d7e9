import { addressBytes } from '../chain/keys/address-table.ts';
import { encodeBase58 } from '../chain/keys/base58.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import type { ProducedBlock } from './runtime/block.ts';
import type {
  AddressTableLookup,
  CompiledInstruction,
  InnerInstruction,
  LandedTransaction,
  Message,
  TokenBalanceEntry,
  TransactionMeta,
  V1Config,
} from './runtime/transaction.ts';
import { transactionErrorBytes } from './runtime/transaction-error.ts';

/** `RewardType.Fee` of the storage proto. */
const FEE_REWARD = 1;

const writer = new ProtobufWriter();

/** A whole `SubscribeUpdate` that holds the block, as a Yellowstone server sends it for a filter named `blocks`. */
export function encodeGeyserBlock(block: ProducedBlock): Uint8Array {
  writer.textPresent(1, 'blocks');
  writer.message(5, () => writeBlock(block));
  writer.message(11, () => writer.uint(1, block.time));
  return writer.finish();
}

function writeBlock(block: ProducedBlock): void {
  writer.uint(1, block.slot);
  writer.text(2, encodeBase58(block.blockhash));
  writer.message(3, () => writer.message(1, () => writeLeaderReward(block)));
  writer.message(4, () => writer.uint(1, block.time));
  writer.message(5, () => writer.uint(1, block.height));
  block.transactions.forEach((transaction, index) => {
    writer.message(6, () => writeTransactionInfo(transaction, index));
  });
  writer.uint(7, block.parentSlot);
  writer.text(8, encodeBase58(block.parentBlockhash));
  writer.uint(9, block.transactions.length);
}

function writeLeaderReward({ leader, leaderReward, leaderBalance }: ProducedBlock): void {
  writer.text(1, leader);
  writer.uint(2, leaderReward);
  writer.uint(3, leaderBalance);
  writer.uint(4, FEE_REWARD);
}

function writeTransactionInfo(transaction: LandedTransaction, index: number): void {
  writer.bytes(1, transaction.signatures[0]!);
  writer.bool(2, transaction.isVote);
  writer.message(3, () => {
    for (const signature of transaction.signatures) writer.bytesPresent(1, signature);
    writer.message(2, () => writeMessage(transaction.message, transaction.hidesConfig));
  });
  writer.message(4, () => writeMeta(transaction.meta));
  writer.uint(5, index);
}

function writeMessage(message: Message, hidesConfig: boolean): void {
  writer.message(1, () => {
    writer.uint(1, message.requiredSignatures);
    writer.uint(2, message.readonlySigned);
    writer.uint(3, message.readonlyUnsigned);
  });
  for (const key of message.staticKeys) writer.bytesPresent(2, addressBytes(key));
  writer.bytes(3, message.blockhash);
  for (const instruction of message.instructions) writer.message(4, () => writeInstruction(instruction));
  writer.bool(5, message.version !== 'legacy');
  for (const lookup of message.lookups) writer.message(6, () => writeLookup(lookup));
  // The config is the stream's only sign of a v1 message: a server that drops it leaves what looks like a v0.
  const { config } = message;
  if (config !== undefined && !hidesConfig) writer.message(7, () => writeConfig(config));
}

function writeInstruction({ programIndex, accounts, data }: CompiledInstruction): void {
  writer.uint(1, programIndex);
  writer.bytes(2, accounts);
  writer.bytes(3, data);
}

function writeLookup({ table, writable, readonly }: AddressTableLookup): void {
  writer.bytes(1, addressBytes(table));
  writer.bytes(2, writable);
  writer.bytes(3, readonly);
}

function writeConfig(config: V1Config): void {
  if (config.priorityFee !== undefined) writer.uintPresent(1, config.priorityFee);
  if (config.computeUnitLimit !== undefined) writer.uintPresent(2, config.computeUnitLimit);
  if (config.loadedAccountsDataSizeLimit !== undefined) writer.uintPresent(3, config.loadedAccountsDataSizeLimit);
  if (config.heapSize !== undefined) writer.uintPresent(4, config.heapSize);
}

function writeMeta(meta: TransactionMeta): void {
  const { failure } = meta;
  if (failure !== undefined) writer.message(1, () => writer.bytes(1, transactionErrorBytes(failure)));
  writer.uint(2, meta.fee);
  writer.packed(3, meta.preBalances);
  writer.packed(4, meta.postBalances);
  if (meta.inner !== undefined) writeInner(meta.inner);
  for (const line of meta.logs ?? []) writer.textPresent(6, line);
  for (const balance of meta.preTokenBalances) writer.message(7, () => writeTokenBalance(balance));
  for (const balance of meta.postTokenBalances) writer.message(8, () => writeTokenBalance(balance));
  writer.bool(10, meta.inner === undefined);
  writer.bool(11, meta.logs === undefined);
  for (const key of meta.loadedWritable) writer.bytesPresent(12, addressBytes(key));
  for (const key of meta.loadedReadonly) writer.bytesPresent(13, addressBytes(key));
  writer.bool(15, true);
  writer.uintPresent(16, meta.unitsConsumed);
}

/** Calls are grouped by their top-level instruction; each group keeps the order of execution. */
function writeInner(calls: readonly InnerInstruction[]): void {
  for (let at = 0; at < calls.length; ) {
    const { outer } = calls[at]!;
    writer.message(5, () => {
      writer.uint(1, outer);
      for (; at < calls.length && calls[at]!.outer === outer; at++) {
        const call = calls[at]!;
        writer.message(2, () => {
          writeInstruction(call);
          writer.uintPresent(4, call.stackHeight);
        });
      }
    });
  }
}

function writeTokenBalance(balance: TokenBalanceEntry): void {
  writer.uint(1, balance.accountIndex);
  writer.text(2, balance.mint);
  writer.message(3, () => {
    writer.double(1, Number(balance.amount) / 10 ** balance.decimals);
    writer.uint(2, balance.decimals);
    writer.text(3, balance.amount.toString());
    writer.text(4, uiAmountString(balance.amount, balance.decimals));
  });
  writer.text(4, balance.owner);
  writer.text(5, balance.tokenProgram);
}

/** Plain decimal text without trailing zeros. */
export function uiAmountString(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
