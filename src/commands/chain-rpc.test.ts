import { describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { holdToStore } from './chain-rpc.ts';

const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
const { signal } = new AbortController();

/** A node of devnet, and a store that is of no chain until it is said. */
function world() {
  const asked: string[] = [];
  const warned: string[] = [];
  let recorded: string | undefined;
  let look: () => void = () => {};
  const call = async (method: string) => {
    asked.push(method);
    return method === 'getGenesisHash' ? DEVNET : 5;
  };
  const client = { call, patient: () => client, figures: {}, host: 'node' } as unknown as RpcClient;
  const clock = {
    ...systemClock,
    sleep: () =>
      new Promise<void>((resolve) => {
        look = resolve;
      }),
  };
  const log = { ...silentLogger, warn: (_fields: object, message: string) => void warned.push(message) };
  const held = holdToStore(client, { chain: 'mainnet' }, async (id) => id === recorded, { clock, log, signal });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    held,
    asked,
    warned,
    turn,
    async record(chain: string) {
      recorded = chain;
      look();
      await turn();
    },
  };
}

describe('the main thread’s questions to a node that was silent at the start', () => {
  it('wait until ingest has held the store to the chain of the node', async () => {
    const { held, asked, turn, record } = world();
    const answer = held.call('getMultipleAccounts', [], signal);
    await turn();
    expect(asked).toEqual(['getGenesisHash']);
    await record(DEVNET);
    expect(await answer).toBe(5);
    expect(asked).toEqual(['getGenesisHash', 'getMultipleAccounts']);
  });

  it('are never asked while the store is of another chain, which is told once', async () => {
    const { held, asked, warned, turn, record } = world();
    const left = new AbortController();
    const answer = held.patient().call('getMultipleAccounts', [], left.signal);
    await turn();
    for (const _ of [1, 2, 3]) await record('another');
    expect(asked).toEqual(['getGenesisHash']);
    expect(warned).toHaveLength(1);
    left.abort(new Error('left'));
    await expect(answer).rejects.toThrow('left');
  });
});
