import { describe, expect, it } from 'vitest';
import { createStoreTrouble } from './store-trouble.ts';

function trouble() {
  let now = 0;
  const made = createStoreTrouble({ clock: { elapsed: () => now } });
  const pass = (ms: number) => {
    now += ms;
  };
  return { made, pass };
}
const refusal = Object.assign(new Error('Authentication failed'), { code: '516' });

describe('what ingest waits for at the store', () => {
  it('is no alarm when it fails once and passes', () => {
    const { made, pass } = trouble();
    const read = {};
    made.waits(read);
    made.failed(read, new Error('KEEPER_EXCEPTION'));
    pass(200);
    expect(made.figures).toEqual({ longestMs: 200, failing: undefined, loginRefused: undefined });
    made.over(read);
    expect(made.figures.longestMs).toBe(0);
  });

  it('is an alarm with its reason when it goes on failing, until it is over', () => {
    const { made, pass } = trouble();
    const [read, flush] = [{}, {}];
    made.waits(read);
    made.waits(flush);
    made.failed(flush, new Error('first'));
    pass(5_000);
    made.failed(flush, new Error('KEEPER_EXCEPTION'));
    expect(made.figures.failing).toContain('KEEPER_EXCEPTION');
    made.over(flush);
    expect(made.figures).toMatchObject({ failing: undefined, longestMs: 5_000 });
  });

  it('is an alarm of its own at once when the name and password are refused', () => {
    const { made } = trouble();
    const read = {};
    made.waits(read);
    made.failed(read, refusal);
    expect(made.figures.loginRefused).toContain('password');
    expect(made.figures.failing).toBeUndefined();
    made.over(read);
    expect(made.figures.loginRefused).toBeUndefined();
  });
});
