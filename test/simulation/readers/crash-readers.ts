import { parseArgs } from 'node:util';
import { readWholeNumber } from '../whole-number.ts';
import { describeFault, type StoreForm } from './plan.ts';
import { runReaders } from './readers-run.ts';

/**
 * `npm run crash -- readers --faults N [--seed X] [--store embedded|external] [--short]`: readers of the API while what
 * is around the service fails. Ends with one line of JSON for each form of the store; exits 1 when an answer was wrong.
 */
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
});
const { seed } = values;
const FORMS: readonly StoreForm[] = ['embedded', 'external'];
const forms = FORMS.filter((form) => values.store === undefined || values.store === form);
if (forms.length === 0) throw new Error(`--store is ${FORMS.join(' or ')}`);

for (const form of forms) {
  process.stderr.write(`readers, ${form} store, seed ${seed}\n`);
  const backMs: number[] = [];
  const outcome = await runReaders({
    seed,
    form,
    isShort: values.short,
    faults: readWholeNumber('faults', values.faults),
    onFault: ({ fault, readersBackMs, storedMs, told, alarms }) => {
      backMs.push(readersBackMs);
      const telling = alarms.length === 0 ? 'no alarm' : alarms.join(', ');
      process.stderr.write(
        `${describeFault(fault)}: readers back after ${Math.round(readersBackMs)} ms, ` +
          `all stored after ${Math.round(storedMs)} ms, ${told} times told, ${telling}\n`,
      );
    },
  });
  const { wrong, tally, questions, ms } = outcome;
  for (const each of wrong) process.stderr.write(`seed ${seed}, ${form}: ${each}\n`);
  const isTrue = wrong.length === 0;
  process.stdout.write(
    `${JSON.stringify({
      campaign: 'crash readers',
      seed,
      store: form,
      faults: backMs.length,
      isTrue,
      questions,
      ...tally,
      slowestMs: Math.round(tally.slowestMs),
      slowestReturnMs: Math.round(Math.max(0, ...backMs)),
      seconds: Math.round(ms / 1_000),
    })}\n`,
  );
  if (!isTrue) process.exitCode = 1;
}
