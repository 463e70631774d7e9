import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, TEST_KEY, TEST_PRINCIPAL, type TestParts } from '../../test/support/api-app.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createMemoryMeter } from '../../test/support/memory-meter.ts';
import { createAnswersDouble, KNOWN_MINT } from '../../test/support/token-answers.ts';
import { closeApi } from './close-api.ts';

let app: ReturnType<typeof buildTestApp>;
afterEach(() => app.close());

async function listen(overrides: Partial<TestParts>): Promise<string> {
  app = buildTestApp(overrides);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api`;
}

const get = (api: string, path: string) => fetch(`${api}${path}`, { headers: { 'x-api-key': TEST_KEY } });
const told = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string } };
  return [answer.status, error.code, answer.headers.get('retry-after')];
};
const SHUTTING_DOWN = [503, 'shutting_down', '2'];
/** Time that is over once the app has begun to close: whoever waits for the store waits for ever. */
const clock = { sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)) };

describe('a stop while answers are under way', () => {
  it('tells a reader whose store does not answer that the service stops', async () => {
    let isAsked = false;
    const snapshot = () => {
      isAsked = true;
      return new Promise<never>(() => {});
    };
    const api = await listen({ answers: createAnswersDouble({ snapshot }) });
    const answer = get(api, `/tokens/${KNOWN_MINT}`);
    await eventually(() => expect(isAsked).toBe(true));
    await closeApi(app, clock);
    expect(await told(await answer)).toEqual(SHUTTING_DOWN);
  });

  it('tells a caller whose credits are not taken yet, and takes none when they come', async () => {
    let give: () => void = () => {};
    let isAsked = false;
    let isTaken = false;
    const meter = createMemoryMeter({ credits: 10, enforce: true });
    const late = new Promise<void>((resolve) => {
      give = resolve;
    });
    const api = await listen({
      meter: {
        ...meter,
        async reserve(...call) {
          isAsked = true;
          await late;
          const taken = meter.reserve(...call);
          isTaken = true;
          return taken;
        },
      },
    });
    const answer = get(api, `/tokens/${KNOWN_MINT}`);
    await eventually(() => expect(isAsked).toBe(true));
    await closeApi(app, clock);
    expect(await told(await answer)).toEqual(SHUTTING_DOWN);
    give();
    await eventually(() => expect([isTaken, meter.remaining(TEST_PRINCIPAL)]).toEqual([true, 10]));
  });

  it('tells a caller whose key is not known yet, and begins nothing for him then', async () => {
    let find: (holder: typeof TEST_PRINCIPAL) => void = () => {};
    let isAsked = false;
    let isRead = false;
    const snapshot = () => {
      isRead = true;
      return Buffer.from('{}');
    };
    const holder = new Promise<typeof TEST_PRINCIPAL>((resolve) => {
      find = resolve;
    });
    const keys = {
      find() {
        isAsked = true;
        return holder;
      },
    };
    const api = await listen({ keys, answers: createAnswersDouble({ snapshot }) } as unknown as Partial<TestParts>);
    const answer = get(api, `/tokens/${KNOWN_MINT}`);
    await eventually(() => expect(isAsked).toBe(true));
    await closeApi(app, clock);
    expect(await told(await answer)).toEqual(SHUTTING_DOWN);
    find(TEST_PRINCIPAL);
    await holder;
    expect(isRead).toBe(false);
  });

  it('answers what comes in time', async () => {
    let answerNow: () => void = () => {};
    let isAsked = false;
    const snapshot = () =>
      new Promise<Buffer>((resolve) => {
        isAsked = true;
        answerNow = () => resolve(Buffer.from('{"mint":"late"}'));
      });
    const api = await listen({ answers: createAnswersDouble({ snapshot }) });
    const answer = get(api, `/tokens/${KNOWN_MINT}`);
    await eventually(() => expect(isAsked).toBe(true));
    const closed = closeApi(app, { sleep: () => new Promise(() => {}) });
    answerNow();
    await closed;
    expect((await answer).status).toBe(200);
  });
});
