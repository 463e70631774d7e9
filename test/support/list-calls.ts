import fc from 'fast-check';
import { STREAM_KINDS } from '../../src/accounts/lists/contract-shapes.ts';
import type { ListOwner } from '../../src/accounts/lists/list-owner.ts';
import type { ListAnswers } from '../../src/accounts/lists/lists.ts';
import type { NewStream, StreamSettings } from '../../src/accounts/lists/stream-store.ts';

/**
 * One call to somebody's lists. Streams are named by their place among all that were
 * ever made, whosever they are; `made` finds their ids.
 */
export interface ListCall {
  readonly text: string;
  make(lists: ListAnswers, owner: ListOwner, made: readonly number[]): Promise<unknown>;
}

/** Calls over a few groups and wallets, so that they meet each other. */
export function listCalls(wallets: readonly string[]): fc.Arbitrary<ListCall> {
  const id = fc.constantFrom('a', 'b', 'c');
  const listId = fc.constantFrom('a', 'b', 'c', '', '');
  const name = fc.constantFrom('N', 'Ñame', '名前');
  const wallet = fc.constantFrom(...wallets);
  const several = fc.subarray([...wallets], { minLength: 1 });
  const note = fc.constantFrom(undefined, undefined, '', 'one', 'two');
  const kinds = fc.subarray([...STREAM_KINDS], { minLength: 1 });
  const place = fc.nat(7);
  const minSol = fc.constantFrom(undefined, 100_000_000n, 10n ** 18n);
  const created: fc.Arbitrary<NewStream> = fc.record({ name, kinds, walletListId: listId, devListId: listId, minSol });
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const settings: fc.Arbitrary<StreamSettings> = fc.record({
    name: maybe(name),
    kinds: maybe(kinds),
    walletListId: maybe(listId),
    devListId: maybe(listId),
    minSol,
    active: maybe(fc.boolean()),
  });
  return fc.oneof(
    fc.boolean().map((all) => call('list groups', [all], ({ groups }, owner) => groups.list(owner, all))),
    id.map((group) => call('find group', [group], ({ groups }, owner) => groups.find(owner, group))),
    fc
      .record({ id, name })
      .map((group) => call('make group', [group], ({ groups }, owner) => groups.create(owner, group))),
    fc.tuple(id, name).map((sent) => call('rename group', sent, ({ groups }, owner) => groups.rename(owner, ...sent))),
    id.map((group) => call('delete group', [group], ({ groups }, owner) => groups.delete(owner, group))),
    fc
      .tuple(id, fc.record({ wallets: several, note }))
      .map((sent) => call('add wallets', sent, ({ groups }, owner) => groups.add(owner, ...sent))),
    fc
      .tuple(id, wallet)
      .map((sent) => call('remove wallet', sent, ({ groups }, owner) => groups.remove(owner, ...sent))),
    fc.constant(call('list favorites', [], ({ favorites }, owner) => favorites.list(owner))),
    fc
      .tuple(wallet, note)
      .map((sent) => call('add favorite', sent, ({ favorites }, owner) => favorites.add(owner, ...sent))),
    wallet.map((sent) => call('remove favorite', [sent], ({ favorites }, owner) => favorites.remove(owner, sent))),
    fc.constant(call('list streams', [], ({ streams }, owner) => streams.list(owner))),
    created.map((stream) => call('make stream', [stream], ({ streams }, owner) => streams.create(owner, stream))),
    fc
      .tuple(place, settings)
      .map((sent) =>
        call('set stream', sent, ({ streams }, owner, made) => streams.update(owner, made[sent[0]] ?? 0, sent[1])),
      ),
    place.map((at) => call('rotate stream', [at], ({ streams }, owner, made) => streams.rotate(owner, made[at] ?? 0))),
    place.map((at) => call('delete stream', [at], ({ streams }, owner, made) => streams.delete(owner, made[at] ?? 0))),
  );
}

function call(what: string, sent: readonly unknown[], make: ListCall['make']): ListCall {
  const text = JSON.stringify(sent, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return { text: `${what} ${text}`, make };
}
