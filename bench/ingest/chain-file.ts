import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { writeBlockFile } from '../../src/sources/block-file.ts';
import { type ChainLoad, measureLoad } from './chain-load.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'data', 'bench');
const SEED = 1;
/** Bytes of a slot, and room beside. */
const DISK_PER_SLOT = 3_000_000;

export interface ChainFile {
  readonly path: string;
  /** Seconds it took to make; undefined when it was there. */
  readonly makingS: number | undefined;
  readonly load: ChainLoad;
}

export const SLOTS_PER_CHAIN_S = 5;
/** Of the chain that benchmarks share in their short form: made in seconds. */
export const SHORT_SLOTS = 20;

/**
 * A file of `mainnet` load under data/bench, made again when the simulator has
 * changed. Its signatures are stand-ins: ingest does not check them, and making
 * real ones would take most of the time.
 */
export async function provideChainFile(slots: number): Promise<ChainFile> {
  const { path, makingS } = await provideExactly(slots, FOLDER);
  return { path, makingS, load: await provideLoad(path, slots) };
}

/**
 * The same for whoever plays no more than the first `slots` of it: without its load counted, and a longer one that is
 * there already does as well. Long ones have gigabytes and may lie in a folder of their own.
 */
export async function provideBlocks(slots: number, folder = FOLDER): Promise<string> {
  const ofVersion = new RegExp(`^mainnet-(\\d+)-${simulatorVersion()}\\.blocks$`);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const longer = names.find((name) => Number(ofVersion.exec(name)?.[1] ?? 0) >= slots);
  return longer === undefined ? (await provideExactly(slots, folder)).path : join(folder, longer);
}

async function provideExactly(slots: number, folder: string): Promise<Pick<ChainFile, 'path' | 'makingS'>> {
  await mkdir(folder, { recursive: true });
  const version = simulatorVersion();
  const path = join(folder, `mainnet-${slots}-${version}.blocks`);
  if (existsSync(path)) return { path, makingS: undefined };
  return { path, makingS: await makeChainFile(folder, path, slots, version) };
}

/** Two benches may make the same chain at once: each writes a file of its own and leaves the other's alone. */
async function makeChainFile(folder: string, path: string, slots: number, version: string): Promise<number> {
  for (const old of readdirSync(folder)) {
    if (old.startsWith(`mainnet-${slots}-`) && !old.includes(version)) await rm(join(folder, old), { force: true });
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < slots * DISK_PER_SLOT) throw new Error(`${slots} slots need more disk than ${folder} has`);
  console.error(`making ${slots} slots of simulated mainnet, once: this takes some minutes`);
  const startedAt = performance.now();
  const part = `${path}.${process.pid}.part`;
  await writeBlockFile(part, simulate(slots));
  await rename(part, path);
  return (performance.now() - startedAt) / 1_000;
}

/** Counted once, ahead of the timing, and kept beside the file. */
async function provideLoad(path: string, slots: number): Promise<ChainLoad> {
  const kept = `${path}.load.json`;
  if (!existsSync(kept)) await writeFile(kept, JSON.stringify(await measureLoad(path, slots / SLOTS_PER_CHAIN_S)));
  return JSON.parse(await readFile(kept, 'utf8')) as ChainLoad;
}

function* simulate(slots: number): Generator<Uint8Array> {
  const simulator = createSimulator({ seed: SEED, load: 'mainnet', sign: false });
  const first = simulator.next();
  yield first.geyser();
  for (let block = simulator.next(); block.slot < first.slot + slots; block = simulator.next()) yield block.geyser();
}

/** Changes with any line of the simulator. */
function simulatorVersion(): string {
  const folder = join(ROOT, 'src', 'simulator');
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue;
    hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return hash.digest('hex').slice(0, 12);
}
