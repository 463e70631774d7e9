import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { CONFIG_PROGRAM } from '../../chain/well-known.ts';
import { type Network, type NetworkValidator, TURN_SLOTS } from './network.ts';
import { answerTipAccounts } from './tip-accounts.ts';

const VALIDATOR_INFO = 'Va1idator1nfo111111111111111111111111111111' as Address;
/** Nodes name the clients that they know, and number the others. */
const CLIENT_NAMES = 'SolanaLabs JitoLabs Frankendancer Agave AgavePaladin Firedancer AgaveBam Sig'.split(' ');
/** Schedules of earlier epochs that a node still has. */
const KEPT_EPOCHS = 4;
/** Slots that a delinquent validator's vote is behind, at least. */
const BEHIND_SLOTS = 150;
const ACCOUNT_BYTES = 643;

/**
 * The result that a node of the network gives to a call about epochs, leaders and validators while it stands at `slot`;
 * undefined for every other call.
 */
export function answerNetwork(
  network: Network,
  slot: number,
  method: string,
  params: readonly unknown[],
): { readonly result: unknown } | undefined {
  switch (method) {
    case 'getEpochInfo':
      return { result: epochInfo(network, slot) };
    case 'getEpochSchedule':
      return { result: epochSchedule(network) };
    case 'getLeaderSchedule':
      return { result: leaderSchedule(network, slot, params[0]) };
    case 'getClusterNodes':
      return { result: clusterNodes(network) };
    case 'getVoteAccounts':
      return { result: voteAccounts(network, slot) };
    case 'getProgramAccounts':
      return params[0] === CONFIG_PROGRAM ? { result: validatorInfos(network) } : undefined;
    case 'getMultipleAccounts': {
      const result = answerTipAccounts(network, slot, params);
      return result && { result };
    }
    default:
      return undefined;
  }
}

function epochInfo({ slotsPerEpoch, epochOf }: Network, slot: number): object {
  const slotIndex = slot % slotsPerEpoch;
  return {
    ...{ absoluteSlot: slot, blockHeight: slot, epoch: epochOf(slot), slotIndex, slotsInEpoch: slotsPerEpoch },
    transactionCount: null,
  };
}

function epochSchedule({ slotsPerEpoch }: Network): object {
  return {
    ...{ slotsPerEpoch, leaderScheduleSlotOffset: slotsPerEpoch, warmup: false },
    ...{ firstNormalEpoch: 0, firstNormalSlot: 0 },
  };
}

/** By identity the slots that it leads, counted from the epoch's first; null for epochs that the node does not know. */
function leaderSchedule(network: Network, slot: number, asked: unknown): object | null {
  const current = network.epochOf(slot);
  const epoch = typeof asked === 'number' ? network.epochOf(asked) : current;
  if (epoch > current + 1 || epoch < current - KEPT_EPOCHS) return null;
  const slots = new Map<number, number[]>();
  network.turnsOf(epoch).forEach((place, turn) => {
    const led = slots.get(place) ?? [];
    slots.set(place, led);
    for (let each = 0; each < TURN_SLOTS; each += 1) led.push(turn * TURN_SLOTS + each);
  });
  const entries = [...slots].map(([place, led]) => [network.validators[place]!.identity.address, led] as const);
  return Object.fromEntries(entries);
}

function clusterNodes({ validators, others }: Network): object[] {
  const shred = { featureSet: 3_640_012_085, shredVersion: 50_093 };
  const nodes = validators.map(({ identity, ip, version, clientId }) => ({
    ...{ pubkey: identity.address, gossip: `${ip}:8001`, tpuQuic: `${ip}:8009`, tvu: `${ip}:8002`, rpc: null },
    ...{ version, clientId: CLIENT_NAMES[clientId] ?? `Unknown(${clientId})`, ...shred },
  }));
  const bystanders = others.map((pubkey, place) => ({
    ...{ pubkey, gossip: `198.19.0.${place}:8001`, tpuQuic: null, tvu: null, rpc: `198.19.0.${place}:8899` },
    ...{ version: place % 2 === 0 ? '4.2.1' : null, clientId: null, ...shred },
  }));
  return [...nodes, ...bystanders];
}

function voteAccounts(network: Network, slot: number): object {
  const epoch = network.epochOf(slot);
  const staked = network.validators.filter((validator) => network.stakeIn(epoch, validator) > 0n);
  const toJson = (validator: NetworkValidator, lastVote: number) => ({
    votePubkey: validator.voteAccount.address,
    nodePubkey: validator.identity.address,
    // Beyond what a double holds exactly, as real ones are, and digits as the reader of answers gives them.
    activatedStake: String(network.stakeIn(epoch, validator)),
    commission: validator.commission,
    epochVoteAccount: true,
    epochCredits: [],
    lastVote,
    rootSlot: Math.max(0, lastVote - 31),
  });
  const isBehind = (validator: NetworkValidator) => network.isDelinquent(validator, slot);
  return {
    current: staked.filter((each) => !isBehind(each)).map((each) => toJson(each, slot - 1)),
    delinquent: staked.filter(isBehind).map((each) => toJson(each, Math.max(0, slot - BEHIND_SLOTS))),
  };
}

function validatorInfos({ validators }: Network): object[] {
  return validators.flatMap((validator) => {
    const { name, voteAccount } = validator;
    if (name === undefined) return [];
    const data = [infoBytes(validator, name).toString('base64'), 'base64'];
    const account = { data, owner: CONFIG_PROGRAM, lamports: 5_366_160, executable: false, space: ACCOUNT_BYTES };
    // An account of its own has no address that anybody counts on.
    return [{ pubkey: voteAccount.address, account }];
  });
}

/** Keys of the account, then its text: as the Config program keeps them, zero bytes behind. */
function infoBytes({ identity }: NetworkValidator, name: string): Buffer {
  const text = Buffer.from(JSON.stringify({ name, website: 'https://validator.example' }));
  const data = Buffer.alloc(ACCOUNT_BYTES);
  data[0] = 2;
  data.set(addressBytes(VALIDATOR_INFO), 1);
  data.set(addressBytes(identity.address), 34);
  data[66] = 1;
  data.writeBigUInt64LE(BigInt(text.length), 67);
  data.set(text, 75);
  return data;
}
