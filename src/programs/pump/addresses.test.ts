import { describe, expect, test } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { WSOL_MINT, ZERO_ADDRESS } from '../../chain/address.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { TOKEN_2022_PROGRAM } from '../../chain/well-known.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_GLOBAL_CONFIG, PUMP_AMM_PROGRAM } from '../pump-amm/ids.ts';
import { PUMP_FEES_EVENT_AUTHORITY, PUMP_FEES_PROGRAM } from '../pump-fees/ids.ts';
import {
  bondingCurveAddress,
  canonicalPoolAddress,
  curveTokenAccountAddress,
  poolAuthorityAddress,
} from './addresses.ts';
import {
  MAYHEM_GLOBAL_PARAMS,
  MAYHEM_PROGRAM,
  MAYHEM_SOL_VAULT,
  PUMP_EVENT_AUTHORITY,
  PUMP_GLOBAL,
  PUMP_PROGRAM,
} from './ids.ts';

const MINT = '7LSsEoJGhLeZzGvDofTdNg7M3JttxQqGWNLo6vWMpump' as Address;
const seed = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

describe('derived addresses', () => {
  test('are those that are published', () => {
    expect(bondingCurveAddress('4WrjfJXMSJnWgxFhzCvNRtTVLAfzXL3Zmf4413aqpump' as Address)).toBe(
      'CS4U7DFbcwmLxmwvgqcJtoMEzvatMfXJvhZfobxCHGQR',
    );
    expect(poolAuthorityAddress(MINT)).toBe('9XDYTfQKwW8sHPqnFdUreMmtmffmkHVPGTNV2e3LKxNW');
    expect(canonicalPoolAddress(MINT, undefined)).toBe('GseMAnNDvntR5uFePZ51yZBXzNSn7GdFPkfHwfr6d77J');
  });

  test('SOL as a quote is the zero key, the wrapped mint or nothing', () => {
    expect(canonicalPoolAddress(MINT, ZERO_ADDRESS)).toBe(canonicalPoolAddress(MINT, undefined));
    expect(canonicalPoolAddress(MINT, WSOL_MINT)).toBe(canonicalPoolAddress(MINT, undefined));
    expect(canonicalPoolAddress(MINT, MINT)).not.toBe(canonicalPoolAddress(MINT, undefined));
  });

  test('a token account depends on the token program', () => {
    expect(curveTokenAccountAddress(MINT, TOKEN_2022_PROGRAM)).not.toBe(
      curveTokenAccountAddress(MINT, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address),
    );
  });

  test.each([
    [PUMP_EVENT_AUTHORITY, '__event_authority', PUMP_PROGRAM],
    [PUMP_AMM_EVENT_AUTHORITY, '__event_authority', PUMP_AMM_PROGRAM],
    [PUMP_FEES_EVENT_AUTHORITY, '__event_authority', PUMP_FEES_PROGRAM],
    [PUMP_GLOBAL, 'global', PUMP_PROGRAM],
    [PUMP_AMM_GLOBAL_CONFIG, 'global_config', PUMP_AMM_PROGRAM],
    [MAYHEM_SOL_VAULT, 'sol-vault', MAYHEM_PROGRAM],
    [MAYHEM_GLOBAL_PARAMS, 'global-params', MAYHEM_PROGRAM],
  ])('%s is the address of %s', (address, text, program) => {
    expect(findProgramAddress(seed(text), program).address).toBe(address);
  });
});
