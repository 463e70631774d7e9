import { parseArgs } from 'node:util';
import { runFullDisks } from './disk-run.ts';
import { readWholeNumber } from './whole-number.ts';

/**
 * `npm run crash -- disk --rounds N [--seed X]`: disks of the service fill up and have room again, while a simulated
 * chain goes on and readers ask. Ends with one line of JSON; exits 1 when the store is not the chain's truth, or an
 * answer was not. Where no disk can be mounted it says so, and exits 0.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '6' }, seed: { type: 'string', default: '1' } },
});

const { leftOut, fault, rounds, swaps } = await runFullDisks({
  seed: values.seed,
  rounds: readWholeNumber('rounds', values.rounds),
  onRound: (round) => process.stderr.write(`${JSON.stringify(round)}\n`),
});
if (fault !== undefined) process.stderr.write(`seed ${values.seed}: ${fault}\n`);
const answers: Record<string, number> = {};
for (const round of rounds) {
  for (const [status, count] of Object.entries(round.answers)) answers[status] = (answers[status] ?? 0) + count;
}
process.stdout.write(
  `${JSON.stringify({
    campaign: 'disk',
    seed: values.seed,
    leftOut,
    isTrue: leftOut === undefined ? fault === undefined : undefined,
    rounds: rounds.length,
    answers,
    told: [...new Set(rounds.flatMap(({ told }) => told))],
    ends: rounds.reduce((sum, { ends }) => sum + ends, 0),
    swaps,
    slowestReturnMs: Math.round(Math.max(0, ...rounds.map(({ backAfterMs }) => backAfterMs))),
  })}\n`,
);
process.exitCode = fault === undefined ? 0 : 1;
