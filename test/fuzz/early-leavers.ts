import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sessions } from './cast.ts';
import { readServiceFigures } from './service-figures.ts';

/** Reads of the store that a page may ask for; the wider ones are made anew for each span. */
const QUESTIONS = ['', '/swaps?order=asc', '/holders?limit=500', '/transfers', '/sends?w=7d', '/intelligence', '/pack'];
/** Milliseconds between two visits, as many as the limit of pages lets in. */
const EVERY_MS = 250;
/** They stay so long at most. */
const STAYS_MS = 40;
/** By then nothing may be read any more for whoever has left, on a machine ten times slower. */
const SETTLED_MS = 30_000;
const LOOK_AGAIN_MS = 300;

export interface EarlyLeavers {
  /** Nobody comes any more. Resolves with what is wrong, once nothing else is asked. */
  settle(): Promise<string[]>;
}

/** Pages that ask for something to be read and hang up before it is, all along. */
export function startEarlyLeavers(
  port: number,
  { pages }: Sessions,
  mints: readonly string[],
  random: { next(): number },
): EarlyLeavers {
  let came = 0;
  const timer = setInterval(() => {
    const { cookie, address } = pages[came % pages.length]!;
    const question = QUESTIONS[Math.floor(random.next() * QUESTIONS.length)];
    const mint = mints[Math.floor(random.next() * mints.length)];
    came += 1;
    const socket = connect({ host: '127.0.0.1', port, localAddress: address });
    socket.on('error', () => {});
    socket.write(
      `GET /api/tokens/${mint}${question} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\n\r\n`,
    );
    setTimeout(() => socket.destroy(), random.next() * STAYS_MS);
  }, EVERY_MS);

  return {
    async settle() {
      clearInterval(timer);
      const deadline = performance.now() + SETTLED_MS;
      for (;;) {
        const { waiting, underWay, accounts } = await readGate(port);
        if (came > 0 && waiting === 0 && underWay === 0 && accounts === 0) return [];
        if (performance.now() > deadline) {
          return [
            `of ${came} who left early, ${waiting} reads wait, ${underWay} are under way, ${accounts} accounts are kept`,
          ];
        }
        await sleep(LOOK_AGAIN_MS);
      }
    },
  };
}

async function readGate(port: number) {
  const figure = await readServiceFigures(port);
  return { waiting: figure('reads_waiting'), underWay: figure('reads_under_way'), accounts: figure('reads_accounts') };
}
