import { expect, it } from 'vitest';
import { createMetrics } from '../kernel/metrics.ts';
import type { Equities } from './equities.ts';
import { addEquityMetrics } from './equity-metrics.ts';

const reader = (ageMs: number | undefined, failed: number) => ({ figures: { ageMs, failed } }) as never;

async function samples(equities: Pick<Equities, 'mints' | 'closes'>): Promise<string[]> {
  const metrics = createMetrics();
  const alarms = () => [{ code: 'equity_mints_unread', message: '', since: 0 }];
  addEquityMetrics(metrics, { ...equities, alarms, stop: async () => {} });
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('mintscope_'));
}

it('tells how old it is what readers of shares were told, of those that there are', async () => {
  expect(await samples({ mints: reader(1_200, 3), closes: reader(undefined, 1) })).toEqual([
    'mintscope_equities_read_age_ms{of="mints"} 1200',
    'mintscope_equities_failures_total{of="mints"} 3',
    'mintscope_equities_failures_total{of="closes"} 1',
    'mintscope_equities_alarm{code="equity_mints_unread"} 1',
  ]);
  expect(await samples({ mints: undefined, closes: undefined })).toEqual([
    'mintscope_equities_alarm{code="equity_mints_unread"} 1',
  ]);
});
