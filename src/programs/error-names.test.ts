import { LangErrorCode } from '@coral-xyz/anchor';
import { describe, expect, test } from 'vitest';
import type { Address } from '../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { ANCHOR_ERRORS } from './anchor-errors.ts';
import { errorName } from './error-names.ts';
import { PUMP_PROGRAM } from './pump/ids.ts';
import { PUMP_AMM_PROGRAM } from './pump-amm/ids.ts';
import { PUMP_FEES_PROGRAM } from './pump-fees/ids.ts';

describe('errorName', () => {
  test.each([
    [PUMP_PROGRAM, 6000, 'NotAuthorized'],
    [PUMP_PROGRAM, 6002, 'TooMuchSolRequired'],
    [PUMP_PROGRAM, 6042, 'BuySlippageBelowMinTokensOut'],
    [PUMP_PROGRAM, 6108, 'MultiHopMayhemCurveNotSupported'],
    [PUMP_PROGRAM, 6109, undefined],
    [PUMP_AMM_PROGRAM, 6002, 'ZeroQuoteAmount'],
    [PUMP_AMM_PROGRAM, 6004, 'ExceededSlippage'],
    [PUMP_AMM_PROGRAM, 6087, 'SelfTransferNotAllowed'],
    [PUMP_FEES_PROGRAM, 6033, 'PoolCreatorFeesNotSwept'],
    [PUMP_PROGRAM, 3012, 'AccountNotInitialized'],
    [PUMP_PROGRAM, 1, undefined],
    [TOKEN_PROGRAM, 1, 'InsufficientFunds'],
    [TOKEN_2022_PROGRAM, 17, 'AccountFrozen'],
    [SYSTEM_PROGRAM, 1, 'ResultWithNegativeLamports'],
    [ATA_PROGRAM, 0, 'InvalidOwner'],
    ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address, 6001, undefined],
  ])('of %s %i is %s', (program, code, name) => {
    expect(errorName(program, code)).toBe(name);
  });

  test('framework codes are those of Anchor', () => {
    expect(ANCHOR_ERRORS).toEqual(
      Object.fromEntries(Object.entries(LangErrorCode).map(([name, code]) => [code, name])),
    );
  });
});
