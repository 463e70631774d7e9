import { describe, expect, it } from 'vitest';
import { ChainFollower } from '../../test/support/chain-follower.ts';
import { blockUpdate, SlotStatus, slotUpdate, status } from '../../test/support/geyser-server.ts';
import { eventSlot, FIRST_SLOT, makeSlotHistory } from '../../test/support/slot-history.ts';
import { brief, follow, serve, sourceOf } from '../../test/support/yellowstone.ts';
import type { SlotEvent } from './slot-state.ts';

describe('processed blocks', () => {
  it('are given as they come, confirmed as statuses tell, and taken back when their slot dies', async () => {
    const requests: unknown[] = [];
    const url = await serve(({ request, send }) => {
      requests.push(request.commitment);
      for (const update of [
        blockUpdate(10),
        blockUpdate(11),
        blockUpdate(12),
        slotUpdate(10, SlotStatus.SLOT_CONFIRMED, 9),
        slotUpdate(12, SlotStatus.SLOT_DEAD, 11),
        blockUpdate(13, 11),
        slotUpdate(13, SlotStatus.SLOT_CONFIRMED, 11),
        slotUpdate(10, SlotStatus.SLOT_FINALIZED, 9),
        blockUpdate(14),
      ]) {
        send(update);
      }
    });
    const source = sourceOf(url, { commitment: 'processed' });
    const steps = await follow(source, 10, ({ length }) => length === 8);
    expect(brief(steps)).toEqual([
      'unconfirmed 10',
      'unconfirmed 11',
      'unconfirmed 12',
      'confirmed 10',
      'withdrawn 12',
      'unconfirmed 13',
      'confirmed 13',
      'unconfirmed 14',
    ]);
    expect(requests).toEqual([0]);
    expect(source.slots?.()).toMatchObject({ confirmedSlot: 13, finalizedSlot: 10, dead: 1, withdrawn: 1 });
  });

  it('are neither doubled nor left standing when their fork lost while the stream was broken', async () => {
    const starts: (string | undefined)[] = [];
    const url = await serve(({ request, send, end }, connection) => {
      starts.push(request.fromSlot);
      if (connection === 1) {
        for (const slot of [10, 11, 12, 13]) send(blockUpdate(slot));
        send(slotUpdate(10, SlotStatus.SLOT_CONFIRMED, 9));
        setTimeout(() => end(status.UNAVAILABLE), 50);
      } else {
        for (const update of [blockUpdate(11), blockUpdate(12), blockUpdate(14, 12), blockUpdate(15)]) send(update);
        send(slotUpdate(14, SlotStatus.SLOT_CONFIRMED, 12));
      }
    });
    const steps = await follow(sourceOf(url, { commitment: 'processed' }), 10, ({ length }) => length === 9);
    expect(brief(steps).slice(5)).toEqual(['confirmed 12', 'withdrawn 13', 'block 14', 'unconfirmed 15']);
    expect(starts).toEqual(['10', '11']);
  });

  it('end in the chain, whatever happens on it and wherever the stream breaks', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { events, tree } = makeSlotHistory({ seed, commitment: 'processed', lost: 0, linked: seed % 2 === 1 });
      const chain = tree.filter(({ canonical }) => canonical).map(({ block }) => `${block.slot}/${block.blockhash}`);
      let told = 0;
      const url = await serve(({ request, send, end }, connection) => {
        // Events from before the break are sent again for slots that are asked for again.
        for (const event of events.slice(0, told))
          if (eventSlot(event) >= Number(request.fromSlot)) send(updateOf(event));
        const until = connection < 6 ? told + 40 + seed : events.length;
        for (const event of events.slice(told, until)) send(updateOf(event));
        told = Math.min(until, events.length);
        if (told < events.length) setTimeout(() => end(status.UNAVAILABLE), 20);
      });
      const follower = new ChainFollower();
      await follow(sourceOf(url, { commitment: 'processed' }), FIRST_SLOT, (steps) => {
        follower.follow(steps.at(-1)!);
        return follower.confirmed.length === chain.length;
      });
      expect(
        follower.confirmed.map(({ slot, blockhash }) => `${slot}/${blockhash}`),
        `seed ${seed}`,
      ).toEqual(chain);
    }
  });
});

const STATUSES: Readonly<Record<string, SlotStatus>> = {
  processed: SlotStatus.SLOT_PROCESSED,
  confirmed: SlotStatus.SLOT_CONFIRMED,
  finalized: SlotStatus.SLOT_FINALIZED,
  created_bank: SlotStatus.SLOT_CREATED_BANK,
  dead: SlotStatus.SLOT_DEAD,
};

function updateOf(event: SlotEvent): Uint8Array {
  if (event.kind === 'block') {
    const { slot, parentSlot, blockhash, parentBlockhash } = event.block;
    return blockUpdate(slot, parentSlot, blockhash, parentBlockhash);
  }
  if (event.kind === 'status') return slotUpdate(event.slot, STATUSES[event.status]!, event.parent);
  throw new Error('a server says this by refusing');
}
