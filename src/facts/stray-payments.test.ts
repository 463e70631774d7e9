import { describe, expect, it } from 'vitest';
import { buildBlock, type CallSpec, someAddress, venueCall } from '../../test/support/transaction-builder.ts';
import type { Address } from '../chain/address.ts';
import { SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { TIP_PROVIDERS } from '../programs/registry/index.ts';
import { strayPayments } from './stray-payments.ts';

const trader = someAddress();
const mint = someAddress();
const TIP = 1_000_000n;

function transfer(to: Address, lamports = TIP, from = trader): CallSpec {
  const data = new Uint8Array(12);
  new DataView(data.buffer).setUint32(0, 2, true);
  new DataView(data.buffer).setBigUint64(4, lamports, true);
  return { program: SYSTEM_PROGRAM, accounts: [from, to], data };
}

interface Beside {
  readonly calls: readonly CallSpec[];
  readonly signers?: readonly Address[];
  readonly lamports?: readonly { readonly account: Address; readonly pre: bigint; readonly post: bigint }[];
  readonly tokens?: readonly { readonly account: Address; readonly mint: Address; readonly owner: Address }[];
  readonly trades?: boolean;
}

/** Receivers of payments beside one trade. */
function receivers({ calls, signers = [trader], lamports = [], tokens = [], trades = true }: Beside) {
  const held = tokens.map((token) => ({ ...token, pre: 0n, post: 1n }));
  const block = buildBlock([{ signers, calls, lamports, tokens: held }]);
  return strayPayments(block, trades ? [{ blockIndex: 0, mint }] : []);
}

describe('a stray payment', () => {
  it('is a small transfer beside a trade to an account of no list', () => {
    const wallet = someAddress();
    expect(receivers({ calls: [transfer(wallet)] })).toEqual([{ wallet, payer: trader, mint, lamports: TIP }]);
    const byRouter = { program: someAddress(), calls: [transfer(wallet)] };
    expect(receivers({ calls: [byRouter] })).toHaveLength(1);
  });

  it('is none without a trade, nor in crumbs or fortunes', () => {
    expect(receivers({ calls: [transfer(someAddress())], trades: false })).toEqual([]);
    expect(receivers({ calls: [transfer(someAddress(), 9_999n), transfer(someAddress(), 1_000_000_001n)] })).toEqual(
      [],
    );
  });

  it('is none to an account that a list names, or that signed', () => {
    const [tipAccount] = TIP_PROVIDERS.flatMap(({ accounts }) => accounts).filter(
      ({ confidence }) => confidence !== 'low',
    );
    const other = someAddress();
    expect(receivers({ calls: [transfer(tipAccount!.address)] })).toEqual([]);
    expect(receivers({ calls: [transfer(other)], signers: [trader, other] })).toEqual([]);
  });

  it('is none that is rent: of an account that is made, of tokens, or given to a program', () => {
    const [made, tokens, taken] = [someAddress(), someAddress(), someAddress()];
    expect(receivers({ calls: [transfer(made)], lamports: [{ account: made, pre: 0n, post: TIP }] })).toEqual([]);
    expect(receivers({ calls: [transfer(tokens)], tokens: [{ account: tokens, mint, owner: trader }] })).toEqual([]);
    const assign = { program: SYSTEM_PROGRAM, accounts: [taken], data: new Uint8Array([1, 0, 0, 0]) };
    expect(receivers({ calls: [transfer(taken), assign] })).toEqual([]);
  });

  it('is none that a venue pays, or to an account that its instruction names', () => {
    const vault = someAddress();
    expect(receivers({ calls: [{ program: PUMP_PROGRAM, calls: [transfer(vault)] }] })).toEqual([]);
    const named = venueCall('pump', 'set_creator', { creator: trader }, { creator: vault });
    const names = { ...named, accounts: [...(named.accounts ?? []), vault] };
    expect(receivers({ calls: [names, transfer(vault)] })).toEqual([]);
  });

  it('is none that somebody pays who has not signed', () => {
    expect(receivers({ calls: [transfer(someAddress(), TIP, someAddress())] })).toEqual([]);
  });
});
