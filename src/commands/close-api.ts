import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';

/** Milliseconds of the time for a stop that answers under way get: what ingest has in hand matters more. */
const ANSWERS_TIMEOUT_MS = 1_000;
/** Milliseconds to tell the remaining requests that they will not be answered, and to see the clients take that. */
const LAST_WORDS_MS = 250;

/** Takes no more requests, answers those under way as far as there is time, and tells the rest that the service stops. */
export async function closeApi(app: FastifyInstance, clock: Pick<Clock, 'sleep'>): Promise<void> {
  let fault: unknown;
  const closed = app.close().catch((error: unknown) => {
    fault = error;
  });
  await Promise.race([closed, clock.sleep(ANSWERS_TIMEOUT_MS)]);
  app.answersUnderWay.giveUp();
  await Promise.race([closed, clock.sleep(LAST_WORDS_MS)]);
  if (fault !== undefined) throw fault;
}
