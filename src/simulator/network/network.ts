import type { Address } from '../../chain/address.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import { SOL } from '../genesis.ts';
import { createKeyring, type Wallet } from '../keyring.ts';
import { createRandom } from '../random.ts';
import { type ValidatorProfile, validatorProfile } from './validator-profile.ts';

export interface NetworkOptions {
  /** Equal seeds make equal networks. */
  readonly seed: string;
  /** Slots of an epoch, whole turns of leaders: 432,000 when left out, as on mainnet. */
  readonly slotsPerEpoch?: number;
  /** False draws addresses without keys, for chains whose signatures are stand-ins. */
  readonly sign?: boolean;
}

export interface NetworkValidator extends ValidatorProfile {
  /** The most stake first. */
  readonly place: number;
  readonly identity: Wallet;
  readonly voteAccount: Wallet;
}

/** Validators of a simulated chain and who of them leads when: a function of the seed, without a clock and without a block. */
export interface Network {
  readonly seed: string;
  readonly slotsPerEpoch: number;
  readonly validators: readonly NetworkValidator[];
  /** Nodes in gossip that do not vote. */
  readonly others: readonly Address[];
  epochOf(slot: number): number;
  /** Active stake in lamports; 0 in epochs that a validator sits out. */
  stakeIn(epoch: number, validator: NetworkValidator): bigint;
  /** For each turn of the epoch the place of its leader. */
  turnsOf(epoch: number): Uint16Array;
  leaderOf(slot: number): NetworkValidator;
  /** Behind at this slot: it does not vote, and makes no block. */
  isDelinquent(validator: NetworkValidator, slot: number): boolean;
}

/** Slots in a row that one leader has. */
export const TURN_SLOTS = 4;
/**
 * Mainnet's. The simulated chain begins 80,000 slots before an epoch ends, so that one changes four and a half hours
 * after a first start, and then once a day.
 */
const SLOTS_PER_EPOCH = 432_000;
const VALIDATORS = 240;
const OTHER_NODES = 20;
/** Of the first one; the others have less by the power of their place. */
const MOST_STAKE = 16e6;
const STAKE_EXPONENT = 0.75;
/** Stake moves by so much of itself from epoch to epoch, up or down. */
const STAKE_DRIFT = 0.03;
/** Share of the smaller validators that have no stake in an epoch. */
const ABSENT_SHARE = 0.03;
/** Those with the most stake are always there. */
const STEADY = 20;
/** A validator is behind for such a stretch of slots, half an hour, or not. */
const SHIFT_SLOTS = 9_000;
const DELINQUENT_SHARE = 0.02;
/** Schedules kept; each can be made again. */
const MAX_SCHEDULES = 4;
const MAX_SHIFTS = 1_000;

export function createNetwork({ seed, slotsPerEpoch = SLOTS_PER_EPOCH, sign = true }: NetworkOptions): Network {
  if (!Number.isSafeInteger(slotsPerEpoch) || slotsPerEpoch <= 0 || slotsPerEpoch % TURN_SLOTS !== 0)
    throw new RangeError(`an epoch of ${slotsPerEpoch} slots has no whole turns`);
  const ring = `${seed}/network`;
  const keyring = createKeyring(ring, { sign });
  const chance = createRandom(ring);
  const wallet = (label: string): Wallet => ({ ...keyring.wallet(label), ring });
  const validators = Array.from({ length: VALIDATORS }, (_, place): NetworkValidator => {
    const profile = validatorProfile(place, chance);
    return { ...profile, place, identity: wallet(`validator/${place}`), voteAccount: wallet(`vote/${place}`) };
  });
  const others = Array.from({ length: OTHER_NODES }, (_, place) => wallet(`node/${place}`).address);
  const schedules = createBoundedMap<number, Uint16Array>(MAX_SCHEDULES);
  const shifts = createBoundedMap<string, boolean>(MAX_SHIFTS);

  function stakeIn(epoch: number, { place }: NetworkValidator): bigint {
    const random = createRandom(`${ring}/stake/${epoch}/${place}`);
    if (place >= STEADY && random.chance(ABSENT_SHARE)) return 0n;
    const drift = 1 + STAKE_DRIFT * (2 * random.next() - 1);
    return BigInt(Math.round(MOST_STAKE * (place + 1) ** -STAKE_EXPONENT * drift)) * SOL;
  }

  function turnsOf(epoch: number): Uint16Array {
    const known = schedules.get(epoch);
    if (known !== undefined) return known;
    const weights = validators.map((validator) => Number(stakeIn(epoch, validator)));
    const turns = drawTurns(weights, slotsPerEpoch / TURN_SLOTS, `${ring}/leaders/${epoch}`);
    schedules.set(epoch, turns);
    return turns;
  }

  function isBehind(place: number, shift: number): boolean {
    const key = `${shift}/${place}`;
    const known = shifts.get(key);
    if (known !== undefined) return known;
    const behind = createRandom(`${ring}/behind/${key}`).chance(DELINQUENT_SHARE);
    shifts.set(key, behind);
    return behind;
  }

  const epochOf = (slot: number) => Math.floor(slot / slotsPerEpoch);
  return {
    seed,
    slotsPerEpoch,
    validators,
    others,
    epochOf,
    stakeIn,
    turnsOf,
    leaderOf(slot) {
      const turn = Math.floor((slot % slotsPerEpoch) / TURN_SLOTS);
      return validators[turnsOf(epochOf(slot))[turn]!]!;
    },
    isDelinquent: ({ place }, slot) => place >= STEADY && isBehind(place, Math.floor(slot / SHIFT_SLOTS)),
  };
}

/** A leader for each turn, drawn by weight. */
function drawTurns(weights: readonly number[], count: number, seed: string): Uint16Array {
  const random = createRandom(seed);
  let sum = 0;
  const reach = weights.map((weight) => {
    sum += weight;
    return sum;
  });
  const turns = new Uint16Array(count);
  for (let turn = 0; turn < count; turn += 1) turns[turn] = firstAbove(reach, random.next() * sum);
  return turns;
}

/** Place of the first number of an ascending list that is above another. */
function firstAbove(list: readonly number[], bound: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
