import { describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import type { Address } from '../../chain/address.ts';
import { createSimulator } from '../simulator.ts';
import type { Scheme, SchemeKind, TransactionIntent } from '../truth.ts';
import { createSchemeBook, type PlayedScheme, type SchemeBook } from './schemes.ts';

const scheme = (id: string): Scheme => ({ id, kind: 'otc', mint: 'm' as Address, wallets: [], source: undefined });
const move = (group: string | undefined, blockIndex: number): TransactionIntent => ({
  blockIndex,
  signature: new Uint8Array(64),
  actor: 'mover',
  group,
  aim: 'land',
  landed: true,
});

describe('the book of schemes', () => {
  it('ties transactions to their scheme, of the block that notes it and of later ones', () => {
    const book = createSchemeBook();
    book.add(5, { schemes: [scheme('a'), scheme('b')], transactions: [move('a', 1), move(undefined, 2)] });
    book.add(6, { schemes: [], transactions: [move('b', 0), move('a', 3), move('unknown', 4)] });
    const places = book
      .all()
      .map(({ id, moves }) => [id, moves.map(({ slot, blockIndex }) => `${slot}/${blockIndex}`)]);
    expect(places).toEqual([
      ['a', ['5/1', '6/3']],
      ['b', ['6/0']],
    ]);
  });

  it('refuses two schemes of one name', () => {
    const book = createSchemeBook();
    book.add(5, { schemes: [scheme('a')], transactions: [] });
    expect(() => book.add(6, { schemes: [scheme('a')], transactions: [] })).toThrow('two schemes are called a');
  });
});

/** Two minutes of chain; the short form ends when every kind has been played to its end. */
const BLOCKS = 600;
const KINDS: readonly SchemeKind[] = [
  ...([
    'bundle',
    'spread_bundle',
    'shared_funder',
    'snipe',
    'relay_chain',
    'fake_airdrop',
    'hidden_handout',
    'dev_dump',
  ] as const),
  ...(['dev_profit', 'exchange_buyers', 'service_buyers', 'arbitrage', 'market_making', 'holder_airdrop'] as const),
  ...(['crew_in_one', 'paid_mate', 'paid_later', 'double_buy', 'lone_buy'] as const),
  ...(['community_airdrop', 'team_share', 'consolidation', 'otc', 'gift'] as const),
];

function playedIn(book: SchemeBook): PlayedScheme[] {
  return book.all().filter(({ moves }) => moves.some(({ landed }) => landed));
}

const kindsOf = (played: readonly Scheme[]) => new Set(played.map(({ kind }) => kind));

describe('the schemes of a simulated chain', () => {
  it('come in every kind, and what their transactions do is theirs', () => {
    const simulator = createSimulator({ seed: 'all-schemes', sign: false });
    const book = createSchemeBook();
    const sends = new Map<string, { readonly mint: Address; readonly to: Address }[]>();
    const isEnough = () => extent(kindsOf(playedIn(book)).size === KINDS.length, false);
    for (let count = 0; count < BLOCKS && !isEnough(); count++) {
      const { slot, truth } = simulator.next();
      book.add(slot, truth);
      for (const { blockIndex, mint, to } of truth.facts('wire').transfers) {
        const place = `${slot}/${blockIndex}`;
        sends.set(place, [...(sends.get(place) ?? []), { mint, to }]);
      }
    }
    const played = playedIn(book);
    expect(kindsOf(played)).toEqual(new Set(KINDS));
    // Whoever gets tokens by a scheme is one of its wallets, and the tokens are its own.
    const moved = played.flatMap((each) =>
      each.moves.flatMap(({ slot, blockIndex }) =>
        (sends.get(`${slot}/${blockIndex}`) ?? []).map((send) => ({ each, send })),
      ),
    );
    expect(moved.length).toBeGreaterThan(extent(20, 100));
    for (const { each, send } of moved) {
      expect(each.mint).toBe(send.mint);
      expect(each.wallets).toContain(send.to);
    }
  });
});
