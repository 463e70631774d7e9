import type { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Holding, inOrderOfDropping } from './unread-answers.ts';

const NETWORKS = ['a', 'b', 'c', 'd'];

/** The rule word by word: of whoever has most then, the largest connection. */
function oneByOne(holdings: readonly Holding[]): Holding[] {
  const left = [...holdings];
  const order: Holding[] = [];
  while (left.length > 0) {
    const held = (network: string) => left.reduce((sum, each) => sum + (each.network === network ? each.bytes : 0), 0);
    const most = NETWORKS.reduce((one, other) => (held(other) > held(one) ? other : one));
    const theirs = left.filter(({ network }) => network === most);
    const largest = theirs.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    left.splice(left.indexOf(largest), 1);
    order.push(largest);
  }
  return order;
}

it('connections are dropped in the order of whoever holds most, however many there are', () => {
  const holding = fc.record({ network: fc.constantFrom(...NETWORKS), bytes: fc.integer({ min: 1, max: 2 ** 40 }) });
  fc.assert(
    fc.property(fc.array(holding, { maxLength: 40 }), (drawn) => {
      const holdings = drawn.map((each) => ({ ...each, socket: {} as Socket }));
      // Holders of equally much may go before or behind each other.
      const sizes = (order: readonly Holding[]) => order.map(({ bytes }) => bytes).sort((a, b) => a - b);
      expect(sizes(inOrderOfDropping(holdings))).toEqual(sizes(holdings));
      const levels = (order: readonly Holding[]) => order.map((_each, at) => most(order.slice(at)));
      expect(levels(inOrderOfDropping(holdings))).toEqual(levels(oneByOne(holdings)));
    }),
  );
});

/** Bytes of the largest network of all. */
function most(holdings: readonly Holding[]): number {
  const held = new Map<string, number>();
  for (const { network, bytes } of holdings) held.set(network, (held.get(network) ?? 0) + bytes);
  return Math.max(...held.values());
}
