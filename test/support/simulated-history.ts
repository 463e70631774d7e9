import type { SimulatedBlock } from '../../src/simulator/simulator.ts';
import type { RpcReply } from './rpc-server.ts';

interface TransactionJson {
  readonly transaction: { readonly signatures: string[]; readonly message: { readonly accountKeys: string[] } };
  readonly meta: { readonly loadedAddresses?: { readonly writable: string[]; readonly readonly: string[] } };
}

interface Past {
  readonly slot: number;
  readonly blockTime: number;
  readonly json: TransactionJson;
}

/** Answers questions about the past of accounts as a node with all of a simulated chain's history does. */
export class SimulatedHistory {
  readonly #transactions = new Map<string, Past>();
  /** Signatures by account, oldest first. */
  readonly #accounts = new Map<string, string[]>();

  add(block: SimulatedBlock): void {
    const { transactions } = block.rpc('json') as { transactions: TransactionJson[] };
    for (const json of transactions) {
      const signature = json.transaction.signatures[0]!;
      this.#transactions.set(signature, { slot: block.slot, blockTime: block.time, json });
      const { writable = [], readonly = [] } = json.meta.loadedAddresses ?? {};
      for (const account of [...json.transaction.message.accountKeys, ...writable, ...readonly]) {
        const signatures = this.#accounts.get(account);
        if (signatures === undefined) this.#accounts.set(account, [signature]);
        else signatures.push(signature);
      }
    }
  }

  answer(method: string, params: readonly unknown[]): RpcReply {
    if (method === 'getSignaturesForAddress') {
      const [account, { limit, before }] = params as [string, { limit: number; before?: string }];
      const newestFirst = (this.#accounts.get(account) ?? []).toReversed();
      const from = before === undefined ? 0 : newestFirst.indexOf(before) + 1;
      return { result: newestFirst.slice(from, from + limit).map((signature) => ({ signature, err: null })) };
    }
    if (method === 'getTransaction') {
      const past = this.#transactions.get(params[0] as string);
      return { result: past === undefined ? null : { slot: past.slot, blockTime: past.blockTime, ...past.json } };
    }
    return { error: { code: -32_601, message: 'method not found' } };
  }
}
