import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Network } from '../network/network.ts';
import { vote } from '../programs/vote.ts';
import type { Random } from '../random.ts';
import type { Actor, World } from '../world.ts';
import { noBid } from './bidding.ts';

const VALIDATORS = 64;
const VALIDATOR_SOL = 5_000n * SOL;
/** Slots in a row that one leader has. */
const LEADER_SLOTS = 4;

export interface Validators extends Actor {
  leaderOf(slot: number): Wallet;
}

/** Votes, a good half of every block, and who leads: those of a network, by its schedule, or a few in turn. */
export function createValidators(world: World, random: Random, network?: Network): Validators {
  const perSlot = (world.load.votes * world.slotMs) / 1_000;
  const validators = network?.validators ?? validatorsInTurn(world);
  for (const { identity, voteAccount } of validators) {
    world.bank.endow(identity.address, VALIDATOR_SOL);
    world.bank.endow(voteAccount.address, SOL);
  }
  return {
    leaderOf: (slot) =>
      network?.leaderOf(slot).identity ?? validators[Math.floor(slot / LEADER_SLOTS) % VALIDATORS]!.identity,
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const { identity, voteAccount } = random.pick(validators);
        // A validator that votes twice in a block votes for two slots: no chain takes the same transaction twice.
        const place = count;
        desk.send({
          rank: random.next(),
          plans: [
            {
              actor: 'vote',
              aim: 'land',
              payer: identity,
              ...noBid(),
              build: () => [vote(voteAccount.address, identity.address, desk.slot - place)],
            },
          ],
        });
      }
    },
  };
}

interface Voter {
  readonly identity: Wallet;
  readonly voteAccount: Wallet;
}

function validatorsInTurn({ keyring }: World): readonly Voter[] {
  return Array.from({ length: VALIDATORS }, (_, place) => ({
    identity: keyring.wallet(`validator/${place}`),
    voteAccount: keyring.wallet(`vote/${place}`),
  }));
}
