import type { Address } from '../chain/address.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { deriveFacts } from '../facts/derive.ts';
import type { Funding } from '../facts/fact.ts';
import type { Journal } from '../kernel/journal.ts';
import type { RpcClient } from '../sources/json-rpc.ts';

/** Signatures in one answer of getSignaturesForAddress, at most. */
export const SIGNATURES_PER_PAGE = 1_000;
/** A wallet with more of a past than this is a bot or an exchange: who made it says little. */
export const MAX_SIGNATURE_PAGES = 5;

/**
 * Origin of a wallet, as far as the node can tell.
 * `made_otherwise`: by something that is no funding, such as a token account's closing.
 * `too_long`: more history than is read. `not_kept`: the node's history begins later.
 */
export type WalletOrigin =
  | { readonly outcome: 'found'; readonly funding: Funding }
  | { readonly outcome: 'made_otherwise' | 'too_long' | 'not_kept' };

export interface WalletHistoryDeps {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly journal: Journal;
}

/**
 * Follows a wallet's history to its oldest transaction and reads its funding
 * there, by the same rule as in blocks.
 * @throws {RpcError} what the node refuses for good.
 */
export async function findWalletOrigin(
  { rpc, journal }: WalletHistoryDeps,
  wallet: Address,
  signal: AbortSignal,
): Promise<WalletOrigin> {
  const oldest = await findOldestSignature(rpc, wallet, signal);
  if (oldest === 'too_long' || oldest === undefined) return { outcome: oldest ?? 'not_kept' };
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const json = await rpc.call('getTransaction', [oldest, options], signal);
  if (json === null) return { outcome: 'not_kept' };
  const block = readRpcTransaction(json, journal);
  const [transaction] = block.transactions;
  const place = transaction?.keys.indexOf(wallet) ?? -1;
  // An account that had lamports before has an older past, which this node does not keep.
  if (transaction === undefined || place < 0 || transaction.preBalances.at(place) !== 0n)
    return { outcome: 'not_kept' };
  const funding = deriveFacts(block, journal).fundings.find((each) => each.wallet === wallet && each.createdAccount);
  return funding === undefined ? { outcome: 'made_otherwise' } : { outcome: 'found', funding };
}

async function findOldestSignature(
  rpc: Pick<RpcClient, 'call'>,
  wallet: Address,
  signal: AbortSignal,
): Promise<string | 'too_long' | undefined> {
  let oldest: string | undefined;
  for (let page = 0; page < MAX_SIGNATURE_PAGES; page++) {
    const before = oldest === undefined ? {} : { before: oldest };
    const options = { limit: SIGNATURES_PER_PAGE, commitment: 'confirmed', ...before };
    const signatures = readSignatures(await rpc.call('getSignaturesForAddress', [wallet, options], signal));
    oldest = signatures.at(-1) ?? oldest;
    if (signatures.length < SIGNATURES_PER_PAGE) return oldest;
  }
  return 'too_long';
}

/** Newest first, as the node tells them. */
function readSignatures(result: unknown): string[] {
  if (!Array.isArray(result)) throw new MalformedWire('getSignaturesForAddress answered with something else');
  return result.map((entry: { readonly signature?: unknown }) => {
    if (typeof entry?.signature !== 'string') throw new MalformedWire('a signature that is none');
    return entry.signature;
  });
}
