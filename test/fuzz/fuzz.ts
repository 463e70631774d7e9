import { parseArgs } from 'node:util';
import { readWholeNumber } from '../simulation/whole-number.ts';
import type { FuzzFault } from './fuzz-client.ts';
import { asCurl } from './fuzz-request.ts';
import { runFuzz } from './fuzz-run.ts';

/**
 * `npm run fuzz -- --requests N [--seed X] [--seconds N]`: every route of the
 * service over HTTP, asked by everybody with everything. After `--seconds` no
 * more block of requests is begun. Ends with one line of JSON; exits 1 when
 * something that must hold did not.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '36000' },
  },
});

const { figures, faults, ms, port, ...rest } = await runFuzz({
  seed: values.seed,
  requests: readWholeNumber('requests', values.requests),
  seconds: readWholeNumber('seconds', values.seconds),
  onBlock: (done, residentMiB) => process.stderr.write(`${done} requests, ${residentMiB ?? '?'} MiB\n`),
});
for (const fault of figures.faults) process.stderr.write(`\n${tell(fault)}\n`);
for (const fault of faults) process.stderr.write(`\n${fault}\n`);
const { requests, byStatus, byCode, answeredRoutes, slowestMs } = figures;
const isTrue = figures.faults.length === 0 && faults.length === 0;
process.stdout.write(
  `${JSON.stringify({
    campaign: 'fuzz',
    seed: values.seed,
    requests,
    isTrue,
    ...rest,
    routesAnswered: answeredRoutes.size,
    byStatus,
    byCode: Object.fromEntries([...byCode].sort(([, one], [, other]) => other - one)),
    slowestMs: Math.round(slowestMs),
    seconds: Math.round(ms / 1_000),
    requestsPerSecond: Math.round((requests / ms) * 1_000),
  })}\n`,
);
process.exitCode = isTrue ? 0 : 1;

function tell({ request, what, answer, times, routes }: FuzzFault): string {
  const head = answer === undefined ? 'no answer' : `${answer.status} ${answer.body.toString('utf8', 0, 600)}`;
  const sent = [...(answer?.headers ?? [])].map(([name, list]) => `  ${name}: ${list.join(' | ')}`).join('\n');
  return [
    `seed ${values.seed}, request ${request.index} (${request.caller.name}, ${request.route.method} ${request.route.path}): ${what}`,
    `${times} times, routes: ${[...routes].slice(0, 8).join(', ')}`,
    asCurl(request, port),
    head,
    sent,
  ].join('\n');
}
