import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { createLeaderAnswers } from '../../src/features/leaders/answers.ts';
import type { LeaderSchedule } from '../../src/features/leaders/contract.ts';
import { FUTURE_SLOTS, PAST_SLOTS } from '../../src/features/leaders/contract-limits.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { createLogger } from '../../src/kernel/log.ts';
import type { EpochSchedule, Validator } from '../../src/leaders/epoch-schedule.ts';
import { openPlaces } from '../../src/leaders/geoip.ts';
import { createKnownLeaders } from '../../src/leaders/known-leaders.ts';
import type { SlotFigures } from '../../src/leaders/slot-figures.ts';
import { simulatedCities, simulatedNetworks } from '../../src/simulator/geoip/simulated-places.ts';
import { createRandom } from '../../src/simulator/random.ts';
import type { StoreClient } from '../../src/store/clickhouse/client.ts';
import type { RowBatch } from '../../src/store/clickhouse/schema/row-batch.ts';
import { encodeRows } from '../../src/store/clickhouse/schema/row-codec.ts';
import { BLOCKS } from '../../src/store/clickhouse/schema/tables.ts';
import type { Figures } from '../run/benchmark.ts';
import { median, percentile, rounded } from '../run/statistics.ts';
import { cpuMs } from './filled-windows.ts';

/** Mainnet's: slots of an epoch, and validators with some to spare. */
const SLOTS = 432_000;
const VALIDATORS = 1_000;
const EPOCH = 1_060;
const SLOTS_PER_S = 5;
const START_S = 1_790_000_000;
const BARS = { leaders_bar_ms: 0.6 };
/** Blocks before anything is measured: as many as the pace remembers. */
const BEFORE = 1_000;
/** Answers that others have of the same block. */
const AGAIN = 50;

/**
 * CPU that an answer of `/leaders` takes with its default windows, in an epoch of mainnet's size: the first of a block, which
 * is made, and those behind it; and the four distributions of an epoch, which are made once.
 */
export function measureLeadersRoute(blocks: number): Figures {
  const random = createRandom('leaders');
  const schedule = makeSchedule(random);
  const feed = createFeed({ maxHeldBatches: BEFORE + blocks });
  const places = openPlaces({ city: simulatedCities(), network: simulatedNetworks() }, () => {});
  const answers = createLeaderAnswers({
    client: {} as StoreClient,
    feed,
    log: createLogger('silent'),
    leaders: { scheduleAt: () => schedule },
    economics: { economicsOf: (first, last) => figuresOf(first, last), version: 0 },
    known: createKnownLeaders(places),
  });
  const first = schedule.firstSlot + SLOTS / 2;
  for (let slot = first - BEFORE; slot < first; slot += 1) feed.publish(block(slot));
  const ask = () => answers.schedule(PAST_SLOTS.fallback, FUTURE_SLOTS.fallback) as Buffer;
  const made: number[] = [];
  const kept: number[] = [];
  for (let slot = first; slot < first + blocks; slot += 1) {
    feed.publish(block(slot));
    const begunAt = process.cpuUsage();
    const body = ask();
    made.push(cpuMs(begunAt));
    const againAt = process.cpuUsage();
    for (let times = 0; times < AGAIN; times += 1) if (ask() !== body) throw new Error('it was made again');
    kept.push(cpuMs(againAt) / AGAIN);
    if (slot === first) judge(JSON.parse(body.toString()), slot);
  }
  const distributedAt = process.cpuUsage();
  for (const by of ['city', 'country', 'datacenter', 'client'] as const) answers.distribution(by);
  const distributed = cpuMs(distributedAt);
  answers.close();
  return {
    ...BARS,
    leaders_ms: rounded(median(made), 3),
    leaders_p99_ms: rounded(percentile(made, 0.99), 3),
    leaders_again_ms: rounded(median(kept), 4),
    leaders_distributions_ms: rounded(distributed),
    leaders_blocks: blocks,
  };
}

function makeSchedule(random: ReturnType<typeof createRandom>): EpochSchedule {
  const validators = Array.from({ length: VALIDATORS }, (_, place): Validator => {
    const told = { name: `Validator ${place}`, version: '4.2.1', clientId: place % 9, commission: place % 11 };
    const identity = encodeAddress(random.bytes(32));
    return { identity, stake: 10n ** 15n, isDelinquent: false, gossipIp: `198.18.${place % 210}.1`, ...told };
  });
  const leaders = new Uint16Array(SLOTS);
  for (let slot = 0; slot < SLOTS; slot += 4) leaders.fill(random.below(VALIDATORS), slot, slot + 4);
  return { epoch: EPOCH, firstSlot: EPOCH * SLOTS, slots: SLOTS, validators, leaders };
}

function figuresOf(first: number, last: number): SlotFigures[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    ...{ slot: first + index, state: 'seen' as const, swaps: 57 },
    ...{ priorityFees: 91_022_000n, tips: 136_744_000n, fees: 17_193_300n, vol: 1_842_091_700n },
  }));
}

function block(slot: number): RowBatch {
  const time = START_S + Math.floor((slot - EPOCH * SLOTS) / SLOTS_PER_S);
  const counts = { transactions: 0, failed: 0, votes: 0, swaps: 0, attempts: 0 };
  const row = { slot, blockhash: '', parent_slot: slot - 1, time, ...counts, fees: 0n, priority_fees: 0n, tips: 0n };
  const tables: RowBatch['tables'] = new Map([['blocks', encodeRows(BLOCKS, [row])]]);
  return { firstSlot: slot, lastSlot: slot, closesSlots: true, tables };
}

/** Throws unless the answer covers what was asked for. */
function judge({ current_slot, slot_ms, segments, slot_fees }: LeaderSchedule, slot: number): void {
  const [from, to] = [segments[0]?.start_slot ?? 0, segments.at(-1)?.end_slot ?? 0];
  const covers = from <= slot - PAST_SLOTS.fallback && to >= slot + FUTURE_SLOTS.fallback;
  const isMeasured = slot_ms !== undefined && Math.abs(slot_ms - 1_000 / SLOTS_PER_S) <= 2;
  if (current_slot !== slot || !covers || !isMeasured || slot_fees.length < PAST_SLOTS.fallback)
    throw new Error(`of slot ${slot} it tells of ${from} to ${to}, ${slot_ms} ms each, ${slot_fees.length} with fees`);
}
