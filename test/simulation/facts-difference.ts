import type { BlockFacts } from '../../src/facts/fact.ts';
import { FACT_KINDS } from '../../src/facts/fact-lists.ts';

/** The first difference between what was derived and what is true, told so that it can be found; undefined when equal. */
export function factsDifference(derived: BlockFacts, truth: BlockFacts): string | undefined {
  for (const list of FACT_KINDS) {
    const ours: readonly object[] = derived[list];
    const theirs: readonly object[] = truth[list];
    for (let place = 0; place < Math.max(ours.length, theirs.length); place++) {
      const got = show(ours[place]);
      const want = show(theirs[place]);
      if (got !== want) return `slot ${truth.slot}, ${list}[${place}]\n derived ${got}\n truth   ${want}`;
    }
  }
  const { slot, blockhash, parentSlot, time, whole, economics } = derived;
  const got = show({ slot, blockhash, parentSlot, time, whole, economics });
  const want = show({
    slot: truth.slot,
    blockhash: truth.blockhash,
    parentSlot: truth.parentSlot,
    time: truth.time,
    whole: truth.whole,
    economics: truth.economics,
  });
  return got === want ? undefined : `slot ${truth.slot}\n derived ${got}\n truth   ${want}`;
}

/** One text for equal rows: keys in order, undefined ones left out. */
function show(row: object | undefined): string {
  return row === undefined ? 'nothing' : (JSON.stringify(ordered(row)) ?? '');
}

function ordered(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').slice(0, 16);
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, ordered(member)]),
  );
}
