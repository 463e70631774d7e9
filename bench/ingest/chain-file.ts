import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { writeBlockFile } from '../../src/sources/block-file.ts';
import { type ChainLoad, measureLoad } from './chain-load.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SEED = 1;

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
  const folder = join(ROOT, 'data', 'bench');
  const path = join(folder, `mainnet-${slots}-${simulatorVersion()}.blocks`);
  const makingS = existsSync(path) ? undefined : await makeChainFile(folder, path, slots);
  return { path, makingS, load: await provideLoad(path, slots) };
}

async function makeChainFile(folder: string, path: string, slots: number): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    if (old.startsWith(`mainnet-${slots}-`)) await rm(join(folder, old));
  }
  console.error(`making ${slots} slots of simulated mainnet, once: this takes some minutes`);
  const startedAt = performance.now();
  await writeBlockFile(`${path}.part`, simulate(slots));
  await rename(`${path}.part`, path);
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
