import type { Address } from '../../chain/address.ts';
import { MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chain/well-known.ts';
import { EQUITY } from '../../facts/venue.ts';
import { ByteWriter } from '../byte-writer.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { read, signWrite, write } from '../runtime/instruction.ts';
import { CLMM_PROGRAM } from '../scenery.ts';
import { executionPrice } from './price.ts';
import { associatedAccount, type TokenKind, transferTokens } from './token.ts';

const SWAP_V2 = Uint8Array.of(0x2b, 0x04, 0xed, 0x0b, 0x1a, 0xc9, 0x1e, 0x62);

/** Raw units: fewer show no price. */
const LEAST_PRICED = 10_000n;

/** A pool of an equity against dollars on Raydium's concentrated-liquidity program. */
export interface EquityPool {
  readonly address: Address;
  readonly config: Address;
  readonly observation: Address;
  readonly equity: TokenKind;
  readonly money: TokenKind;
}

export interface EquitySwap {
  readonly pool: EquityPool;
  readonly user: Address;
  readonly isBuy: boolean;
  /** Raw units: what the pool gets, and what it gives. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** A swap that no event of ours tells: only the pool's balances do. */
export function equitySwap(swap: EquitySwap): Instruction {
  const { amountIn, amountOut, isBuy, pool, user } = swap;
  const [paid, got] = isBuy ? [pool.money, pool.equity] : [pool.equity, pool.money];
  const accounts = {
    input: associatedAccount(user, paid),
    output: associatedAccount(user, got),
    inputVault: associatedAccount(pool.address, paid),
    outputVault: associatedAccount(pool.address, got),
  };
  return {
    program: CLMM_PROGRAM,
    accounts: [
      signWrite(user),
      read(pool.config),
      write(pool.address),
      write(accounts.input),
      write(accounts.output),
      write(accounts.inputVault),
      write(accounts.outputVault),
      write(pool.observation),
      read(TOKEN_PROGRAM),
      read(TOKEN_2022_PROGRAM),
      read(MEMO_PROGRAM),
      read(paid.mint),
      read(got.mint),
    ],
    data: new ByteWriter(41).bytes(SWAP_V2).u64(amountIn).u64(amountOut).u64(0n).u64(0n).u8(1).finish(),
    run(execution) {
      execution.log('Instruction: SwapV2');
      execution.invoke(transferTokens(paid, accounts.input, accounts.inputVault, user, amountIn));
      execution.invoke(transferTokens(got, accounts.outputVault, accounts.output, pool.address, amountOut));
      const [dollars, shares] = isBuy ? [amountIn, amountOut] : [amountOut, amountIn];
      recordEquitySwap(execution, { ...pool, pool: pool.address, user, isBuy, dollars, shares });
    },
  };
}

/** A swap of an equity as it is to be told. */
export interface EquityFill {
  readonly pool: Address;
  readonly equity: TokenKind;
  readonly money: TokenKind;
  readonly user: Address;
  readonly isBuy: boolean;
  /** Raw units. */
  readonly dollars: bigint;
  readonly shares: bigint;
  /** False where no program made both sides: it is no price, however large. */
  readonly isPrice?: boolean;
}

/** Writes the swap down as true, on whichever program it was. */
export function recordEquitySwap(execution: Execution, fill: EquityFill): void {
  const { dollars: quoteAmount, equity, isBuy, isPrice = true, money, pool, shares: tokenAmount, user } = fill;
  execution.record.equitySwaps.push({
    mint: equity.mint,
    venue: EQUITY,
    pool,
    trader: user,
    isBuy,
    quoteMint: money.mint,
    quoteDecimals: money.decimals,
    tokenDecimals: equity.decimals,
    quoteAmount,
    tokenAmount,
    ...executionPrice(quoteAmount, tokenAmount, { quote: quoteAmount, token: tokenAmount }),
    fee: 0n,
    creatorFee: 0n,
    lpFee: 0n,
    feeInToken: false,
    feeCreator: undefined,
    virtualQuoteReserves: undefined,
    virtualTokenReserves: undefined,
    realQuoteReserves: undefined,
    realTokenReserves: undefined,
    priced: isPrice && quoteAmount >= LEAST_PRICED && tokenAmount >= LEAST_PRICED,
    protocolActor: false,
    router: execution.router,
  });
}
