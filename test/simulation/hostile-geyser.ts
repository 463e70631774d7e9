import { SlotStatus, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { createRandom } from '../../src/simulator/random.ts';
import { pingUpdate, type Subscription, startGeyserServer, status } from '../support/geyser-server.ts';
import type { AdversityPlan, StreamTrouble } from './adversity.ts';
import { impossibleStatus, impossibleUpdate } from './impossible-update.ts';
import { createPassingRefusals } from './passing-refusals.ts';
import { type SeverableProxy, startSeverableProxy } from './severable-proxy.ts';
import type { NodeEvent, NodeStatus, SimulatedNode } from './simulated-node.ts';
import { type Impossible, wordsOfRefusal } from './source-adversity.ts';

/** A Yellowstone server over the node, as unkind as the plan says. */
export interface HostileGeyser {
  readonly url: string;
  /** Subscriptions so far, refused ones included. */
  readonly subscriptions: number;
  /** Slots whose chain's block was sent at least once. */
  readonly sentSlots: ReadonlySet<number>;
  /** The node has more to tell. */
  wake(): void;
  close(): Promise<void>;
}

const PING_MS = 100;
const PROCESSED = 0;
const TOO_LARGE = 'Error, encoded message length too large: found 70000000 bytes, the limit is: 67108864 bytes';
const STATUSES: Readonly<Record<NodeStatus, SlotStatus>> = {
  processed: SlotStatus.SLOT_PROCESSED,
  confirmed: SlotStatus.SLOT_CONFIRMED,
  finalized: SlotStatus.SLOT_FINALIZED,
  created_bank: SlotStatus.SLOT_CREATED_BANK,
  dead: SlotStatus.SLOT_DEAD,
};

/** `isServed` says whether the service that asks has got blocks already: only then it is refused. */
export async function startHostileGeyser(
  node: SimulatedNode,
  plan: AdversityPlan,
  isServed: () => boolean = () => false,
): Promise<HostileGeyser> {
  const { stream, sources } = plan;
  const passing = createPassingRefusals(plan, node, 'stream', isServed);
  const at = (offset: number) => node.firstSlot + offset;
  const omitted = new Set(stream.omitted.map(at));
  const swapped = new Set(stream.swapped.map(at));
  const repeated = new Map(stream.repeated.map(({ at: slot, after }) => [at(slot), after]));
  const troubles = stream.troubles.map((trouble) => ({ ...trouble, at: at(trouble.at) }));
  const zombies = sources.zombies.map(at);
  const oversized = new Map(sources.oversized.map(({ at: slot, told }) => [at(slot), told]));
  const impossible = new Map(sources.impossible.map(({ at: slot, what }) => [at(slot), what]));
  const sentSlots = new Set<number>();
  let subscriptions = 0;
  let refusals = 0;
  let wake: () => void = () => {};
  /** The subscription that is being served, for as long as it is. */
  let served: Subscription | undefined;
  // A chain at rest is no dead stream.
  const pings = setInterval(() => served?.send(pingUpdate()), PING_MS);

  const server = await startGeyserServer((subscription) => {
    subscriptions += 1;
    wake();
    void serve(subscription, subscriptions);
  });
  const proxy = await startSeverableProxy(Number(new URL(server.url).port));

  /** Ends what cannot be served. Gives where in the node's events to begin. */
  function begin({ request, end }: Subscription): StreamBegin | undefined {
    const refused = passing.next();
    if (refused !== undefined) {
      end(status[refused], 'Received HTTP status code 404');
      return undefined;
    }
    if (refusals > 0) {
      refusals -= 1;
      end(refusals % 2 === 0 ? status.UNAVAILABLE : status.RESOURCE_EXHAUSTED, 'come back later');
      return undefined;
    }
    if (request.fromSlot === undefined) return { place: node.events.length, gives: true };
    const fromSlot = Number(request.fromSlot);
    const oldest = Math.max(node.firstSlot, node.headSlot - stream.replaySlots);
    if (stream.replaySlots === 0 || fromSlot < oldest) {
      const words = wordsOfRefusal(sources.refusal, fromSlot, oldest);
      if (words === undefined) return { place: node.events.length, gives: false };
      if (stream.replaySlots === 0 && sources.refusal === 'broadcast') {
        end(status.INVALID_ARGUMENT, 'from_slot is not supported');
      } else end(words.code, words.text);
      return undefined;
    }
    const first = node.events.findIndex(({ slot }) => slot >= fromSlot);
    return { place: first < 0 ? node.events.length : first, gives: true };
  }

  async function serve(subscription: Subscription, generation: number): Promise<void> {
    served = undefined;
    const begun = begin(subscription);
    if (begun === undefined) return;
    let { place, gives } = begun;
    served = subscription;
    const { request, send, drained, end } = subscription;
    const fromSlot = request.fromSlot === undefined ? 0 : Number(request.fromSlot);
    const replayEnd = node.events.length;
    const view = createView(node, request, { omitted, swapped, repeated, impossible, sentSlots });
    while (generation === subscriptions) {
      const event = node.events[place];
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      place += 1;
      const isWanted = place > replayEnd || event.slot >= fromSlot;
      if (zombies[0] !== undefined && event.slot >= zombies[0]) {
        zombies.shift();
        gives = false;
      }
      const size = isWanted && gives && view.hasBlock(event) ? oversized.get(event.slot) : undefined;
      if (size !== undefined) {
        served = undefined;
        end(status.RESOURCE_EXHAUSTED, size ? TOO_LARGE : 'out of memory');
        return;
      }
      const messages = isWanted ? view.messages(event, gives) : [];
      for (const message of messages) if (!send(message)) await drained();
      if (passing.due()) {
        served = undefined;
        end(status.UNAVAILABLE, 'going away');
        return;
      }
      const due = troubles.findIndex((trouble) => trouble.at <= event.slot);
      const [trouble] = due < 0 ? [] : troubles.splice(due, 1);
      if (trouble === undefined) continue;
      refusals += trouble.refusals;
      if (trouble.how !== 'garbage') served = undefined;
      breakStream(trouble, { event, messages }, subscription, proxy);
      if (trouble.how !== 'garbage') return;
    }
  }

  return {
    url: `http://127.0.0.1:${proxy.port}`,
    get subscriptions() {
      return subscriptions;
    },
    sentSlots,
    wake: () => wake(),
    async close() {
      clearInterval(pings);
      served = undefined;
      subscriptions += 1;
      wake();
      await proxy.close();
      server.close();
    },
  };
}

interface Moment {
  readonly event: NodeEvent;
  /** Messages about it to the subscription. */
  readonly messages: readonly Uint8Array[];
}

function breakStream(
  { how }: StreamTrouble,
  { event, messages }: Moment,
  { send, end }: Subscription,
  proxy: SeverableProxy,
): void {
  switch (how) {
    case 'end':
      end();
      break;
    case 'UNAVAILABLE':
    case 'RESOURCE_EXHAUSTED':
    case 'INTERNAL':
      end(status[how], 'so be it');
      break;
    case 'severed':
      // In the middle of messages that are under way: again the same, should one of them get through.
      for (const message of messages) send(message);
      setImmediate(() => proxy.cut());
      break;
    case 'garbage':
      // A message that is whole as the stream goes and broken inside. The stream goes on.
      send(event.kind === 'block' ? event.update().subarray(0, -40) : Buffer.from([0x2a, 0x7f, 0x08]));
      break;
    case 'stall':
      // Nothing more, ever: the client has to notice.
      break;
  }
}

interface ViewOptions {
  readonly omitted: ReadonlySet<number>;
  readonly swapped: ReadonlySet<number>;
  /** Slots after which a block comes again. */
  readonly repeated: ReadonlyMap<number, number>;
  readonly impossible: ReadonlyMap<number, Impossible['what']>;
  readonly sentSlots: Set<number>;
}

interface StreamBegin {
  /** In the node's events. */
  readonly place: number;
  readonly gives: boolean;
}

/** A subscription's view of events, at its commitment, in a network's order. */
function createView(node: SimulatedNode, request: Subscription['request'], options: ViewOptions) {
  const { omitted, swapped, repeated, impossible, sentSlots } = options;
  const processed = request.commitment === PROCESSED;
  const [slotFilter] = Object.values(request.slots);
  /** Blocks that come behind the next message. */
  let held: Uint8Array[] = [];
  const again: { readonly slot: number; readonly update: Uint8Array }[] = [];

  function blocksOf(event: NodeEvent): (NodeEvent & { kind: 'block' })[] {
    if (event.kind === 'block') return processed ? [event] : [];
    if (processed || event.status !== 'confirmed') return [];
    const found = node.events.filter(
      (each): each is NodeEvent & { kind: 'block' } =>
        each.kind === 'block' && each.onChain && each.slot === event.slot,
    );
    return found;
  }

  function isTold(event: NodeEvent): event is NodeEvent & { kind: 'status' } {
    if (event.kind !== 'status' || !event.told || slotFilter === undefined) return false;
    return slotFilter.filterByCommitment !== true || event.status === (processed ? 'processed' : 'confirmed');
  }

  const hasBlock = (event: NodeEvent) => blocksOf(event).some(({ onChain, slot }) => onChain && !omitted.has(slot));

  /** `gives` is false of a stream that has no block any more. */
  function messages(event: NodeEvent, gives: boolean): Uint8Array[] {
    const statuses = isTold(event) ? [slotUpdate(event)] : [];
    if (!gives) return statuses;
    const behind = held;
    held = [];
    const blocks: Uint8Array[] = [];
    for (const block of blocksOf(event)) {
      if (block.onChain && omitted.has(block.slot)) continue;
      const wrong = block.onChain ? impossible.get(block.slot) : undefined;
      if (wrong === 'status') statuses.push(impossibleStatus());
      const update = wrong === undefined ? block.update() : impossibleUpdate(block.update(), wrong);
      if (block.onChain && (wrong === undefined || wrong === 'status')) sentSlots.add(block.slot);
      if (block.onChain && swapped.has(block.slot)) held.push(update);
      else blocks.push(update);
      const after = block.onChain ? repeated.get(block.slot) : undefined;
      if (after !== undefined) again.push({ slot: block.slot + after, update });
    }
    const due = again.findIndex(({ slot }) => slot < event.slot);
    const repeats = due < 0 ? [] : again.splice(due, 1).map(({ update }) => update);
    // The word of a slot comes before its block as often as behind it.
    const order = createRandom(`order/${event.slot}`).chance(0.5);
    return [...(order ? [...statuses, ...blocks] : [...blocks, ...statuses]), ...behind, ...repeats];
  }

  return { hasBlock, messages };
}

function slotUpdate({ slot, parent, status: what }: NodeEvent & { kind: 'status' }): Uint8Array {
  return SubscribeUpdate.encode(
    SubscribeUpdate.fromPartial({
      filters: ['mintscope'],
      slot: { slot: String(slot), parent: String(parent), status: STATUSES[what] },
    }),
  ).finish();
}
