import type { Alarm } from '../../kernel/alarms.ts';
import type { Metrics } from '../../kernel/metrics.ts';
import type { CreditFigures } from './ledger-meter.ts';

export interface MeteredCredits {
  readonly figures: CreditFigures;
  alarms(): readonly Alarm[];
}

/** Adds metrics of how calls are paid for. */
export function addCreditMetrics(metrics: Metrics, credits: MeteredCredits): void {
  const counter = (name: string, help: string, figure: (figures: CreditFigures) => number) =>
    metrics.counter({ name: `mintscope_credits_${name}`, help, read: () => figure(credits.figures) });
  const gauge = (name: string, help: string, figure: (figures: CreditFigures) => number) =>
    metrics.gauge({ name: `mintscope_credits_${name}`, help, read: () => figure(credits.figures) });
  counter('charged_total', 'Credits that were charged and written.', ({ charged }) => charged);
  counter('refused_total', 'Calls that were refused for want of credits.', ({ refused }) => refused);
  counter('lost_total', 'Credits of calls that nobody pays: their lease was taken back.', ({ lost }) => lost);
  gauge('unwritten', 'Credits that are debited in memory only.', ({ unwritten }) => unwritten);
  gauge('write_age_ms', 'Since everything there was to write was written.', ({ writeAgeMs }) => Math.round(writeAgeMs));
  gauge('leases', 'Pools of which this process holds a lease.', ({ leases }) => leases);
  gauge('leased', 'Credits that this process has in hand.', ({ leased }) => leased);
  metrics.gauge({
    name: 'mintscope_credits_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(credits.alarms().map(({ code }) => [code, 1])),
  });
}
