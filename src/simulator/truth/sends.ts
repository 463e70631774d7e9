import type { Address } from '../../chain/address.ts';
import type { Burn, Transfer, UnexplainedDelta } from '../../facts/fact.ts';
import { quoteMint } from '../../programs/registry/index.ts';
import type { Landing } from '../runtime/land.ts';
import type { Effect, TokenMove } from '../truth.ts';

interface Flow {
  readonly owner: Address;
  left: bigint;
}

const ascending = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Token sends of a transaction, netted by owner; of one that called a venue what
 * was handed on in it, hidden. Where several send and several receive, the pairs
 * are one possible pairing: first receiver from first sender, both in order of address.
 */
export function sendsOf(landing: Landing): Effect<Transfer>[] {
  const { callCount, record } = landing;
  const hidden = record.touchesVenue;
  if (!hidden && record.equitySwaps.length > 0) return [];
  const sends = [...netByMint(hidden ? record.handed : record.moves)].flatMap(([mint, { decimals, net }]) => {
    const senders = flows(net, -1n);
    const receivers = flows(net, 1n);
    return pair(senders, receivers).map((edge) => ({
      ...edge,
      mint,
      decimals,
      ambiguous: senders.length > 1 && receivers.length > 1,
      hidden,
    }));
  });
  sends.sort((a, b) => ascending(a.from, b.from) || ascending(a.mint, b.mint) || ascending(a.to, b.to));
  return sends.map((send, place) => ({ ...send, ixIndex: callCount + record.equitySwaps.length + place }));
}

/** Balances that moved in a trading transaction beside its trades, in order of owner, behind what was handed on. */
export function unexplainedOf(landing: Landing): Effect<UnexplainedDelta>[] {
  const { callCount, record } = landing;
  const first = callCount + record.equitySwaps.length + sendsOf(landing).length;
  return record.unexplained
    .toSorted((a, b) => ascending(a.owner, b.owner) || ascending(a.mint, b.mint))
    .map((delta, place) => ({ ...delta, ixIndex: first + place }));
}

/** Burns of any transaction but those that burn a pool's shares. */
export function burnsOf({ record }: Landing): Effect<Burn>[] {
  return record.burns.filter(({ mint }) => quoteMint(mint) === undefined);
}

function netByMint(
  moves: readonly TokenMove[],
): Map<Address, { readonly decimals: number; readonly net: Map<Address, bigint> }> {
  const byMint = new Map<Address, { decimals: number; net: Map<Address, bigint> }>();
  for (const { amount, decimals, from, mint, to } of moves) {
    const class_ = quoteMint(mint)?.class;
    if (class_ !== undefined && class_ !== 'token') continue;
    const entry = byMint.get(mint) ?? { decimals, net: new Map<Address, bigint>() };
    entry.net.set(from, (entry.net.get(from) ?? 0n) - amount);
    entry.net.set(to, (entry.net.get(to) ?? 0n) + amount);
    byMint.set(mint, entry);
  }
  return byMint;
}

function flows(net: ReadonlyMap<Address, bigint>, sign: bigint): Flow[] {
  return [...net]
    .map(([owner, delta]) => ({ owner, left: delta * sign }))
    .filter(({ left }) => left > 0n)
    .sort((a, b) => ascending(a.owner, b.owner));
}

function pair(senders: readonly Flow[], receivers: readonly Flow[]): { from: Address; to: Address; amount: bigint }[] {
  const edges: { from: Address; to: Address; amount: bigint }[] = [];
  const waiting = senders.map((sender) => ({ ...sender }));
  for (const receiver of receivers) {
    let { left } = receiver;
    while (left > 0n && waiting.length > 0) {
      const sender = waiting[0]!;
      const amount = smaller(sender.left, left);
      edges.push({ from: sender.owner, to: receiver.owner, amount });
      left -= amount;
      sender.left -= amount;
      if (sender.left === 0n) waiting.shift();
    }
  }
  return edges;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
