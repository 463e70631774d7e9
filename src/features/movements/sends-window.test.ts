import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openIntelligence } from '../../../test/support/intelligence-answers.ts';
import { movementAnswersAt, stillDeps } from '../../../test/support/movement-answers.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { Address } from '../../chain/address.ts';
import { Absence } from '../../contract/stamp.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { bondingCurveAddress } from '../../programs/pump/addresses.ts';
import { getSends, type SendWindow } from './contract.ts';

const EXCHANGE = 'FvLsZiM3g2ZnehkK42c4EoLASBdchKnqzxyAEmGhViZq' as Address;
const START = 1_760_000_000;
const maker = createFactsMaker({ seed: 21, firstTime: START, mints: 15 });
const [sent, other, handedOut, teamOwned, crewOwned, prepared, tied, split, both] = maker.mints as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const creator = maker.traders[0]!;
/** Nobody sees it created. */
const unseen = maker.mints.at(-1)!;
const giver = address(101);
const holder = address(102);
const lateBuyer = address(103);
const stranger = address(104);
const EMPTY = [105, 106].map(address);
const STRANGERS = Array.from({ length: 7 }, (_, place) => address(110 + place));
const TEAM = Array.from({ length: 5 }, (_, place) => address(120 + place));
/** Bought, and was sent some, in one slot: the one bought first, the other got some first. */
const [boughtFirst, sentFirst] = [140, 141].map((seed) => address(seed)) as [Address, Address];
const CREW = Array.from({ length: 5 }, (_, place) => address(130 + place));

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
  const blocks = [
    buys([holder, sent], [stranger, other]),
    sends(sent, [holder, lateBuyer, stranger, ...EMPTY, EXCHANGE, bondingCurveAddress(sent)]),
    buys([lateBuyer, sent]),
    sends(unseen, [lateBuyer, stranger, holder]),
    sends(handedOut, STRANGERS),
    later(sends(teamOwned, TEAM, creator)),
    later(funded(sends(crewOwned, CREW, creator), CREW.slice(2), creator)),
    sends(prepared, TEAM, creator),
    ...inOneSlot(),
    hidden(sends(split, STRANGERS)),
    hidden(sends(both, [...STRANGERS, bondingCurveAddress(both)])),
    buys([holder, both]),
    sends(both, [holder, STRANGERS[0]!]),
  ];
  await test.store.writer.flush(blocks.map((block) => maker.toBatch(block)));
});
afterAll(() => test.close());

/** A block in which wallets buy mints. */
function buys(...pairs: readonly (readonly [Address, Address])[]): BlockFacts {
  const facts = maker.next();
  const swap = facts.swaps[0]!;
  const swaps = pairs.map(([trader, mint], place) => ({ ...swap, trader, mint, isBuy: true, blockIndex: 1 + place }));
  return { ...facts, swaps, attempts: [], transfers: [] };
}

/** A block in which somebody sends a mint to wallets, two in a transaction. */
function sends(mint: Address, receivers: readonly Address[], from = giver): BlockFacts {
  const facts = maker.next();
  const { slot, time } = facts;
  const transfers = receivers.map((to, place) => ({
    ...{
      slot,
      time,
      blockIndex: 1 + (place >> 1),
      ixIndex: 2 + (place & 1),
      signature: new Uint8Array(64).fill(place),
    },
    ...{ mint, from, to, amount: 2_500_000n, decimals: 6, ambiguous: mint === sent && place === 0, hidden: false },
  }));
  return { ...facts, swaps: [], attempts: [], transfers };
}

/** A quiet block, and one in which one wallet buys at place 1 and gets some at place 5, and another the other way round. */
function inOneSlot(): readonly BlockFacts[] {
  const gave = sends(tied, [boughtFirst, sentFirst]);
  const bought = buys([boughtFirst, tied], [sentFirst, tied]);
  const place = (at: number) => ({ slot: bought.slot, blockIndex: at, signature: new Uint8Array(64).fill(at) });
  const both = {
    ...bought,
    swaps: bought.swaps.map((swap, i) => ({ ...swap, ...place(i === 0 ? 1 : 6) })),
    transfers: gave.transfers.map((transfer, i) => ({ ...transfer, ...place(i === 0 ? 5 : 2) })),
  };
  return [{ ...gave, transfers: [] }, both];
}

/** The same block, whose transactions all trade as well. */
function hidden(facts: BlockFacts): BlockFacts {
  return { ...facts, transfers: facts.transfers.map((transfer) => ({ ...transfer, hidden: true })) };
}

/** The same block, in which everything was sent half a minute later. */
function later(facts: BlockFacts): BlockFacts {
  return { ...facts, transfers: facts.transfers.map((transfer) => ({ ...transfer, time: transfer.time + 30 })) };
}

/** The same block, in which somebody funds wallets first. */
function funded(facts: BlockFacts, wallets: readonly Address[], funder: Address): BlockFacts {
  const { slot, time } = facts;
  const fundings = wallets.map((wallet, place) => ({
    ...{ slot, time, blockIndex: 0, ixIndex: place, signature: new Uint8Array(64).fill(place) },
    ...{ wallet, funder, amount: 1_000_000_000n, createdAccount: true },
  }));
  return { ...facts, fundings };
}

async function ask(mint: Address, window: SendWindow, now: number) {
  const body = JSON.parse(String(await movementAnswersAt(test.store.client, now).sends(mint, window)));
  expect(answerFaults(getSends, body)).toEqual([]);
  return body;
}

describe('sends of a token', () => {
  it('are judged without markets, by who had bought before and who has nothing else', async () => {
    expect(await ask(sent, '24h', START + 60)).toEqual({
      ...{ mint: sent, window: '24h', sends: 5, senders: 1, receivers: 5, ambiguous: 1, left_out: 2 },
      // Of the four, one bought later and one trades another token.
      ...{ fresh_receivers: 4, fresh_pct: 80, fresh_trader_pct: 50, relay_receivers: 0, relay_pct: 0 },
      ...{ flagged: false, verdict: 'mixed' },
      headline: 'No one pattern: 4 of 5 receivers had never bought the token.',
      since: new Date(START * 1000).toISOString().replace('.000Z', 'Z'),
      distributors: [
        { wallet: giver, sends: 5, receivers: 5, fresh_receivers: 4, fresh_pct: 80, max_fanout: 2, tokens: 12.5 },
      ],
    });
  });

  it('make holders of wallets that never bought, unless these may be a team', async () => {
    const made = await ask(handedOut, '24h', START + 60);
    expect(made).toMatchObject({
      fresh_receivers: 7,
      fresh_trader_pct: 0,
      verdict: 'manufactured_holders',
      flagged: true,
    });
    expect(made.headline).toBe('Holders made by hand: 7 of 7 receivers had never bought the token.');
    expect(await ask(teamOwned, '24h', START + 60)).toMatchObject({ fresh_pct: 100, verdict: 'mixed', flagged: false });
    expect(await ask(crewOwned, '24h', START + 60)).toMatchObject({ verdict: 'manufactured_holders', flagged: true });
    expect(await ask(prepared, '24h', START + 60)).toMatchObject({ verdict: 'manufactured_holders', flagged: true });
  });

  it('went to a buyer only when its buy has the earlier place, in one slot too', async () => {
    expect(await ask(tied, '24h', START + 60)).toMatchObject({
      receivers: 2,
      fresh_receivers: 1,
      fresh_trader_pct: 100,
    });
  });

  it('that trades hide are in the verdict and told apart, and in no other figure', async () => {
    const body = await ask(split, '24h', START + 60);
    expect(body).toMatchObject({
      ...{ sends: 0, senders: 0, receivers: 0, fresh_receivers: 0, fresh_pct: 0, distributors: [], left_out: 0 },
      ...{ hidden: { sends: 7, receivers: 7, tokens: 17.5 }, verdict: 'manufactured_holders', flagged: true },
    });
    expect(body.headline).toBe(
      'Holders made by hand: 7 of 7 receivers had never bought the token. 7 of the sends stood inside trades.',
    );
    expect(await ask(both, '24h', START + 60)).toMatchObject({
      ...{ sends: 2, receivers: 2, fresh_receivers: 1, fresh_pct: 50, left_out: 0 },
      ...{ hidden: { sends: 7, receivers: 7 }, verdict: 'manufactured_holders', flagged: true },
    });
  });

  it('are flagged where the pattern of intelligence says that the token is handed out, and nowhere else', async () => {
    const deps = stillDeps(test.store.client, START + 60);
    const patterns = [];
    for (const mint of [sent, handedOut, teamOwned, crewOwned, prepared, split, both]) {
      const { flagged } = await ask(mint, '7d', START + 60);
      const { pattern } = JSON.parse(String(await openIntelligence(deps).intelligence(mint)));
      patterns.push([flagged, pattern === 'distributed_by_transfer']);
    }
    expect(patterns).toEqual([false, true, false, true, true, true, true].map((each) => [each, each]));
  });

  it('are none of a window that has passed, and then there is no verdict', async () => {
    const body = await ask(sent, '1h', START + 3_700);
    expect(body).toMatchObject({ sends: 0, flagged: false, distributors: [] });
    expect(body.headline).toBe('Nobody sent the token to anybody in the last hour.');
    expect(body).not.toHaveProperty('verdict');
    expect(await ask(sent, '7d', START + 3_700)).toMatchObject({ sends: 5 });
  });

  it('are known of a token that was only ever sent, and of no other', async () => {
    expect(await ask(unseen, '24h', START + 60)).toMatchObject({ sends: 3, fresh_trader_pct: 100, flagged: false });
    expect(await ask(unseen, '1h', START + 3_700)).toMatchObject({ sends: 0, flagged: false });
    expect(await movementAnswersAt(test.store.client, START).sends(address(200), '24h')).toBeInstanceOf(Absence);
  });
});
