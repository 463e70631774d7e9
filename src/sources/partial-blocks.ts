import type { Block, Transaction } from '../chain/block.ts';
import { encodeSignature } from '../chain/keys/base58.ts';

/**
 * Single transactions, gathered by slot. The same signature twice, as two
 * encodings of one transaction, counts once: the first stays.
 */
export interface PartialBlocks {
  /** Transactions gathered. */
  readonly size: number;
  add(block: Block): void;
  /** Slots in order. */
  slots(): number[];
  /** All transactions of one slot as one block that is not whole. */
  get(slot: number): Block;
}

export function createPartialBlocks(): PartialBlocks {
  const bySlot = new Map<number, Block[]>();
  const signatures = new Set<string>();
  return {
    get size() {
      return signatures.size;
    },
    add(block) {
      const transactions = block.transactions.filter((transaction) => {
        const signature = encodeSignature(transaction.signature);
        if (signatures.has(signature)) return false;
        signatures.add(signature);
        return true;
      });
      if (transactions.length === 0) return;
      const gathered = bySlot.get(block.slot) ?? [];
      gathered.push({ ...block, transactions });
      bySlot.set(block.slot, gathered);
    },
    slots: () => [...bySlot.keys()].sort((a, b) => a - b),
    get(slot) {
      const blocks = bySlot.get(slot);
      if (blocks === undefined) throw new RangeError(`no transactions of slot ${slot}`);
      const transactions = numbered(blocks.flatMap((block) => block.transactions));
      return {
        slot,
        blockhash: '',
        parentSlot: Math.max(0, slot - 1),
        blockTime: blocks.find(({ blockTime }) => blockTime !== null)?.blockTime ?? null,
        transactions,
        transactionCount: transactions.length,
        voteCount: 0,
        whole: false,
      };
    },
  };
}

/**
 * Numbers transactions whose index the source does not tell, for which readers say 0: they take the next one that is free
 * and not `used` by others of their slot, so that no two transactions share a place.
 */
export function numbered(transactions: readonly Transaction[], used: Iterable<number> = []): Transaction[] {
  const taken = new Set(used);
  const ordered = [...transactions].sort((a, b) => a.index - b.index);
  return ordered.map((transaction) => {
    let index = transaction.index;
    while (taken.has(index)) index += 1;
    taken.add(index);
    return index === transaction.index ? transaction : withIndex(transaction, index);
  });
}

/** Readers parse lazily, so the transaction stays the prototype instead of being copied field by field. */
function withIndex(transaction: Transaction, index: number): Transaction {
  return Object.create(transaction, { index: { value: index, enumerable: true } }) as Transaction;
}
