import { expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { watchDamagedFlushes } from './damaged-flushes-alarm.ts';

it('is raised while damaged flushes lie aside, outlasts a look that fails, and ends when somebody has removed them', async () => {
  const stop = new AbortController();
  const looks = [2, new Error('EMFILE'), 1, 0];
  const alarms: unknown[][] = [];
  const countDamaged = async () => {
    const look = looks.shift()!;
    if (look instanceof Error) throw look;
    return look;
  };
  const clock = {
    ...systemClock,
    sleep: async () => {
      if (looks.length === 0) stop.abort();
    },
  };
  const stats = { alarm: (...said: unknown[]) => void alarms.push(said) };
  await watchDamagedFlushes({ store: { countDamaged }, stats, clock }, stop.signal);
  expect(alarms).toEqual([
    ['outbox_damaged', expect.stringContaining('2 flushes')],
    ['outbox_damaged', expect.stringContaining('1 flushes')],
    ['outbox_damaged', undefined],
  ]);
});
