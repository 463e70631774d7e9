import type { Address } from '../../chain/address.ts';
import { MEMO_PROGRAM } from '../../chain/well-known.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read, signRead, signWrite, write } from '../runtime/instruction.ts';
import type { TransactionPlan } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { pickTrader } from './traders.ts';

const PROGRAMS = 12;
const ACCOUNTS = 40;
const MEMOS = 0.1;
const FAILURES = 0.25;
const LOAD_FAILURES = 0.04;
const SOME_CUSTOM_CODE = 6_007;

/** The rest of the chain: oracles, order books, games, memos. No fact tells of them, but they count in the block. */
export function createBackground(world: World, random: Random): Actor {
  const perSlot = (world.load.background * world.slotMs) / 1_000;
  const programs = Array.from({ length: PROGRAMS }, (_, place) => world.keyring.wallet(`program/${place}`).address);
  const accounts = Array.from({ length: ACCOUNTS }, (_, place) => world.keyring.wallet(`state/${place}`).address);

  function call(payer: Address, fails: boolean): Instruction {
    const depth = random.below(3);
    const make = (level: number): Instruction => {
      const inner = level < depth ? make(level + 1) : undefined;
      const own = [signWrite(payer), write(random.pick(accounts)), write(random.pick(accounts))];
      return {
        program: random.pick(programs),
        accounts: inner === undefined ? own : [...own, ...inner.accounts, read(inner.program)],
        data: random.bytes(random.between(8, 60)),
        run(execution) {
          execution.log('Instruction: Update');
          if (inner !== undefined) execution.invoke(inner);
          else if (fails) execution.fail(SOME_CUSTOM_CODE);
        },
      };
    };
    return make(0);
  }

  function plan(): TransactionPlan {
    const payer = pickTrader(world, random);
    const dice = random.next();
    const fails = random.chance(FAILURES);
    const instruction = call(payer.address, fails);
    const memo = {
      program: MEMO_PROGRAM,
      accounts: [signRead(payer.address)],
      data: Buffer.from(`gm ${random.below(1_000)}`),
    };
    return {
      actor: 'background',
      aim: fails ? 'revert' : 'land',
      payer,
      ...ordinaryBid(random),
      ...(dice < LOAD_FAILURES ? { aim: 'fail_to_load' as const, loadFailure: 'ProgramAccountNotFound' as const } : {}),
      build: () => (dice > 1 - MEMOS ? [memo, instruction] : [instruction]),
    };
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) desk.send({ rank: random.next(), plans: [plan()] });
    },
  };
}
