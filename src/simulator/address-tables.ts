import { WSOL_MINT } from '../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import {
  PUMP_EVENT_AUTHORITY,
  PUMP_FEE_CONFIG,
  PUMP_GLOBAL,
  PUMP_GLOBAL_VOLUME_ACCUMULATOR,
  PUMP_PROGRAM,
} from '../programs/pump/ids.ts';
import {
  PUMP_AMM_EVENT_AUTHORITY,
  PUMP_AMM_FEE_CONFIG,
  PUMP_AMM_GLOBAL_CONFIG,
  PUMP_AMM_GLOBAL_VOLUME_ACCUMULATOR,
  PUMP_AMM_PROGRAM,
} from '../programs/pump-amm/ids.ts';
import { PUMP_FEES_PROGRAM } from '../programs/pump-fees/ids.ts';
import type { Keyring } from './keyring.ts';
import type { AddressTable } from './runtime/compile.ts';
import { BUYBACK_RECIPIENTS, FEE_RECIPIENTS, USDC_MINT } from './scenery.ts';

/** The tables that v0 senders use: one of the venues' fixed accounts, one of recipients and common mints. */
export function createAddressTables(keyring: Keyring): readonly AddressTable[] {
  return [
    {
      address: keyring.wallet('table/venues').address,
      entries: [
        PUMP_GLOBAL,
        PUMP_EVENT_AUTHORITY,
        PUMP_FEE_CONFIG,
        PUMP_GLOBAL_VOLUME_ACCUMULATOR,
        PUMP_PROGRAM,
        PUMP_AMM_PROGRAM,
        PUMP_AMM_EVENT_AUTHORITY,
        PUMP_AMM_GLOBAL_CONFIG,
        PUMP_AMM_GLOBAL_VOLUME_ACCUMULATOR,
        PUMP_AMM_FEE_CONFIG,
        PUMP_FEES_PROGRAM,
        SYSTEM_PROGRAM,
        TOKEN_PROGRAM,
        TOKEN_2022_PROGRAM,
        ATA_PROGRAM,
      ],
    },
    {
      address: keyring.wallet('table/common').address,
      entries: [...FEE_RECIPIENTS, ...BUYBACK_RECIPIENTS, WSOL_MINT, USDC_MINT],
    },
  ];
}
