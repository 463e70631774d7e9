import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { startRpcServer } from '../../test/support/rpc-server.ts';
import { silentLogger } from '../kernel/log.ts';
import { EQUITIES } from '../programs/registry/index.ts';
import { encodeMint } from '../simulator/equities/encode-mint.ts';
import { EQUITIES as SIMULATED } from '../simulator/scenery.ts';
import { createRpcClient } from '../sources/json-rpc.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { type Equities, openEquities } from './equities.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store that does not answer: what was told before is not known, and all else goes on. */
const client = {} as StoreClient;
const feed = { headSlot: 5 };
const simulator = { source: 'simulator', simulatorSeed: 3, equityCloses: undefined } as const;

function started(equities: Equities): Equities {
  closing.push(() => equities.stop());
  return equities;
}

describe('what is known of shares from outside', () => {
  it('comes with a simulated chain from its issuers, and closes from the simulation', async () => {
    const clock = createHandClock();
    const { mints, closes } = started(
      openEquities(simulator, { client, rpc: undefined, feed, clock, log: silentLogger }),
    );
    await clock.advance(0);
    await clock.advance(10_000);
    for (const { mint, decimals, dollars } of SIMULATED) {
      const { underlying } = EQUITIES.find((each) => each.mint === mint)!;
      expect(mints!.mintOf(mint)).toMatchObject({ decimals });
      expect(Math.abs(closes!.closeOf(underlying!)!.usd / dollars - 1)).toBeLessThan(0.1);
    }
    expect(mints!.mintOf(EQUITIES.find(({ symbol }) => symbol === 'MSFTx')!.mint)).toBeUndefined();
    expect([...mints!.alarms(), ...closes!.alarms()]).toEqual([]);
  });

  it('has no close of a session in the first three quarters of an hour behind it', async () => {
    const bell = Date.parse('2026-11-25T21:00:00Z');
    const clock = createHandClock(bell - 1_000);
    const { closes } = started(openEquities(simulator, { client, rpc: undefined, feed, clock, log: silentLogger }));
    const ticker = EQUITIES.find(({ mint }) => mint === SIMULATED[0]!.mint)!.underlying!;
    await clock.advance(0);
    await clock.advance(44 * 60_000);
    expect(closes!.closeOf(ticker)?.date).toBe('2026-11-24');
    await clock.advance(4 * 60_000);
    expect(closes!.closeOf(ticker)?.date).toBe('2026-11-25');
  });

  it('is not known where nobody is to be asked', () => {
    const tools = { client, rpc: undefined, feed, clock: createHandClock(), log: silentLogger };
    expect(openEquities({ ...simulator, source: 'rpc' }, tools)).toMatchObject({ mints: undefined, closes: undefined });
    expect(started(openEquities({ ...simulator, equityCloses: 'off' }, tools)).closes).toBeUndefined();
  });

  it('comes from the node of a real chain, by calls that wait behind all others', async () => {
    const asked: unknown[] = [];
    const server = await startRpcServer((method, params) => {
      asked.push(method);
      const [keys] = params as readonly [readonly string[]];
      const data = encodeMint({ supply: 500_000_000n, decimals: 8, scaling: undefined }).toString('base64');
      const account = { owner: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', data: [data, 'base64'] };
      return { result: { context: { slot: 9 }, value: keys.map(() => account) } };
    });
    closing.push(() => server.close());
    const clock = createHandClock();
    const rpc = createRpcClient({ url: server.url, clock, log: silentLogger });
    const { mints, closes } = started(
      openEquities({ ...simulator, source: 'rpc' }, { client, rpc, feed, clock, log: silentLogger }),
    );
    await eventually(() => expect(mints!.mintOf(EQUITIES.at(-1)!.mint)?.supply).toBe(500_000_000n));
    expect(asked).toEqual(['getMultipleAccounts', 'getMultipleAccounts', 'getMultipleAccounts']);
    expect(closes).toBeUndefined();
  });
});
