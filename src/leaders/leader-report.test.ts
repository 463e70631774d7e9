import { describe, expect, it } from 'vitest';
import { useLeaderWorlds } from '../../test/support/leader-world.ts';

const { firstSlot, slotsPerEpoch, world } = useLeaderWorlds();
const MINUTE = 60;

describe('what is told of leaders', () => {
  it('is which schedules are known, how old the rest is, and that nothing failed', async () => {
    const { start, pass } = world();
    const leaders = start();
    expect(leaders.figures).toMatchObject({ schedules: { current: 0 }, ageMs: {} });
    await pass(3);
    expect(leaders.figures.schedules).toEqual({ previous: 1, current: 1, next: 1 });
    const { ageMs } = leaders.figures;
    expect(Object.keys(ageMs).sort()).toEqual(['gossip', 'names', 'tips', 'validators']);
    await pass(100);
    for (const [of, age] of Object.entries(leaders.figures.ageMs)) expect(age).toBe(ageMs[of as 'gossip']! + 100_000);
    await pass(250);
    expect(leaders.figures.ageMs.validators).toBeLessThan(100_000);
    expect(leaders.figures.ageMs.names).toBe(ageMs.names! + 350_000);
    expect(Object.values(leaders.figures.failed).every((count) => count === 0)).toBe(true);
  });

  it('counts what failed by what was asked for, and leaves out ages of what was never told', async () => {
    const { start, pass, node, store } = world();
    node.quirk = (method, [slot]) => {
      if (method === 'getClusterNodes') throw new Error('410 Gone');
      if (method === 'getLeaderSchedule' && Number(slot) >= firstSlot + slotsPerEpoch) throw new Error('not yet');
    };
    const leaders = start();
    await pass(5);
    expect(leaders.figures.schedules).toEqual({ previous: 1, current: 1, next: 0 });
    expect(leaders.figures.ageMs).not.toHaveProperty('gossip');
    expect(leaders.figures.failed).toMatchObject({ gossip: 1, next: 1, validators: 0, store: 0 });
    await pass(60);
    expect(leaders.figures.failed.gossip).toBeGreaterThan(1);
    node.quirk = () => undefined;
    store.isAway = true;
    await pass(1_200);
    expect(leaders.figures.failed.store).toBeGreaterThan(0);
    const { gossip } = leaders.figures.failed;
    await pass(300);
    expect(leaders.figures.failed.gossip).toBe(gossip);
  });

  it('is an alarm once the current schedule is missing for minutes, until it comes', async () => {
    const { start, pass, node, codes } = world();
    node.quirk = (method) => {
      if (method === 'getLeaderSchedule') throw new Error('410 Gone');
    };
    const leaders = start();
    await pass(2 * MINUTE);
    expect(leaders.alarms()).toEqual([]);
    await pass(2 * MINUTE);
    expect(leaders.alarms()).toMatchObject([{ code: 'leaders_unknown' }]);
    expect(leaders.alarms()[0]!.message).toMatch(
      /^the schedule of the current epoch has been missing for 4 min; [1-9]\d* tries/,
    );
    node.quirk = () => undefined;
    for (let second = 0; second < 130 && leaders.alarms().length > 0; second += 1) await pass(1);
    expect(leaders.alarms()).toEqual([]);
    expect(codes).toContain('leaders_current_recovered');
  });

  it('is an alarm too where the epochs cannot be counted, or a change of epochs brings no schedule', async () => {
    const { start, pass, node, state } = world();
    node.quirk = (method) => (method === 'getEpochSchedule' ? 'please log in' : undefined);
    const leaders = start();
    await pass(4 * MINUTE);
    expect(leaders.alarms()[0]!.message).toMatch(/ 4 min; [1-9]\d* tries/);
    node.quirk = (method, [slot]) => {
      if (method === 'getLeaderSchedule' && Number(slot) >= firstSlot + slotsPerEpoch) throw new Error('410 Gone');
    };
    for (let second = 0; second < 130 && leaders.alarms().length > 0; second += 1) await pass(1);
    expect(leaders.alarms()).toEqual([]);
    state.slot = firstSlot + slotsPerEpoch + 1;
    await pass(4 * MINUTE);
    expect(leaders.alarms()).toHaveLength(1);
  });

  it('is no alarm where there is nobody to ask', async () => {
    const { start, pass } = world({ hasNode: false });
    const leaders = start();
    await pass(10 * MINUTE);
    expect(leaders.alarms()).toEqual([]);
    expect(leaders.figures.schedules).toEqual({ current: 0 });
  });
});
