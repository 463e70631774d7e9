import { comparePlaces } from '../../src/books/place.ts';
import type { CurveReads } from '../../src/market/curve-reads.ts';
import { createMemoryWindows } from './memory-windows.ts';
import type { WorldBlock } from './token-world-rows.ts';

/** What lists of curves ask of the store, answered over plain arrays. */
export function createMemoryCurves(stored: () => readonly WorldBlock[]): CurveReads {
  const { newest, slots } = createMemoryWindows(stored);
  const inSpan =
    ({ after, last, since, until }: { after: number; last: number; since: number; until: number }) =>
    ({ slot, time, partial }: { slot: number; time: number; partial: boolean }) =>
      slot > after && (slot <= last || partial) && time >= since && time < until;
  return {
    newest,
    slots,
    async *samples(range) {
      const groups = new Map<string, ReturnType<typeof rows>>();
      function rows() {
        const all = stored().flatMap(({ swaps }) => swaps);
        const told = all.filter((row) => row.venue === 0 && row.quote_mint === '' && row.priced && row.reserves_known);
        return told.filter(inSpan(range)).sort(comparePlaces);
      }
      for (const row of rows()) {
        const key = `${row.mint} ${row.time >= range.recent ? row.slot : 0}`;
        groups.set(key, [...(groups.get(key) ?? []), row]);
      }
      const samples = Array.from(groups.values(), (group) => {
        const [first, last] = [group[0]!, group.at(-1)!];
        const before = first.real_token_reserves + (first.is_buy ? first.token_amount : -first.token_amount);
        const { mint, slot, real_token_reserves: left } = last;
        return { mint, slot, time: Math.max(...group.map(({ time }) => time)), before, left };
      }).sort((a, b) => a.slot - b.slot);
      for (let at = 0; at < samples.length; at += 3) yield samples.slice(at, at + 3);
    },
    async *births(range) {
      yield stored()
        .flatMap(({ creations }) => creations)
        .filter(inSpan(range))
        .map(({ mint, slot, time }) => ({ mint, slot, time }));
    },
  };
}
