import { systemClock } from '../../../src/kernel/clock.ts';
import { LEASE_OVER_MS } from './campaign-plans.ts';
import type { Scene } from './credits-run.ts';
import type { Trouble } from './plan.ts';
import type { Death } from './round-books.ts';

/** Somebody writes far more often while there is load. */
const WRITE_TIMEOUT_MS = 1_000;
/** For commits to be lost. */
const LOSING_MS = 700;

/** Plays one trouble, and puts everything back on its feet. Gives the processes that died. */
export async function causeTrouble(scene: Scene, trouble: Trouble): Promise<readonly Death[]> {
  const { database, servers } = scene;
  switch (trouble.kind) {
    case 'kill':
      return kill(scene, trouble);
    case 'freeze': {
      const server = servers[trouble.server]!;
      server.freeze();
      await systemClock.sleep(LEASE_OVER_MS);
      server.thaw();
      return [];
    }
    case 'crash of the database':
      await database.crash();
      return [];
    case 'lost answer':
      database.loseAnswers(trouble.commits);
      await systemClock.sleep(LOSING_MS);
      return [];
  }
}

async function kill(scene: Scene, { server: index, moment, delayMs, againMs }: Trouble & { readonly kind: 'kill' }) {
  const { database, servers } = scene;
  const server = servers[index]!;
  if (moment === 'write') await Promise.race([database.nextWrite(), systemClock.sleep(WRITE_TIMEOUT_MS)]);
  await systemClock.sleep(delayMs);
  const deaths = [{ server: server.name, at: systemClock.elapsed() }];
  scene.noteKills(1);
  await server.kill();
  if (againMs !== undefined) {
    server.launch();
    await systemClock.sleep(againMs);
    deaths.push({ server: server.name, at: systemClock.elapsed() });
    await server.kill();
  }
  await server.start();
  return deaths;
}
