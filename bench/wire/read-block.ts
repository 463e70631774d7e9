import type { Block } from '../../src/chain/block.ts';

/**
 * Reads of a block what facts look at in every transaction that is no vote: the
 * signature, the whole call tree with the program, the depth and the first byte
 * of each call (the data of most is never read), all lamports before and after,
 * all token balances before and after with mint and owner of those that changed,
 * the error and the fee. Keys and data stay bytes, as they do in the official
 * client's objects. Returns a sum that depends on all of it.
 */
export function readBlock({ transactions }: Block): number {
  let sum = 0;
  for (const transaction of transactions) {
    const { instructions, tokenBalances, preBalances, postBalances, keys, signature, fee, error } = transaction;
    for (const { programIndex, depth, tag } of instructions) sum += programIndex + depth + tag;
    for (const balance of tokenBalances) {
      if (balance.pre !== balance.post) sum += balance.mint.length + (balance.postOwner?.length ?? 0);
    }
    sum += preBalances.length + postBalances.length + keys.length + signature.length;
    sum += (fee > 0n ? 1 : 0) + (error === null ? 0 : 1);
  }
  return sum;
}
