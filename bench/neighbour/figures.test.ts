import { describe, expect, it } from 'vitest';
import { agreesWithItself, note, type Phase } from './figures.ts';

function phase(statuses: Readonly<Record<number, number>>): Phase {
  const made: Phase = { times: [], statuses: {} };
  for (const [status, times] of Object.entries(statuses)) {
    for (let n = 0; n < times; n += 1) note(made, Number(status), 1);
  }
  return made;
}

describe('the figures of a quiet customer beside a neighbour', () => {
  const alone = phase({ 200: 100 });
  const theirs = phase({ 200: 1, 429: 300, 503: 1, 504: 9 });
  const judge = (beside: Phase) => agreesWithItself({ alone, beside, theirs }, { reads: 100, answered: 0.99 });

  it('agree when nearly all of its reads are answered', () => {
    expect(() => judge(phase({ 200: 99, 504: 1 }))).not.toThrow();
  });

  it.each([
    ['refused quickly', { 200: 90, 429: 10 }],
    ['told quickly that the store is away', { 200: 98, 503: 2 }],
    ['cut short', { 200: 99 }],
    ['none', {}],
  ])('do not when its reads are %s', (_what, statuses) => {
    expect(() => judge(phase(statuses))).toThrow('beside the neighbour');
  });
});
