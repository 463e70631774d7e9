import { parseArgs } from 'node:util';
import { planAdversity } from './adversity.ts';
import { type Outcome, startCampaign, tellStory } from './campaign.ts';
import { readWholeNumber } from './whole-number.ts';

/**
 * `npm run simulate -- --seeds N [--first N] [--seconds N]`, or `--seed X` for
 * one: the real pipeline against simulated adversity, seed after seed, on one
 * ClickHouse. After `--seconds` no more seed is begun. Ends with one line of
 * JSON; exits 1 when an end state was not the truth.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '36000' },
  },
});
const first = readWholeNumber('first', values.first);
const count = readWholeNumber('seeds', values.seeds);
const enoughS = readWholeNumber('seconds', values.seconds);
const seeds =
  values.seed === undefined ? Array.from({ length: count }, (_, place) => String(first + place)) : [values.seed];

const campaign = await startCampaign();
const outcomes: Outcome[] = [];
const startedAt = performance.now();
try {
  for (const seed of seeds) {
    if (performance.now() - startedAt > enoughS * 1_000) break;
    const outcome = await campaign.run(planAdversity(seed));
    outcomes.push(outcome);
    if (outcome.fault !== undefined || values.seed !== undefined) process.stderr.write(`${tellStory(outcome)}\n`);
    else process.stderr.write(`seed ${seed}: true (${Math.round(outcome.ms)} ms)\n`);
  }
} finally {
  await campaign.close();
}

const sum = (read: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + read(outcome), 0);
const failed = outcomes.filter(({ fault }) => fault !== undefined).map(({ plan }) => plan.seed);
const seconds = (performance.now() - startedAt) / 1_000;
process.stdout.write(
  `${JSON.stringify({
    campaign: 'simulate',
    seeds: outcomes.length,
    failed,
    seconds: Math.round(seconds),
    secondsPerSeed: Number((seconds / outcomes.length).toFixed(2)),
    slots: sum(({ figures }) => figures.slots),
    restarts: sum(({ figures }) => figures.lives - 1),
    subscriptions: sum(({ figures }) => figures.subscriptions),
    rpcCalls: sum(({ figures }) => figures.rpcCalls),
    blocksByRpc: sum(({ figures }) => figures.blocksByRpc),
    withdrawals: sum(({ figures }) => figures.withdrawals),
  })}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
