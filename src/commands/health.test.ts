import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../test/support/answer-schema.ts';
import type { Block } from '../chain/block.ts';
import { deriveFacts } from '../facts/derive.ts';
import { getHealth } from '../features/system/contract.ts';
import { createIngestStats } from '../ingest/report/stats.ts';
import { silentJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { createHealth } from './health.ts';

const NOW = 1_790_000_000_000;

function service(source = 'yellowstone') {
  const clock = { now: () => NOW, elapsed: () => 0, sleep: async () => {} };
  const stats = createIngestStats({ source, committedSlot: 0, clock, log: silentLogger });
  const feed = { headSlot: 0 };
  const { health, ingestStatus, dataLagMs } = createHealth({
    ingest: { stats: stats.snapshot },
    feed,
    version: '1.2.3',
    alarms: () => stats.snapshot().alarms,
  });
  return {
    stats,
    dataLagMs,
    ingestStatus,
    see(slot: number, ageS: number) {
      const block: Block = {
        slot,
        parentSlot: slot - 1,
        blockhash: 'x',
        blockTime: NOW / 1_000 - ageS,
        transactions: [],
        transactionCount: 0,
        voteCount: 0,
        whole: true,
      };
      stats.derived(block, deriveFacts(block, silentJournal));
      feed.headSlot = slot;
    },
    ask() {
      const body = health();
      expect(answerFaults(getHealth, body)).toEqual([]);
      return body;
    },
  };
}

describe('health', () => {
  it('is starting until a block has come, and then well', () => {
    const { ask, see, dataLagMs, ingestStatus } = service();
    expect(ask()).toMatchObject({
      status: 'starting',
      version: '1.2.3',
      alarms: [],
      holes: { count: 0, slots: 0, filling: false },
    });
    expect(ask()).not.toHaveProperty('indexed_slot');
    expect(ingestStatus()).not.toHaveProperty('committed_slot');
    expect(ingestStatus()).not.toHaveProperty('head_slot');
    see(100, 2);
    expect(ask()).toMatchObject({
      status: 'ok',
      indexed_slot: 100,
      lag_ms: 2_000,
      lag_slots: 1,
      unconfirmed_blocks: 0,
    });
    expect(ask()).not.toHaveProperty('reason');
    expect(dataLagMs()).toBe(2_000);
  });

  it('is degraded while blocks are old, and when the source has ended well all the same', () => {
    const { ask, see, stats } = service('replay');
    see(100, 31);
    expect(ask()).toMatchObject({ status: 'degraded', reason: 'blocks are behind the clock' });
    stats.ended();
    expect(ask()).toMatchObject({ status: 'ok', reason: 'the source has come to its end' });
  });

  it('is degraded while an alarm lasts, says which first, and tells holes with their age', () => {
    const { ask, see, stats, ingestStatus } = service();
    see(100, 0);
    const holes = { count: 2, slots: 9, oldestSlot: 50, oldestAgeMs: 400_000.4, filling: true };
    stats.holes({ ...holes, filledSlots: 1, unavailableSlots: 4 });
    stats.alarm('holes', '9 slots are missing');
    expect(ask()).toMatchObject({ status: 'degraded', reason: '9 slots are missing' });
    stats.alarm('disk_low', 'the disk is nearly full');
    const told = {
      holes: {
        count: 2,
        slots: 9,
        oldest_slot: 50,
        oldest_age_ms: 400_000,
        filling: true,
        unavailable_slots: 4,
      },
      alarms: [
        { code: 'holes', since: '2026-09-21T14:13:20.000Z', message: '9 slots are missing' },
        { code: 'disk_low', since: '2026-09-21T14:13:20.000Z', message: 'the disk is nearly full' },
      ],
    };
    expect(ask()).toMatchObject({ ...told, reason: '9 slots are missing, and 1 more' });
    expect(ingestStatus()).toMatchObject(told);
    stats.alarm('holes', undefined);
    stats.alarm('disk_low', undefined);
    expect(ask()).toMatchObject({ status: 'ok', alarms: [] });
  });
});
