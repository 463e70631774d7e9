import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { createForkedWorld, forkedScripts, turns } from '../../test/support/forked-world.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createMemoryWindows } from '../../test/support/memory-windows.ts';
import { WORLD_MINTS } from '../../test/support/token-world-rows.ts';
import { toldBy } from '../../test/support/told-windows.ts';
import type { createFeed } from '../feed/in-process.ts';
import { silentLogger } from '../kernel/log.ts';
import { createMarket, type Market } from './market.ts';
import type { WindowReads } from './market-reads.ts';

const NOW = 1_790_000_000;
/** Slots a moment, minutes or hours apart: what is late is of the last hour, the last day, or the week before. */
const scripts = fc.oneof(
  ...[3, 170, 900, 1_800, 7_000, 40_000].map((slotSeconds) => forkedScripts(NOW, { slotSeconds, minActions: 36 })),
);
const markets: Market[] = [];
afterEach(() => {
  for (const market of markets.splice(0)) market.close();
});

function follow(feed: ReturnType<typeof createFeed>, reads: WindowReads, clock = createHandClock()) {
  const market = createMarket({ reads, feed, clock, log: silentLogger });
  markets.push(market);
  return { market, clock };
}

describe('a market that follows the feed', () => {
  it('stands where one stands that reads everything anew, whatever came, went or was late, and however slow the store is', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(scripts, fc.nat(20), async (script, start) => {
        const live = createForkedWorld(script);
        let followed = follow(live.feed, live.windows);
        for (const [turn, action] of script.actions.entries()) {
          if (turn === start) {
            // A service that starts when there is something already.
            followed.market.close();
            followed = follow(live.feed, live.windows);
          }
          const { clock } = followed;
          if (action.kind === 'ask') await clock.advance(500);
          else live.act(action);
          await turns(script.delays[turn % script.delays.length]!);
        }
        live.commitAll();
        const { market, clock } = followed;
        for (let round = 0; round < 12; round += 1) await clock.advance(5_000);
        const anew = follow(live.feed, createMemoryWindows(live.stored));
        for (let round = 0; round < 12; round += 1) await anew.clock.advance(5_000);
        expect(market.staleSpans).toBe(0);
        expect(toldBy(await market.open(), WORLD_MINTS)).toEqual(toldBy(await anew.market.open(), WORLD_MINTS));
        compared += 1;
      }),
      { numRuns: extent(30, 300) },
    );
    expect(compared).toBeGreaterThan(0);
  });
});
