import { failingJournal, type Journal, type Oddity } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { HeldHash } from '../../src/sources/chain-links.ts';
import { readRpcRange } from '../../src/sources/rpc-range.ts';
import type { ScriptedNode } from './scripted-node.ts';
import { clientOf, createDreamClock } from './scripted-transport.ts';

export type Told = number | readonly ['skipped' | 'unavailable', number, number];

/** Tells the steps of a range: a number is a block. */
export async function tellRange(
  node: Pick<ScriptedNode, 'reply'>,
  first: number,
  last: number,
  { notes, heldHash }: { readonly notes?: Oddity[]; readonly heldHash?: HeldHash } = {},
): Promise<Told[]> {
  const clock = createDreamClock();
  const journal: Journal = notes === undefined ? failingJournal : { note: (oddity) => notes.push(oddity) };
  const tools = { client: clientOf(node, clock), clock, log: silentLogger, journal, heldHash };
  const told: Told[] = [];
  for await (const step of readRpcRange(tools, { first, last }, new AbortController().signal)) {
    told.push(step.kind === 'block' ? step.block.slot : [step.kind, step.first, step.last]);
  }
  return told;
}
