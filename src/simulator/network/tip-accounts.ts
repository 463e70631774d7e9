import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { SYSTEM_PROGRAM } from '../../chain/well-known.ts';
import { createBoundedMap } from '../../kernel/bounded-map.ts';
import {
  TIP_DISTRIBUTION_DISCRIMINATOR,
  TIP_DISTRIBUTION_PROGRAM,
  tipDistributionAddress,
} from '../../programs/tip-distribution/accounts.ts';
import { createRandom } from '../random.ts';
import { type Network, type NetworkValidator, TURN_SLOTS } from './network.ts';

const ACCOUNT_BYTES = 168;
const RENT_LAMPORTS = 2_060_160;
/** Clients that always share tips, and those of which some do. */
const SHARING_CLIENTS: readonly number[] = [1, 4, 6, 8];
const DIVIDED_CLIENTS: readonly number[] = [2, 10];
const DIVIDED_SHARE = 0.4;
/** Of those that do not, so many have been sent lamports to the address by somebody, which makes no account of the program. */
const DECOY_SHARE = 0.1;
/** Epochs whose accounts a node has. */
const KEPT_EPOCHS = 2;

/** Addresses of epochs, by the network's seed: each costs a search for a point off the curve. */
const known = createBoundedMap<string, ReadonlyMap<Address, NetworkValidator>>(2 * KEPT_EPOCHS);

/** Whether a validator's client shares the tips of bundles. A draw of its own: nothing else of the network follows from it. */
export function sharesTips({ seed }: Pick<Network, 'seed'>, { place, clientId }: NetworkValidator): boolean {
  if (SHARING_CLIENTS.includes(clientId)) return true;
  return DIVIDED_CLIENTS.includes(clientId) && createRandom(`${seed}/network/tips/${place}`).chance(DIVIDED_SHARE);
}

/** Whether the account of an epoch exists at a slot: the first block in it makes it. */
export function hasTipAccount(network: Network, validator: NetworkValidator, epoch: number, slot: number): boolean {
  return sharesTips(network, validator) && makersUntil(network, epoch, slot).has(validator.place);
}

/** The result of getMultipleAccounts for addresses where validators gather tips; undefined for all other addresses. */
export function answerTipAccounts(network: Network, slot: number, params: readonly unknown[]): object | undefined {
  const [keys, options] = params as [readonly Address[], { dataSlice?: { offset: number; length: number } }?];
  const current = network.epochOf(slot);
  const epoch = [current, current - 1].find((each) => accountsOf(network, each).has(keys[0]!));
  if (epoch === undefined) return undefined;
  const accounts = accountsOf(network, epoch);
  const makers = makersUntil(network, epoch, slot);
  const { offset = 0, length = ACCOUNT_BYTES } = options?.dataSlice ?? {};
  const value = keys.map((key) => {
    const validator = accounts.get(key);
    if (validator === undefined) return null;
    const told = { lamports: RENT_LAMPORTS, executable: false, rentEpoch: 0, space: ACCOUNT_BYTES };
    if (sharesTips(network, validator) && makers.has(validator.place)) {
      const data = accountBytes(validator)
        .subarray(offset, offset + length)
        .toString('base64');
      return { ...told, data: [data, 'base64'], owner: TIP_DISTRIBUTION_PROGRAM };
    }
    const isDecoy = createRandom(`${network.seed}/network/decoys/${validator.place}`).chance(DECOY_SHARE);
    return isDecoy ? { ...told, space: 0, data: ['', 'base64'], owner: SYSTEM_PROGRAM } : null;
  });
  return { context: { slot }, value };
}

function accountsOf(network: Network, epoch: number): ReadonlyMap<Address, NetworkValidator> {
  const [first] = network.validators;
  const key = `${first?.voteAccount.address}/${epoch}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const accounts = new Map(
    network.validators.map((each) => [tipDistributionAddress(each.voteAccount.address, epoch), each]),
  );
  known.set(key, accounts);
  return accounts;
}

/** Places of validators that have made a block in the epoch so far. */
function makersUntil(network: Network, epoch: number, slot: number): ReadonlySet<number> {
  const firstSlot = epoch * network.slotsPerEpoch;
  const makers = new Set<number>();
  for (const [turn, place] of network.turnsOf(epoch).entries()) {
    const turnSlot = firstSlot + turn * TURN_SLOTS;
    if (turnSlot > slot) break;
    if (!makers.has(place) && !network.isDelinquent(network.validators[place]!, turnSlot)) makers.add(place);
  }
  return makers;
}

/** Its vote account, who uploads the root, no root yet: the rest is zero. */
function accountBytes({ voteAccount, identity }: NetworkValidator): Buffer {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  data.write(TIP_DISTRIBUTION_DISCRIMINATOR, 'hex');
  data.set(addressBytes(voteAccount.address), 8);
  data.set(addressBytes(identity.address), 40);
  return data;
}
