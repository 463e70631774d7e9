import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createSelfReport, createSettledLook } from './self-report.ts';

let close: () => void = () => {};
afterEach(() => close());

/** A service that gives these answers in turn, the last of them for ever. */
async function serve(...answers: readonly (readonly [status: number, text: string])[]): Promise<string> {
  let count = 0;
  const server = createServer((_request, response) => {
    const [status, text] = answers[Math.min(count, answers.length - 1)]!;
    count += 1;
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const figures = (committed: number, holes: number) =>
  `mintscope_ingest_committed_slot ${committed}\nmintscope_ingest_holes ${holes}\nmintscope_ingest_stale_mints 0\n`;

test('a refusal for asking too often is asked again, and is no figure', async () => {
  const url = await serve([429, '{}'], [429, '{}'], [200, figures(7, 0)]);
  const figure = await createSelfReport(() => url).ingest();
  expect([figure('committed_slot'), figure('holes')]).toEqual([7, 0]);
});

test('a refused look at the alarms is asked again', async () => {
  const url = await serve([429, '{"error":{}}'], [503, '{"alarms":[{"code":"store_behind"}]}']);
  expect(await createSelfReport(() => url).alarms()).toEqual(['store_behind']);
});

test('nobody who answers has no alarms and no figures', async () => {
  const report = createSelfReport(() => undefined);
  expect(await report.alarms()).toBeUndefined();
  expect((await report.ingest())('holes')).toBeNaN();
});

test('settled is a service whose figures have said so for longer than they are old, one after another', async () => {
  const url = await serve([200, figures(9, 0)], [200, figures(9, 1)], [200, figures(9, 0)]);
  const isSettled = createSettledLook({ report: createSelfReport(() => url), newest: () => 9 });
  const looks: boolean[] = [];
  while (looks.at(-1) !== true) looks.push(await isSettled());
  // A quarter of a second between two looks, and more than a second and a half since the third of them.
  expect(looks.length).toBeGreaterThanOrEqual(9);
});

test('a service that lacks a slot is not settled', async () => {
  const url = await serve([200, figures(8, 0)]);
  const isSettled = createSettledLook({ report: createSelfReport(() => url), newest: () => 9 });
  for (let look = 0; look < 9; look += 1) expect(await isSettled()).toBe(false);
});
