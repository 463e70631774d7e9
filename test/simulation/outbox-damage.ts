import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../src/simulator/random.ts';
import type { SelfReport } from './self-report.ts';

/** Damage to a flush's file while nobody was there: a byte is another, or its end is gone. */
export type Damage = 'flipped' | 'cut';

export interface OutboxDamage {
  readonly damage: Damage;
  /** Of the file, in the outbox. */
  readonly name: string;
}

const DAMAGED_FOLDER = 'damaged';

/** Damages one of the flushes that a killed service left; undefined when it left none. */
export async function damageOutbox(outbox: string, random: Random): Promise<OutboxDamage | undefined> {
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.flush')).sort();
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  const path = join(outbox, name);
  const bytes = await readFile(path);
  const at = random.below(bytes.length);
  const damage = random.pick(['flipped', 'cut'] as const);
  if (damage === 'cut') await truncate(path, at);
  else {
    bytes[at]! ^= 1 << random.below(8);
    await writeFile(path, bytes);
  }
  return { damage, name };
}

/** Returns what is wrong with the service's reaction; undefined when the file lies aside and somebody is told. */
export async function damageFault(
  outbox: string,
  { name }: OutboxDamage,
  report: SelfReport,
): Promise<string | undefined> {
  const aside = await readdir(join(outbox, DAMAGED_FOLDER)).catch(() => []);
  if (!aside.some((each) => each.includes(name))) return `${name} was damaged, and is not set aside`;
  const alarms = (await report.alarms()) ?? [];
  if (alarms.includes('outbox_damaged')) return undefined;
  return `${name} was damaged, and told are ${alarms.join(', ') || 'no alarms'}`;
}
