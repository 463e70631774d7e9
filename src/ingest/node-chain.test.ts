import { describe, expect, it } from 'vitest';
import { readChain } from '../chain/clusters.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { RPC_CODES, RpcError } from '../sources/rpc-errors.ts';
import { StoreError } from '../store/clickhouse/store-error.ts';
import { chainOfNode, holdToChain, knownChain } from './node-chain.ts';

const DEVNET = readChain('devnet')!;
const setting = knownChain(readChain('mainnet')!, 'MINTSCOPE_CHAIN');
const signal = new AbortController().signal;
const tools = { clock: systemClock, log: silentLogger, signal, setting };

/** A client whose node answers as told, and the methods it was asked. */
function clientOf(answers: Readonly<Record<string, (() => unknown)[]>>) {
  const asked: string[] = [];
  const client: RpcClient = {
    async call(method) {
      asked.push(method);
      return answers[method]?.shift()?.();
    },
    patient: () => client,
    host: 'node.invalid',
    figures: () => ({ limit: 1, inFlight: 0, waiting: 0, throttled: 0, faltered: 0 }),
  };
  return { client, asked };
}
const refuse = (code: number) => () => {
  throw new RpcError('getGenesisHash', code, 'no');
};

describe('the chain of a node', () => {
  it('is its genesis hash; the setting where the method is refused or answered with something else', async () => {
    for (const [answer, id] of [
      [() => DEVNET, DEVNET],
      [refuse(RPC_CODES.methodNotFound), setting.id],
      [() => null, setting.id],
      [() => 'simulator', setting.id],
    ] as const) {
      const { client } = clientOf({ getGenesisHash: [answer] });
      expect((await chainOfNode(client, setting, tools))?.id).toBe(id);
    }
  });

  it('is not known while it does not answer', async () => {
    const { client } = clientOf({ getGenesisHash: [refuse(RPC_CODES.internalError)] });
    expect(await chainOfNode(client, setting, tools)).toBeUndefined();
  });

  it('says blocks, and nothing where it fails', async () => {
    const { client } = clientOf({
      getGenesisHash: [() => DEVNET],
      getBlock: [() => ({ blockhash: 'abc' }), () => null, refuse(RPC_CODES.slotSkipped)],
    });
    const chain = await chainOfNode(client, setting, tools);
    expect([await chain?.blockhashAt?.(1), await chain?.blockhashAt?.(2), await chain?.blockhashAt?.(3)]).toEqual([
      'abc',
      undefined,
      undefined,
    ]);
  });
});

describe('a client that is held to a chain', () => {
  it('asks nothing before the store was held to it, and then goes on', async () => {
    const { client, asked } = clientOf({ getGenesisHash: [() => DEVNET], getSlot: [() => 5, () => 6] });
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const held = holdToChain(client, async ({ id }) => (id === DEVNET ? settled : undefined), tools);
    const first = held.call('getSlot', [], signal);
    const second = held.patient().call('getSlot', [], signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(['getGenesisHash']);
    settle();
    expect([await first, await second]).toEqual([5, 6]);
  });

  it('gives nothing of another chain, however often it is asked', async () => {
    const { client, asked } = clientOf({ getGenesisHash: [() => DEVNET], getSlot: [() => 5, () => 6] });
    const refusal = new StoreError('other_chain', 'of another chain');
    const held = holdToChain(client, () => Promise.reject(refusal), tools);
    for (const each of [held, held.patient()]) await expect(each.call('getSlot', [], signal)).rejects.toBe(refusal);
    expect(asked).toEqual(['getGenesisHash']);
  });

  it('lets go of a caller that leaves', async () => {
    const { client } = clientOf({ getGenesisHash: [() => new Promise(() => {})] });
    const held = holdToChain(client, async () => {}, tools);
    const caller = new AbortController();
    const call = held.call('getSlot', [], caller.signal);
    caller.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
  });
});
