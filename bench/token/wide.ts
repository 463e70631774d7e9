import { setTimeout as sleep } from 'node:timers/promises';
import { type Amount, load } from '../api/load.ts';
import { rounded } from '../run/statistics.ts';
import { ask } from './clients.ts';
import { type GrownService, hottestToken } from './grown-service.ts';

/** Questions that read more of a token than a book of it holds. */
const QUESTIONS = ['intelligence', 'launch', 'launch-race', 'funding-clusters', 'sends', 'pack'];
const CONNECTIONS = 4;

export interface WideOptions {
  /** Seconds in which nobody asks. */
  readonly idleSeconds: number;
  /** Of each question. */
  readonly amount: Amount;
}

/**
 * Of the hottest token, with ingest running beside: the first answer, and under
 * load the processor time of one request, ours and the store's apart, without
 * what ingest takes, and the slowest of a hundred.
 */
export async function measureWide(
  grown: GrownService,
  { idleSeconds, amount }: WideOptions,
): Promise<Readonly<Record<string, number>>> {
  const { service, client } = grown;
  const mint = await hottestToken(client);
  const figures: Record<string, number> = {};
  const idle = await spend(grown, () => sleep(idleSeconds * 1_000));
  figures.idle_ours_cpu = rounded(idle.ours / idle.seconds, 3);
  figures.idle_clickhouse_cpu = rounded(idle.clickhouse / idle.seconds, 3);
  for (const question of QUESTIONS) {
    const path = `/tokens/${mint}/${question}`;
    const name = question.replaceAll('-', '_');
    const begun = performance.now();
    await ask(service, path);
    figures[`${name}_first_ms`] = rounded(performance.now() - begun, 1);
    let requests = 0;
    const spent = await spend(grown, async () => {
      const { answered, perSecond, p99Ms } = await load({
        address: service.address,
        path,
        keys: service.keys,
        connections: CONNECTIONS,
        amount,
      });
      requests = answered;
      figures[`${name}_rps`] = Math.round(perSecond);
      if (requests > 0) figures[`${name}_p99_ms`] = p99Ms;
    });
    // So slow that none came in the time: the first answer's time is all there is to tell.
    if (requests === 0) continue;
    const perRequest = (busy: number, idly: number) =>
      rounded((Math.max(0, busy - (idly * spent.seconds) / idle.seconds) * 1_000) / requests, 3);
    figures[`${name}_cpu_ms`] = perRequest(spent.ours, idle.ours);
    figures[`${name}_clickhouse_cpu_ms`] = perRequest(spent.clickhouse, idle.clickhouse);
  }
  return figures;
}

async function spend({ cpu }: GrownService, work: () => Promise<unknown>) {
  const before = cpu();
  const begun = performance.now();
  await work();
  const after = cpu();
  return {
    ours: after.ours - before.ours,
    clickhouse: after.clickhouse - before.clickhouse,
    seconds: (performance.now() - begun) / 1_000,
  };
}
