import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { fundPlan, recruit } from './crew.ts';
import { pickTrader } from './traders.ts';

/** Shares of all fundings. */
const TREES = 0.04;
const NEWCOMERS = 0.3;
const DEPOSITS = 0.2;
/** Payrolls, faucets, bridges: private wallets that pay out to many who have nothing to do with each other. */
const PAYOUTS = 0.15;
const SERVICES = 4;
const SERVICE_SOL = 40_000n * SOL;
const SERVICE_LOW = 2_000n * SOL;
const EXCHANGE_LOW = 200_000n * SOL;
const EXCHANGE_REFILL = 1_000_000n * SOL;
const TREE_WIDTH = 3;
const LEAF_LAMPORTS = 700_000_000n;

/** Wallets that pay out all day, and whose names nobody knows. */
export function createServices(world: World): Wallet[] {
  return Array.from({ length: SERVICES }, (_, place) => {
    const wallet = world.keyring.wallet(`service/${place}`);
    world.bank.endow(wallet.address, SERVICE_SOL);
    return wallet;
  });
}

/** SOL between wallets: exchanges paying out and taking in, friends, and trees of wallets that hang on one exchange. */
export function createFunders(world: World, services: readonly Wallet[], random: Random): Actor {
  const perSlot = (world.load.fundings * world.slotMs) / 1_000;
  let trees = 0;

  function send(desk: SlotDesk, from: Wallet, to: Wallet, lamports: bigint): void {
    if (from === to) return;
    desk.send({
      rank: random.next(),
      plans: [fundPlan(world, { actor: 'payer' }, from, [{ wallet: to, lamports }], random)],
    });
  }

  /** Exchange to root, root to branches, branches to leaves, some slots apart. */
  function growTree(desk: SlotDesk): void {
    const group = `tree-${trees++}`;
    const who = { actor: 'funding_tree' as const, group };
    const [root] = recruit(world, 'tree', 1);
    const branches = recruit(world, 'tree', TREE_WIDTH);
    const branchLamports = LEAF_LAMPORTS * BigInt(TREE_WIDTH + 1);
    const plant = (slots: number, from: Wallet, to: readonly Wallet[], lamports: bigint) => {
      const shares = to.map((wallet) => ({ wallet, lamports }));
      desk.sendLater(slots, { rank: random.next(), plans: [fundPlan(world, who, from, shares, random)] });
    };
    plant(0, random.pick(world.exchanges), [root!], branchLamports * BigInt(TREE_WIDTH + 1));
    plant(random.between(2, 8), root!, branches, branchLamports);
    for (const branch of branches)
      plant(random.between(10, 30), branch, recruit(world, 'tree', TREE_WIDTH), LEAF_LAMPORTS);
  }

  return {
    act(desk) {
      for (const { address } of world.exchanges) {
        if (world.bank.lamports(address) < EXCHANGE_LOW) world.bank.endow(address, EXCHANGE_REFILL);
      }
      for (const { address } of services) {
        if (world.bank.lamports(address) < SERVICE_LOW) world.bank.endow(address, SERVICE_SOL);
      }
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const dice = random.next();
        const amount = random.amount(400_000_000, 1.3);
        if (dice < TREES) growTree(desk);
        else if (dice < TREES + NEWCOMERS)
          send(desk, random.pick(world.exchanges), world.newWallet('newcomer'), amount);
        else if (dice < TREES + NEWCOMERS + DEPOSITS)
          send(desk, pickTrader(world, random), random.pick(world.exchanges), amount);
        else if (dice < TREES + NEWCOMERS + DEPOSITS + PAYOUTS)
          send(desk, random.pick(services), world.newWallet('paid'), amount);
        else if (random.chance(0.5)) send(desk, random.pick(world.exchanges), pickTrader(world, random), amount);
        else send(desk, pickTrader(world, random), pickTrader(world, random), random.amount(30_000_000, 1));
      }
    },
  };
}
