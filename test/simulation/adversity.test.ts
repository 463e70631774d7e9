import { describe, expect, it } from 'vitest';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { type AdversityPlan, planAdversity, rpcTrouble } from './adversity.ts';
import { createSimulatedNode, type NodeEvent } from './simulated-node.ts';
import { ALL_START_REFUSALS } from './source-adversity.ts';

const SEEDS = 400;
const REFUSED = ['UNIMPLEMENTED', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'INVALID_ARGUMENT'];
const plans: readonly AdversityPlan[] = Array.from({ length: SEEDS }, (_, seed) => planAdversity(String(seed)));

describe('a plan of adversity', () => {
  it('is the same for the same seed, calls included', () => {
    for (const plan of plans.slice(0, 20)) {
      expect(planAdversity(plan.seed)).toEqual(plan);
      expect(rpcTrouble(plan, 7)).toBe(rpcTrouble(planAdversity(plan.seed), 7));
    }
  });

  it('makes orphans of skipped slots alone, each on a block that is there before it', () => {
    let behindSkipped = 0;
    for (const { chain, slots } of plans) {
      const skipped = new Set(chain.skipped);
      const orphans = new Map(chain.orphans.map((orphan) => [orphan.at, orphan]));
      for (const { at, parent } of chain.orphans) {
        expect(skipped.has(at)).toBe(true);
        expect(parent).toBeLessThan(at);
        expect(orphans.has(parent) || !skipped.has(parent)).toBe(true);
        if (parent < at - 1) behindSkipped += 1;
      }
      expect(chain.skipped.every((at) => at < slots)).toBe(true);
    }
    expect(behindSkipped).toBeGreaterThan(SEEDS / 4);
  });

  it('takes away for good only what no stream gives either', () => {
    for (const { rpc, stream } of plans) expect(stream.omitted).toEqual(expect.arrayContaining([...rpc.pruned]));
  });

  it('holds, over many seeds, all that can go wrong', () => {
    const met = new Set<string>();
    for (const plan of plans) {
      const { chain, stream, restarts, rpc, storeOutages, takeovers } = plan;
      met.add(plan.commitment);
      for (const { how, chainWaits } of restarts) met.add(how).add(`chain waits: ${chainWaits}`);
      for (const { how, folder, thaw } of takeovers) met.add(`takeover: ${how}`).add(folder).add(`thaw: ${thaw}`);
      for (const { how } of stream.troubles) met.add(how);
      for (const { dead, delay } of chain.orphans) met.add(`orphan, dead: ${dead}`).add(`orphan, ${delay} late`);
      for (const { dead } of chain.twins) met.add(`twin, dead: ${dead}`);
      for (let call = 0; call < 20; call += 1) met.add(String(rpcTrouble(plan, call)));
      for (const [name, list] of Object.entries({ ...stream, ...rpc, storeOutages })) {
        if (Array.isArray(list) && list.length > 0) met.add(name);
      }
      met.add(`replays ${stream.replaySlots}`);
      const { source, olderSlots, refusal, zombies, oversized, impossible, passing } = plan.sources;
      met.add(source).add(`start refused: ${refusal}`);
      if (source === 'rpc') expect(plan.commitment).toBe('confirmed');
      if (olderSlots > 0) met.add('older tokens');
      if (zombies.length > 0) met.add('zombie');
      for (const { told } of oversized) met.add(`oversized, told: ${told}`);
      for (const { what } of impossible) met.add(`impossible ${what}`);
      for (const { by, how } of passing) met.add(`${by} ${how}`);
    }
    expect([...met]).toEqual(
      expect.arrayContaining([
        ...[
          'confirmed',
          'processed',
          'stop',
          'kill',
          'killInsert',
          'killAnswer',
          'chain waits: true',
          'chain waits: false',
        ],
        ...['kill', 'killInsert', 'killAnswer', 'freeze', 'freezeInInsert'].map((how) => `takeover: ${how}`),
        ...['new', 'first', 'thaw: recovery', 'thaw: commit'],
        ...['end', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'INTERNAL', 'severed', 'garbage', 'stall'],
        ...['orphan, dead: true', 'orphan, dead: false', 'orphan, 3 late', 'twin, dead: true', 'twin, dead: false'],
        ...['limited', 'broken', 'hang', 'null', 'page', 'cut', 'reset', 'behind', 'unhealthy'],
        ...['omitted', 'repeated', 'swapped', 'troubles', 'pruned', 'storeOutages'],
        ...['replays 0', 'replays 8', 'replays 1000'],
        ...['yellowstone', 'rpc', 'older tokens', 'zombie', 'oversized, told: true', 'oversized, told: false'],
        ...ALL_START_REFUSALS.map((refusal) => `start refused: ${refusal}`),
        ...['impossible status', 'impossible parent', 'impossible transactionCount'],
        ...['stream', 'rpc'].flatMap((by) => REFUSED.map((how) => `${by} ${how}`)),
      ]),
    );
  });
});

describe('takeovers of a plan', () => {
  it('come in most seeds, in their order, and bring the first host back only behind another', () => {
    const drawn = plans.filter(({ takeovers }) => takeovers.length > 0);
    expect(drawn.length).toBeGreaterThan(SEEDS / 2);
    for (const { takeovers, slots } of drawn) {
      expect(takeovers[0]!.folder).toBe('new');
      expect(takeovers.map(({ at }) => at)).toEqual(takeovers.map(({ at }) => at).sort((a, b) => a - b));
      expect(takeovers.every(({ at }) => at < slots)).toBe(true);
      for (const { how, folder } of takeovers) if (how.startsWith('freeze')) expect(folder).toBe('new');
    }
  });
});

describe('a simulated node', () => {
  const wild = plans.find(({ chain }) => chain.orphans.length > 6 && chain.twins.length > 0)!;
  const node = createSimulatedNode(wild);
  for (let slot = 0; slot < wild.slots + 10; slot += 1) node.advance();
  node.confirmAll();

  it('lets no block come before its parent, on whatever fork', () => {
    const seen = new Set<string>();
    let first = true;
    for (const block of blocksOf(node.events)) {
      if (!first) expect([...seen]).toContain(String(block.parentSlot));
      first = false;
      seen.add(String(block.slot));
    }
  });

  it('confirms the blocks of the chain, in order, and no other', () => {
    const confirmed = node.events.flatMap((event) =>
      event.kind === 'status' && event.status === 'confirmed' ? [event.slot] : [],
    );
    expect(confirmed).toEqual(node.chain(node.firstSlot, node.headSlot).map(({ slot }) => slot));
  });

  it('gives twins of one slot different hashes, and orphans transactions of the chain', () => {
    const hashes = new Map<number, Set<string>>();
    for (const { slot, blockhash } of blocksOf(node.events)) {
      hashes.set(slot, (hashes.get(slot) ?? new Set()).add(blockhash));
    }
    for (const { at } of wild.chain.twins) expect(hashes.get(node.firstSlot + at)?.size).toBe(2);
    const signatures = (onChain: boolean) =>
      node.events.flatMap((event) =>
        event.kind === 'block' && event.onChain === onChain
          ? readGeyserBlock(event.update(), failingJournal).transactions.map(({ signature }) =>
              Buffer.from(signature).toString('hex'),
            )
          : [],
      );
    const chain = new Set(signatures(true));
    const strays = signatures(false);
    expect(strays.length).toBeGreaterThan(0);
    expect(strays.filter((signature) => !chain.has(signature))).toEqual([]);
  });
});

function blocksOf(events: readonly NodeEvent[]) {
  return events.flatMap((event) => (event.kind === 'block' ? [readGeyserBlock(event.update(), failingJournal)] : []));
}
