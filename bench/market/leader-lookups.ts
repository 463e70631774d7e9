import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '../../src/chain/address.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { createLeaderStore } from '../../src/leaders/leader-store.ts';
import type { StoredEpoch } from '../../src/leaders/turn-rows.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { createStoreClient, runStatement } from '../../src/store/clickhouse/client.ts';
import { openStore } from '../../src/store/clickhouse/store.ts';
import type { Figures } from '../run/benchmark.ts';
import { percentile, rounded } from '../run/statistics.ts';

export interface LookupOptions {
  readonly epochs: number;
  readonly slotsPerEpoch: number;
  readonly validators: number;
  readonly lookups: number;
}

const BAR_MS = 20;
const FIRST_EPOCH = 700;
const START_S = 1_760_000_000;
/** Asked before anything is measured: a service that runs has its connections. */
const BEFORE = 5;

/**
 * What it takes to be told by the store who led a slot of long ago, as the race of an old token asks: another slot each
 * time, of the oldest tenth of what is there, among schedules and validators of every epoch since.
 */
export async function measureLookups(options: LookupOptions): Promise<Figures> {
  const { epochs, slotsPerEpoch, validators, lookups } = options;
  const random = createRandom('lookups');
  const identities = Array.from({ length: validators }, () => encodeAddress(random.bytes(32)));
  const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-bench-lookups-'));
  const store = await openStore({ url: undefined, dataDir, log: silentLogger, clock: systemClock });
  const client = createStoreClient(store.connection);
  try {
    const first = FIRST_EPOCH * slotsPerEpoch;
    const led = new Map<number, Address>();
    const wanted = new Set<number>();
    const oldest = Math.ceil((epochs * slotsPerEpoch) / 10);
    while (wanted.size < Math.min(lookups + BEFORE, oldest)) wanted.add(first + random.below(oldest));
    for (let epoch = FIRST_EPOCH; epoch < FIRST_EPOCH + epochs; epoch += 1) {
      const leaders = createLeaderStore(client, () => START_S + (epoch - FIRST_EPOCH) * 86_400);
      const stored = made(epoch, slotsPerEpoch, identities, random);
      await leaders.saveSchedule(stored);
      const isSeen = { stake: 10n ** 16n, commission: 5, isDelinquent: false, version: '4.2.1', clientId: 1 };
      await leaders.saveValidators(
        epoch,
        identities.map((identity, place) => ({ identity, name: `Validator ${place}`, ...isSeen })),
      );
      const { firstSlot, slots } = stored.span;
      for (const slot of wanted) {
        if (slot < firstSlot || slot >= firstSlot + slots) continue;
        led.set(slot, stored.leaders.identities[stored.leaders.places[slot - firstSlot]!]!);
      }
    }
    // As a store of a year has them: merged long ago.
    for (const table of ['leader_turns', 'epoch_leaders', 'epoch_validators'])
      await runStatement(client, `OPTIMIZE TABLE ${table} FINAL`);
    const leaders = createLeaderStore(client, () => START_S);
    const times: number[] = [];
    for (const slot of wanted) {
      const begunAt = performance.now();
      const found = (await leaders.leadersOf([slot])).get(slot);
      times.push(performance.now() - begunAt);
      if (found?.identity !== led.get(slot) || found?.name === undefined)
        throw new Error(`slot ${slot} was led by ${led.get(slot)}, the store tells ${found?.identity}`);
    }
    const measured = times.slice(BEFORE);
    return {
      leader_lookup_ms: rounded(percentile(measured, 0.5)),
      leader_lookup_p95_ms: rounded(percentile(measured, 0.95)),
      leader_lookup_p95_bar_ms: BAR_MS,
      leader_lookup_slots: epochs * slotsPerEpoch,
      leader_lookups: measured.length,
    };
  } finally {
    await client.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A schedule in turns, whose leaders stand in an order of their own. */
function made(
  epoch: number,
  slots: number,
  identities: readonly Address[],
  random: ReturnType<typeof createRandom>,
): StoredEpoch {
  const places = new Uint16Array(slots);
  for (let slot = 0; slot < slots; slot += 4) places.fill(random.below(identities.length), slot, slot + 4);
  const from = epoch % identities.length;
  const leaders = { identities: [...identities.slice(from), ...identities.slice(0, from)], places };
  return { span: { epoch, firstSlot: epoch * slots, slots }, leaders };
}
