import { systemClock } from '../../../src/kernel/clock.ts';
import { LEASE_OVER_MS } from './campaign-plans.ts';
import type { Scene } from './credits-run.ts';
import type { Trouble } from './plan.ts';
import type { Death, Happened } from './round-books.ts';
import type { ServerHandle } from './server-handle.ts';

/** Somebody writes far more often while there is load. */
const WRITE_TIMEOUT_MS = 1_000;
/** For commits to be lost. */
const LOSING_MS = 700;
const NOBODY_DIED: Happened = { deaths: [] };

/** Plays one trouble, and puts everything back on its feet. */
export async function causeTrouble(scene: Scene, trouble: Trouble): Promise<Happened> {
  const { database, servers } = scene;
  switch (trouble.kind) {
    case 'kill':
      return { deaths: await kill(scene, trouble) };
    case 'stall':
      return stall(scene, trouble);
    case 'freeze': {
      const server = servers[trouble.server]!;
      server.freeze();
      await systemClock.sleep(LEASE_OVER_MS);
      server.thaw();
      return NOBODY_DIED;
    }
    case 'crash of the database':
      await database.crash();
      return NOBODY_DIED;
    case 'lost answer':
      database.loseAnswers(trouble.commits);
      await systemClock.sleep(LOSING_MS);
      return NOBODY_DIED;
  }
}

async function kill(scene: Scene, { server: index, moment, delayMs, againMs }: Trouble & { readonly kind: 'kill' }) {
  const { database, servers } = scene;
  const server = servers[index]!;
  if (moment === 'write') await Promise.race([database.nextWrite(), systemClock.sleep(WRITE_TIMEOUT_MS)]);
  await systemClock.sleep(delayMs);
  const deaths = [await killNow(scene, server)];
  if (againMs !== undefined) {
    server.launch();
    await systemClock.sleep(againMs);
    deaths.push(await killNow(scene, server));
  }
  await server.start();
  return deaths;
}

async function killNow(scene: Scene, server: ServerHandle): Promise<Death> {
  const at = systemClock.elapsed();
  scene.noteKills(1);
  return { server: server.name, at, record: await server.kill() };
}

/** Stalls the database. Processes that are killed start when the stall is over: a start writes too. */
async function stall(
  scene: Scene,
  { forMs, kills, killAfterMs }: Trouble & { readonly kind: 'stall' },
): Promise<Happened> {
  const { database, servers } = scene;
  const release = await database.stall();
  const from = systemClock.elapsed();
  const deaths: Death[] = [];
  if (kills === undefined) await systemClock.sleep(forMs);
  else {
    await systemClock.sleep(killAfterMs);
    deaths.push(await killNow(scene, servers[kills]!));
    await systemClock.sleep(forMs - killAfterMs);
  }
  const stalled = { from, to: systemClock.elapsed() };
  await release();
  if (kills !== undefined) await servers[kills]!.start();
  return { deaths, stalled };
}
