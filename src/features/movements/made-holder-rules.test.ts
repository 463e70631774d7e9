import { describe, expect, it } from 'vitest';
import {
  BORN,
  GIVER,
  handout,
  judge,
  names,
  pastsOfAll,
  SOMEBODY,
  SOMEBODYS,
  sends,
  verdictOf,
} from '../../../test/support/send-rows.ts';
import type { Address } from '../../chain/address.ts';
import {
  HANDOUT_WALLETS,
  PREPARED_SECONDS,
  possibleTeam,
  type ReceiverPast,
  TEAM_WALLETS,
} from './made-holder-rules.ts';
import { judgeSends } from './sends-rules.ts';

describe('the verdict on sends to wallets that had never bought', () => {
  it('is manufactured_holders for wallets that were handed the token and are in no market', () => {
    expect(judge(handout(8))).toMatchObject({ verdict: 'manufactured_holders', flagged: true, freshTraders: 0 });
  });

  it('is mixed for an airdrop to a community that never bought the token and trades others', () => {
    const community = judge(handout(30), { entered: names(7) });
    expect(community).toMatchObject({ verdict: 'mixed', flagged: false, freshReceivers: 30 });
    expect(community.freshTraders).toBeCloseTo(7 / 30);
    expect(verdictOf(handout(30), { entered: names(6) })).toBe('manufactured_holders');
  });

  it('is decided by a sample of the receivers where not all are looked up, and by none not at all', () => {
    const airdrop = handout(40);
    const sample = (entered: number) =>
      new Map<Address | '', ReceiverPast>(
        airdrop.slice(0, 10).map(({ receiver }, i) => [receiver, { bought: false, entered: i < entered }]),
      );
    expect(judgeSends(airdrop, sample(2), SOMEBODYS)).toMatchObject({
      verdict: 'manufactured_holders',
      freshTraders: 0.2,
    });
    expect(judgeSends(airdrop, sample(3), SOMEBODYS).verdict).toBe('mixed');
    expect(judgeSends(airdrop, new Map(), SOMEBODYS)).toMatchObject({ verdict: 'mixed', freshTraders: undefined });
  });

  it('is manufactured_holders when three in five receivers are such wallets', () => {
    const odd = (count: number) => sends(...Array.from({ length: count }, (_, i) => `p${i}>q${i}`));
    expect(verdictOf([...handout(9), ...odd(6)])).toBe('manufactured_holders');
    expect(verdictOf([...handout(9), ...odd(7)])).toBe('mixed');
    // Holders whom the same hand thanks are none of them.
    expect(verdictOf(handout(10), { bought: names(4) })).toBe('manufactured_holders');
    expect(verdictOf(handout(10), { bought: names(5) })).toBe('mixed');
  });

  it("is mixed for the creator's team, of which there are few", () => {
    const others = sends('p>q', 'r>s');
    expect(verdictOf(handout(5), {}, GIVER)).toBe('mixed');
    expect(verdictOf([...handout(TEAM_WALLETS), ...others], {}, GIVER)).toBe('mixed');
    expect(verdictOf([...handout(TEAM_WALLETS + 1), ...others], {}, GIVER)).toBe('manufactured_holders');
    expect(verdictOf(handout(TEAM_WALLETS), {}, GIVER)).toBe('mixed');
    // Anybody may be a creator that is not known.
    expect(judgeSends(handout(5), pastsOfAll(handout(5)), { creator: undefined, time: 0 }).verdict).toBe('mixed');
    expect(verdictOf(handout(HANDOUT_WALLETS))).toBe('manufactured_holders');
    expect(verdictOf(handout(HANDOUT_WALLETS - 1))).toBe('mixed');
  });

  it('is manufactured_holders for few wallets that got theirs within seconds of the creation', () => {
    const sentAfter = (seconds: number) => handout(5).map((row) => ({ ...row, time: BORN + seconds }));
    expect(verdictOf(sentAfter(PREPARED_SECONDS), {}, GIVER)).toBe('manufactured_holders');
    expect(verdictOf(sentAfter(PREPARED_SECONDS + 1), {}, GIVER)).toBe('mixed');
    // One that comes early says nothing of the others.
    expect(verdictOf([...sentAfter(0).slice(0, 2), ...sentAfter(60).slice(2)], {}, GIVER)).toBe('mixed');
    // A time that nobody told is none.
    expect(verdictOf(sentAfter(-BORN), {}, GIVER)).toBe('mixed');
    expect(judgeSends(sentAfter(1), pastsOfAll(sentAfter(1)), { creator: GIVER, time: 0 }).verdict).toBe('mixed');
  });

  it("is manufactured_holders for few wallets that live on the creator's money", () => {
    expect(verdictOf(handout(5), { funded: names(3) }, GIVER)).toBe('manufactured_holders');
    expect(verdictOf(handout(5), { funded: names(2) }, GIVER)).toBe('mixed');
  });

  it('takes nobody for handed to whose pairing is one of several', () => {
    const unsure = handout(8).map((row, place) => ({ ...row, ambiguous: place < 4 }));
    expect(verdictOf(unsure)).toBe('mixed');
    expect(verdictOf([...unsure, ...handout(8)])).toBe('manufactured_holders');
    // A transaction is one hand, whichever of its senders gave to whom.
    const together = handout(8).map((row) => ({ ...row, slot: 1_000, ambiguous: true }));
    expect(verdictOf(together)).toBe('manufactured_holders');
  });

  it('asks for the funders of a possible team alone', () => {
    const team = handout(TEAM_WALLETS);
    expect(possibleTeam(team, pastsOfAll(team), { creator: GIVER, time: 0 })).toEqual(names(TEAM_WALLETS));
    expect(possibleTeam(team, pastsOfAll(team), { creator: SOMEBODY, time: 0 })).toEqual([]);
    const many = handout(TEAM_WALLETS + 1);
    expect(possibleTeam(many, pastsOfAll(many), { creator: GIVER, time: 0 })).toEqual([]);
  });
});
