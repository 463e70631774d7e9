import { afterEach, expect, it } from 'vitest';
import { buildTestApp } from '../support/api-app.ts';
import { listen } from '../support/raw-http.ts';
import { METRICS_TOKEN } from './outside-paths.ts';
import { findLargeFile, readServiceFigures } from './service-figures.ts';

const MEGABYTE = 1_000_000;
const text = 'mintscope_reads_waiting 3\nmintscope_reads_under_way 0\nmintscope_lost{reason="a"} 2\n';
const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => text };

let app = buildTestApp();
afterEach(() => app.close());

it('figures are read with the token of the run', async () => {
  app = buildTestApp({ metrics, metricsToken: METRICS_TOKEN });
  const figure = await readServiceFigures(await listen(app));
  expect([figure('reads_waiting'), figure('reads_under_way'), figure('lost{reason="a"}')]).toEqual([3, 0, 2]);
});

it('figures that are not there are a fault of the run, not 0', async () => {
  app = buildTestApp({ metrics, metricsToken: METRICS_TOKEN });
  const figure = await readServiceFigures(await listen(app));
  expect(() => figure('reads')).toThrow('/metrics has no mintscope_reads');
});

it('metrics that are refused are a fault of the run', async () => {
  app = buildTestApp({ metrics, metricsToken: 'another token than that of the run' });
  await expect(readServiceFigures(await listen(app))).rejects.toThrow('/metrics was answered with 401');
});

it('the large file that nobody reads is one of a megabyte, as it comes without being packed', async () => {
  app = buildTestApp();
  const port = await listen(app);
  const headers = { 'accept-encoding': 'identity' };
  const answer = await fetch(`http://127.0.0.1:${port}${await findLargeFile(port)}`, { headers });
  expect(answer.status).toBe(200);
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(MEGABYTE);
});
