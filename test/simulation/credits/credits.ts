import { parseArgs } from 'node:util';
import type { Engine } from '../../../src/store/accounts-db/engine.ts';
import { findPostgresBinaries } from '../../support/postgres-server.ts';
import { readWholeNumber } from '../whole-number.ts';
import { type CreditsOutcome, type RoundOutcome, runCredits } from './credits-run.ts';
import { planCredits, type Trouble } from './plan.ts';

/**
 * `npm run crash -- credits --kills N [--seed X] [--engine sqlite|postgres]`: kill
 * -9 of processes that serve the API and charge for it, on SQLite and on Postgres.
 * Ends with a table and one line of JSON; exits 1 when a balance or a charge is wrong.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string' },
  },
});
const kills = readWholeNumber('kills', values.kills);
const engines = chosenEngines(values.engine);

const outcomes: CreditsOutcome[] = [];
for (const [index, engine] of engines.entries()) {
  const share = Math.floor(kills / engines.length) + (index < kills % engines.length ? 1 : 0);
  if (share === 0) continue;
  const outcome = await runCredits({ plan: planCredits(values.seed, engine, share), onRound: tellRound(engine) });
  outcomes.push(outcome);
  for (const fault of outcome.faults) process.stderr.write(`seed ${values.seed} on ${engine}: ${fault}\n`);
}
process.stdout.write(`${table(outcomes)}\n${JSON.stringify(summary(outcomes))}\n`);
process.exitCode = outcomes.every(({ faults }) => faults.length === 0) ? 0 : 1;

function chosenEngines(word: string | undefined): readonly Engine[] {
  if (word === 'sqlite' || word === 'postgres') return [word];
  if (word !== undefined) throw new RangeError(`--engine must be sqlite or postgres, not ${word}`);
  if (findPostgresBinaries() !== undefined) return ['sqlite', 'postgres'];
  process.stderr.write("no Postgres server of Debian's is installed: SQLite alone\n");
  return ['sqlite'];
}

function tellRound(engine: Engine): (outcome: RoundOutcome) => void {
  let number = 0;
  return ({ round, told, charged, unheard, lost, lostReachesBackMs: back, unwrittenMs, heldBack }) => {
    number += 1;
    const since = back === undefined ? '' : `, of the last ${Math.round(back)} ms`;
    const bound = unwrittenMs === undefined ? '' : `, ${Math.round(unwrittenMs)} ms were not written`;
    const held = round.trouble.kind === 'stall' ? `, ${heldBack} told 503` : '';
    const figures = `${told} told, ${charged} charged, ${unheard} unheard, ${lost} lost${since}${bound}${held}`;
    process.stderr.write(`${engine} round ${number}: ${troubleText(round.trouble)}: ${figures}\n`);
  };
}

function troubleText(trouble: Trouble): string {
  if (trouble.kind === 'stall') return trouble.kills === undefined ? 'stall' : 'killed in a stall';
  if (trouble.kind !== 'kill') return trouble.kind;
  return `${trouble.againMs === undefined ? 'killed' : 'killed twice'} (${trouble.moment})`;
}

interface Figures {
  readonly engine: Engine;
  readonly kills: number;
  readonly otherTroubles: number;
  readonly answers: number;
  readonly refused: number;
  readonly told: number;
  readonly charged: number;
  readonly unheard: number;
  readonly lost: number;
  readonly killsThatLost: number;
  readonly worstKill: number;
  readonly heldBack: number;
  readonly longestUnwrittenMs: number;
  readonly lostReachesBackMs: number;
  readonly seconds: number;
}

function figuresOf({ plan, rounds, statuses, ms }: CreditsOutcome): Figures {
  const total = (read: (round: RoundOutcome) => number) => rounds.reduce((sum, round) => sum + read(round), 0);
  return {
    engine: plan.engine,
    kills: total((round) => round.kills),
    otherTroubles: rounds.filter(({ round }) => round.trouble.kind !== 'kill').length,
    answers: [...statuses.values()].reduce((sum, count) => sum + count, 0),
    refused: statuses.get(402) ?? 0,
    told: total(({ told }) => told),
    charged: total(({ charged }) => charged),
    unheard: total(({ unheard }) => unheard),
    lost: total(({ lost }) => lost),
    killsThatLost: rounds.filter(({ lost }) => lost > 0).length,
    worstKill: Math.max(0, ...rounds.map(({ lost }) => lost)),
    heldBack: total((round) => (round.round.trouble.kind === 'stall' ? round.heldBack : 0)),
    longestUnwrittenMs: Math.round(Math.max(0, ...rounds.map(({ unwrittenMs }) => unwrittenMs ?? 0))),
    lostReachesBackMs: Math.round(Math.max(0, ...rounds.map(({ lostReachesBackMs }) => lostReachesBackMs ?? 0))),
    seconds: Math.round(ms / 1_000),
  };
}

function table(all: readonly CreditsOutcome[]): string {
  const figures = all.map(figuresOf);
  const names = Object.keys(figures[0] ?? {}) as (keyof Figures)[];
  return names
    .map((name) => `${name.padEnd(20)}${figures.map((each) => String(each[name]).padStart(12)).join('')}`)
    .join('\n');
}

function summary(all: readonly CreditsOutcome[]): Readonly<Record<string, unknown>> {
  const figures = all.map(figuresOf);
  const total = (name: Exclude<keyof Figures, 'engine'>) => figures.reduce((sum, each) => sum + each[name], 0);
  return {
    campaign: 'crash credits',
    seed: values.seed,
    engines: figures.map(({ engine }) => engine),
    kills: total('kills'),
    otherTroubles: total('otherTroubles'),
    isTrue: all.every(({ faults }) => faults.length === 0),
    answers: total('answers'),
    told: total('told'),
    charged: total('charged'),
    unheard: total('unheard'),
    lost: total('lost'),
    worstKill: Math.max(0, ...figures.map(({ worstKill }) => worstKill)),
    heldBack: total('heldBack'),
    longestUnwrittenMs: Math.max(0, ...figures.map(({ longestUnwrittenMs }) => longestUnwrittenMs)),
    lostReachesBackMs: Math.max(0, ...figures.map(({ lostReachesBackMs }) => lostReachesBackMs)),
    seconds: total('seconds'),
  };
}
