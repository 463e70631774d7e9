import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { startSweeper } from './sweeper.ts';

describe('sweeper', () => {
  it('runs each sweep until it has nothing more, at most so many steps a minute, whatever another one does', async () => {
    const clock = createHandClock();
    const steps = { failing: 0, endless: 0, short: 0 };
    const sweeps = [
      {
        name: 'failing',
        run: async () => {
          steps.failing += 1;
          throw new Error('disk');
        },
      },
      {
        name: 'endless',
        run: async () => {
          steps.endless += 1;
          return true;
        },
      },
      {
        name: 'short',
        run: async () => {
          steps.short += 1;
          return steps.short === 1;
        },
      },
    ];
    const sweeper = startSweeper(sweeps, clock, silentLogger);
    // Lets it come to its first pause.
    await clock.advance(0);
    await clock.advance(30_000);
    expect(steps).toEqual({ failing: 1, endless: 20, short: 2 });
    await clock.advance(60_000);
    expect(steps).toEqual({ failing: 2, endless: 40, short: 3 });
    await sweeper.close();
    await clock.advance(120_000);
    expect(steps).toEqual({ failing: 2, endless: 40, short: 3 });
  });
});
