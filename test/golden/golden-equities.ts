import { tickerOf } from '../../src/features/equities/equity-rules.ts';
import { lastSession } from '../../src/features/equities/market-hours-rules.ts';
import type { ClosingPrices, EquityMints } from '../../src/features/equities/outside.ts';
import { equity } from '../../src/programs/registry/index.ts';
import { simulatedClose, simulatedMint } from '../../src/simulator/equities/issuers.ts';
import { EQUITIES } from '../../src/simulator/scenery.ts';
import { SEED } from './golden-chain.ts';

/** Mints of the simulated equities as they are read at a time, Unix seconds. */
export function goldenMints(time: number): EquityMints {
  return {
    mintOf(mint) {
      const fields = simulatedMint(SEED, mint, time * 1_000);
      return fields && { ...fields, readAt: time * 1_000 };
    },
  };
}

/** Their last closes then. */
export function goldenCloses(time: number): ClosingPrices {
  const date = lastSession(time);
  const shares = new Map(EQUITIES.map((share) => [tickerOf(equity(share.mint)!), share]));
  return {
    closeOf(ticker) {
      const share = shares.get(ticker);
      return share && { usd: simulatedClose(SEED, share, date), date };
    },
  };
}
