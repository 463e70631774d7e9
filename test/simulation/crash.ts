import { parseArgs } from 'node:util';
import { runCrashes } from './crash-run.ts';
import { readWholeNumber } from './whole-number.ts';

/**
 * `npm run crash -- --kills N [--seed X]`: kill -9 of the service, and of its
 * ClickHouse alone, while a simulated chain goes on. Ends with one line of JSON;
 * exits 1 when the store is not the chain's truth.
 */
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});

const outcome = await runCrashes({
  seed: values.seed,
  kills: readWholeNumber('kills', values.kills),
  onKill: ({ victim, by, moment, damage, backAfterMs }) =>
    process.stderr.write(
      `${by === 'kill' ? 'killed' : 'hung up on'} the ${victim} (${moment})${damage === undefined ? '' : `, a flush it left was ${damage}`}, back after ${Math.round(backAfterMs)} ms\n`,
    ),
});
const { fault, kills, ms, ...figures } = outcome;
const backMs = kills.filter(({ victim }) => victim === 'service').map(({ backAfterMs }) => backAfterMs);
if (fault !== undefined) process.stderr.write(`seed ${values.seed}: ${fault}\n`);
process.stdout.write(
  `${JSON.stringify({
    campaign: 'crash',
    seed: values.seed,
    kills: kills.length,
    ofService: backMs.length,
    ofEngine: kills.length - backMs.length,
    damagedFlushes: kills.filter(({ damage }) => damage !== undefined).length,
    isTrue: fault === undefined,
    ...figures,
    slowestReturnMs: Math.round(Math.max(0, ...backMs)),
    seconds: Math.round(ms / 1_000),
  })}\n`,
);
process.exitCode = fault === undefined ? 0 : 1;
