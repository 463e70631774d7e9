import { ed25519 } from '@noble/curves/ed25519.js';
import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../address.ts';
import { WSOL_MINT } from '../address.ts';
import { ATA_PROGRAM, TOKEN_PROGRAM } from '../well-known.ts';
import { addressBytes } from './address-table.ts';
import { findProgramAddress, isOnCurve } from './pda.ts';

const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P' as Address;
const PUMP_AMM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA' as Address;

function seed(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

describe('findProgramAddress', () => {
  it('finds what kit finds', async () => {
    const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(seeds, async (each) => {
        const [expected, bump] = await getProgramDerivedAddress({ programAddress: address(PUMP), seeds: each });
        expect(findProgramAddress(each, PUMP)).toEqual({ address: expected, bump });
      }),
      { numRuns: 40 },
    );
  });

  it('finds addresses that are known from the chain', () => {
    const curve = addressBytes('4WrjfJXMSJnWgxFhzCvNRtTVLAfzXL3Zmf4413aqpump' as Address);
    expect(findProgramAddress([seed('bonding-curve'), curve], PUMP).address).toBe(
      'CS4U7DFbcwmLxmwvgqcJtoMEzvatMfXJvhZfobxCHGQR',
    );
    const mint = addressBytes('7LSsEoJGhLeZzGvDofTdNg7M3JttxQqGWNLo6vWMpump' as Address);
    const authority = findProgramAddress([seed('pool-authority'), mint], PUMP).address;
    expect(authority).toBe('9XDYTfQKwW8sHPqnFdUreMmtmffmkHVPGTNV2e3LKxNW');
    const pool = [seed('pool'), Uint8Array.of(0, 0), addressBytes(authority), mint, addressBytes(WSOL_MINT)];
    expect(findProgramAddress(pool, PUMP_AMM).address).toBe('GseMAnNDvntR5uFePZ51yZBXzNSn7GdFPkfHwfr6d77J');
    // A real associated token account.
    const wallet = addressBytes('4SrXdKFYoiUfYzWN7YV8kdJ2TkZieDmjVCEJg4mTAun6' as Address);
    const token = addressBytes('FstBRGMkNKf4wNvfieYUPS9YsbNoQJMCh6v89zajpump' as Address);
    expect(findProgramAddress([wallet, addressBytes(TOKEN_PROGRAM), token], ATA_PROGRAM).address).toBe(
      'HoB5DAFC69L8SzD5F1uJDEFZ3CDFy4ceA7Z1kyNMKy7B',
    );
  });

  it('refuses seeds that no program could use', () => {
    expect(() => findProgramAddress([new Uint8Array(33)], PUMP)).toThrow(RangeError);
    expect(() => findProgramAddress(new Array(16).fill(new Uint8Array(1)), PUMP)).toThrow(RangeError);
  });
});

describe('isOnCurve', () => {
  it('tells wallets from derived addresses', () => {
    const encode = (text: string) => getAddressEncoder().encode(address(text)) as Uint8Array;
    expect(isOnCurve(encode('4SrXdKFYoiUfYzWN7YV8kdJ2TkZieDmjVCEJg4mTAun6'))).toBe(true);
    expect(isOnCurve(encode('CS4U7DFbcwmLxmwvgqcJtoMEzvatMfXJvhZfobxCHGQR'))).toBe(false);
  });

  it('tells them as another library does, whatever the bytes, and at the edges of the field', () => {
    const isPoint = (bytes: Uint8Array) => {
      try {
        ed25519.Point.fromBytes(bytes, true);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(isOnCurve(bytes)).toBe(isPoint(bytes));
      }),
      { numRuns: 500 },
    );
    const P = 2n ** 255n - 19n;
    for (const base of [0n, P, 2n ** 32n, 2n ** 64n, 2n ** 254n, 2n ** 255n - 1n]) {
      for (let y = base - 20n; y <= base + 20n; y += 1n) {
        for (const sign of [0, 0x80]) {
          const bytes = Buffer.from((y & (2n ** 255n - 1n)).toString(16).padStart(64, '0'), 'hex').reverse();
          bytes[31]! |= sign;
          expect([y, sign, isOnCurve(bytes)]).toEqual([y, sign, isPoint(bytes)]);
        }
      }
    }
  });
});
