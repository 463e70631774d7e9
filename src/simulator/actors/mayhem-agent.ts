import { MAYHEM_GLOBAL_PARAMS, MAYHEM_PROGRAM, MAYHEM_SOL_VAULT } from '../../programs/pump/ids.ts';
import { SOL } from '../genesis.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read, signWrite, write } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { tokensOf } from './token-sends.ts';

const OPERATOR_SOL = 5_000n * SOL;
/** Trades of the agent on one coin, each slot. */
const RATE = 0.05;
const MEDIAN_LAMPORTS = 20_000_000;
const VAULT_LOW = 1_000n * SOL;
const VAULT_REFILL = 20_000n * SOL;
const TRADE_DISCRIMINATOR = Uint8Array.of(0x9a, 0x21, 0x07, 0xd4, 0x55, 0x6e, 0x10, 0xbb);

/** The program's own agent, which trades mayhem coins without fees and moves their price at will. */
export function createMayhemAgent(world: World, random: Random): Actor {
  const operator = world.keyring.wallet('mayhem-operator');
  world.bank.endow(operator.address, OPERATOR_SOL);

  /** The vault is the user of the inner trade: the mayhem program signs for it. */
  function agentCall(inner: Instruction): Instruction {
    return {
      program: MAYHEM_PROGRAM,
      accounts: [
        signWrite(operator.address),
        read(MAYHEM_GLOBAL_PARAMS),
        write(MAYHEM_SOL_VAULT),
        ...inner.accounts.map((meta) => (meta.signer ? { ...meta, signer: false } : meta)),
        read(MAYHEM_PROGRAM),
      ],
      data: TRADE_DISCRIMINATOR,
      run: (execution) => void execution.invoke(inner),
    };
  }

  function trade(desk: SlotDesk, coin: Coin): void {
    const isBuy = random.chance(0.6);
    const spend = random.amount(MEDIAN_LAMPORTS, 0.6);
    const share = BigInt(random.between(1, 40));
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'mayhem_agent',
          aim: 'land',
          payer: operator,
          version: 0,
          budget: { unitLimit: 250_000, unitPrice: 100_000n },
          build() {
            const { curve } = coin;
            if (coin.retired || curve === undefined || curve.complete) return undefined;
            const user = MAYHEM_SOL_VAULT;
            if (isBuy) {
              return [
                agentCall(
                  curveTrade({ name: 'buy_exact_sol_in', coin, user, amount: spend, limit: 0n, byAgent: true }),
                ),
              ];
            }
            // No more than the curve can pay for.
            const most = (curve.reserves.realQuote * curve.reserves.virtualToken) / (curve.reserves.virtualQuote * 4n);
            const wanted = (tokensOf(world, user, coin.token) * share) / 100_000n;
            const amount = wanted < most ? wanted : most;
            if (amount === 0n) return undefined;
            return [agentCall(curveTrade({ name: 'sell', coin, user, amount, limit: 0n, byAgent: true }))];
          },
        },
      ],
    });
  }

  return {
    act(desk) {
      if (world.bank.lamports(MAYHEM_SOL_VAULT) < VAULT_LOW) world.bank.endow(MAYHEM_SOL_VAULT, VAULT_REFILL);
      for (const coin of world.market.coins) if (coin.mayhem && random.chance(RATE)) trade(desk, coin);
    },
  };
}
