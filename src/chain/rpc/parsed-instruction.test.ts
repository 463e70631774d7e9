import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { addressBytes } from '../keys/address-table.ts';
import { MalformedWire } from '../malformed-wire.ts';
import {
  ATA_PROGRAM,
  MEMO_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../well-known.ts';
import { rebuildInstruction } from './parsed-instruction.ts';

const A = '4SrXdKFYoiUfYzWN7YV8kdJ2TkZieDmjVCEJg4mTAun6' as Address;
const B = 'HoB5DAFC69L8SzD5F1uJDEFZ3CDFy4ceA7Z1kyNMKy7B' as Address;
const C = 'FstBRGMkNKf4wNvfieYUPS9YsbNoQJMCh6v89zajpump' as Address;
const D = 'BtMzrjEpmLTk4ZGdaS9VVp1jfneoyc1AWsU8ko7ffnug' as Address;

/** The parsed part of an answer, and what it was before. */
function expectRebuilt(program: Address, type: string, info: object, accounts: Address[], hex: string) {
  const rebuilt = rebuildInstruction(program, { type, info });
  expect({ accounts: rebuilt.accounts, data: Buffer.from(rebuilt.data).toString('hex') }, type).toEqual({
    accounts,
    data: hex,
  });
}

function hexOf(address: Address): string {
  return Buffer.from(addressBytes(address)).toString('hex');
}

const CHECKED = { tokenAmount: { amount: '18446744073709551615', decimals: 6, uiAmount: 1.8e13, uiAmountString: 'x' } };

describe('rebuildInstruction', () => {
  it('rebuilds system instructions', () => {
    expectRebuilt(
      SYSTEM_PROGRAM,
      'transfer',
      { source: A, destination: B, lamports: 3_000_000 },
      [A, B],
      '02000000c0c62d0000000000',
    );
    expectRebuilt(SYSTEM_PROGRAM, 'allocate', { account: A, space: 607 }, [A], '080000005f02000000000000');
    expectRebuilt(SYSTEM_PROGRAM, 'assign', { account: A, owner: C }, [A], `01000000${hexOf(C)}`);
    const create = { source: A, newAccount: B, lamports: 2_039_280, space: 165, owner: TOKEN_PROGRAM };
    expectRebuilt(
      SYSTEM_PROGRAM,
      'createAccount',
      create,
      [A, B],
      `00000000f01d1f0000000000a500000000000000${hexOf(TOKEN_PROGRAM)}`,
    );
    const seeded = { source: A, newAccount: B, base: A, seed: 'ab', lamports: 1, space: 2, owner: C };
    const data = `03000000${hexOf(A)}0200000000000000616201000000000000000200000000000000${hexOf(C)}`;
    expectRebuilt(SYSTEM_PROGRAM, 'createAccountWithSeed', seeded, [A, B], data);
  });

  it('rebuilds token instructions of both token programs', () => {
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      const transfer = { source: A, destination: B, authority: C, amount: '724879458841' };
      expectRebuilt(program, 'transfer', transfer, [A, B, C], '0319c22ec6a8000000');
      const checked = { source: A, mint: B, destination: C, authority: D, ...CHECKED };
      expectRebuilt(program, 'transferChecked', checked, [A, B, C, D], '0cffffffffffffffff06');
      expectRebuilt(
        program,
        'burn',
        { account: A, mint: B, authority: C, amount: '1' },
        [A, B, C],
        '080100000000000000',
      );
      expectRebuilt(
        program,
        'burnChecked',
        { account: A, mint: B, authority: C, ...CHECKED },
        [A, B, C],
        '0fffffffffffffffff06',
      );
      expectRebuilt(
        program,
        'mintTo',
        { mint: A, account: B, mintAuthority: C, amount: '256' },
        [A, B, C],
        '070001000000000000',
      );
      expectRebuilt(program, 'closeAccount', { account: A, destination: B, owner: C }, [A, B, C], '09');
      expectRebuilt(program, 'syncNative', { account: A }, [A], '11');
    }
    const withFee = { source: A, mint: B, destination: C, authority: D, ...CHECKED, feeAmount: { amount: '2' } };
    const data = '1a01ffffffffffffffff060200000000000000';
    expectRebuilt(TOKEN_2022_PROGRAM, 'transferCheckedWithFee', withFee, [A, B, C, D], data);
  });

  it('rebuilds what may be there or not', () => {
    const mint = { mint: A, decimals: 6, mintAuthority: B };
    expectRebuilt(TOKEN_PROGRAM, 'initializeMint2', mint, [A], `1406${hexOf(B)}00`);
    expectRebuilt(
      TOKEN_PROGRAM,
      'initializeMint2',
      { ...mint, freezeAuthority: C },
      [A],
      `1406${hexOf(B)}01${hexOf(C)}`,
    );
    const authority = { authority: B, authorityType: 'accountOwner', newAuthority: C };
    expectRebuilt(TOKEN_PROGRAM, 'setAuthority', { account: A, ...authority }, [A, B], `060201${hexOf(C)}`);
    const none = { mint: A, authority: B, authorityType: 'mintTokens', newAuthority: null };
    expectRebuilt(TOKEN_PROGRAM, 'setAuthority', none, [A, B], '060000');
  });

  it('survives names that are newer than it', () => {
    const newer = { account: A, authority: B, authorityType: 'somethingNew', newAuthority: C };
    expectRebuilt(TOKEN_2022_PROGRAM, 'setAuthority', newer, [A, B], `06ff01${hexOf(C)}`);
    const size = { mint: A, extensionTypes: ['immutableOwner', 'somethingNew'] };
    expectRebuilt(TOKEN_2022_PROGRAM, 'getAccountDataSize', size, [A], '150700ff00');
  });

  it('lists a multisig and its signers in place of the authority', () => {
    const info = { source: A, destination: B, multisigAuthority: C, signers: [D, A], amount: '1' };
    expectRebuilt(TOKEN_PROGRAM, 'transfer', info, [A, B, C, D, A], '030100000000000000');
    const close = { account: A, destination: B, multisigOwner: C, signers: [D] };
    expectRebuilt(TOKEN_PROGRAM, 'closeAccount', close, [A, B, C, D], '09');
  });

  it('rebuilds associated accounts and memos', () => {
    const info = {
      source: A,
      account: B,
      wallet: C,
      mint: D,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: TOKEN_PROGRAM,
    };
    const accounts = [A, B, C, D, SYSTEM_PROGRAM, TOKEN_PROGRAM];
    expectRebuilt(ATA_PROGRAM, 'create', info, accounts, '');
    expectRebuilt(ATA_PROGRAM, 'createIdempotent', info, accounts, '01');
    expect(rebuildInstruction(MEMO_PROGRAM, 'héllo').data).toEqual(new TextEncoder().encode('héllo'));
  });

  it('leaves what nobody reads without accounts and data', () => {
    for (const program of [STAKE_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const type of ['initializeTokenMetadata', 'constructor', 'toString']) {
        const { accounts, data } = rebuildInstruction(program, { type, info: {} });
        expect({ accounts, data: [...data] }).toEqual({ accounts: [], data: [] });
      }
    }
  });

  it('refuses fields that are missing or wrong', () => {
    const good = { source: A, destination: B, authority: C, amount: '1' };
    for (const wrong of [
      { ...good, amount: 'x' },
      { ...good, amount: undefined },
      { ...good, source: undefined },
    ]) {
      expect(() => rebuildInstruction(TOKEN_PROGRAM, { type: 'transfer', info: wrong })).toThrow(MalformedWire);
    }
    expect(() => rebuildInstruction(TOKEN_PROGRAM, { type: 'transfer' })).toThrow(MalformedWire);
    expect(() => rebuildInstruction(TOKEN_PROGRAM, 'transfer')).toThrow(MalformedWire);
    const assign = { type: 'assign', info: { account: A, owner: 'abc' } };
    expect(() => rebuildInstruction(SYSTEM_PROGRAM, assign)).toThrow(MalformedWire);
  });
});
