import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestParts } from '../../test/support/api-app.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createRateLimits } from '../accounts/rate-limits.ts';
import type { Unready } from './probes.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function probed(overrides: Partial<TestParts> = {}) {
  const state: { unready: Unready | undefined } = { unready: undefined };
  const probes = { health: () => ({ status: 'ok', version: '1.2.3' }), unready: () => state.unready };
  const app = buildTestApp({ probes, ...overrides });
  apps.push(app);
  return { app, state };
}

describe('probes outside the API', () => {
  it('tell health and readiness to whoever asks, by GET and HEAD, and are not kept', async () => {
    const { app } = probed();
    const health = await app.inject('/health');
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok', version: '1.2.3' }]);
    const ready = await app.inject('/ready');
    expect([ready.statusCode, ready.json()]).toEqual([200, { ready: true }]);
    for (const url of ['/health', '/ready']) {
      const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url });
      expect([statusCode, headers['cache-control'], body]).toEqual([200, 'no-store', '']);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      const other = await app.inject({ method: 'POST', url });
      expect([other.statusCode, other.json().error.code]).toEqual([405, 'method_not_allowed']);
    }
  });

  it.each([
    { code: 'warming_up', message: 'figures of the market are being read' },
    { code: 'lagging', message: 'the newest block is 75 s old' },
  ] as const)('say 503 $code while others should be asked, and 200 again', async (unready) => {
    const { app, state } = probed();
    state.unready = unready;
    const refused = await app.inject('/ready');
    expect([refused.statusCode, refused.json().error]).toEqual([503, expect.objectContaining(unready)]);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await app.inject('/health')).statusCode).toBe(200);
    state.unready = undefined;
    expect((await app.inject('/ready')).statusCode).toBe(200);
  });

  it('ask 40 times at once and 10 times a second, apart from the API’s own', async () => {
    const clock = createHandClock();
    const { app } = probed({ clock, limits: createRateLimits({ clock }) });
    const ask = async (url: string, times: number) => {
      const statuses = new Set<number>();
      for (let at = 0; at < times; at += 1) statuses.add((await app.inject(url)).statusCode);
      return [...statuses];
    };
    expect([await ask('/ready', 30), await ask('/health', 10), await ask('/ready', 1)]).toEqual([[200], [200], [429]]);
    expect(await ask('/api/health', 1)).toEqual([200]);
    await clock.advance(1_000);
    expect([await ask('/ready', 10), await ask('/ready', 1)]).toEqual([[200], [429]]);
  });

  it('say that the service stops, and are not there where nobody answers them', async () => {
    const { app } = probed();
    await app.close();
    expect((await app.inject('/ready').catch(() => undefined))?.statusCode ?? 503).toBe(503);
    const none = buildTestApp({ probes: undefined });
    apps.push(none);
    expect((await none.inject('/ready')).statusCode).toBe(404);
  });
});
