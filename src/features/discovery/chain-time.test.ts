import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openStoreHosts, type StoreHosts, takeOver } from '../../../test/support/store-hosts.ts';
import { TIP_PROVIDERS } from '../../programs/registry/index.ts';
import { TIP_WINDOWS } from './contract-limits.ts';
import { readLaunchpad } from './launchpad-reads.ts';
import { readNames } from './name-reads.ts';
import { readTips } from './tip-reads.ts';

const WALL = 1_790_000_030;
const START = WALL - 30;
const DAY_S = 86_400;
const TIPPED = TIP_PROVIDERS[0]!.accounts[0]!.address;

let hosts: StoreHosts;
beforeAll(async () => {
  hosts = await openStoreHosts();
});
afterAll(() => hosts.close());

const second = (at: number) => START + at;
const steady = (count: number) => Array.from({ length: count }, (_, at) => second(at));

/** What is told of a chain whose blocks tell these times, each with two swaps, a tip and a token. */
async function told(times: readonly number[], wall = WALL) {
  const maker = createFactsMaker({ seed: 3, swapsPerBlock: 2, mints: 60 });
  const client = await hosts.openDatabase();
  const writer = await takeOver(client, { folder: await hosts.newFolder(), epoch: 1 });
  const blocks = times.map((time) => {
    const facts = maker.next();
    const tipsByWallet = [{ tipWallet: TIPPED, count: 1, repeated: 0, lamports: 1n, paid: [1n] }];
    const at = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, time }));
    const economics = { ...facts.economics, tipsByWallet };
    return { ...facts, time, swaps: at(facts.swaps), created: at(facts.created), transfers: [], economics };
  });
  await writer.flush(blocks.map((facts) => maker.toBatch(facts)));
  await writer.close(1_000);
  const mark = blocks.at(-1)!.slot;
  const tips = async (window: keyof typeof TIP_WINDOWS) => {
    const found = await readTips(client, mark, TIP_WINDOWS[window], wall);
    return [found!.from, found!.wallets.reduce((sum, { count }) => sum + Number(count), 0)];
  };
  const launchpad = (await readLaunchpad(client, mark, wall))!;
  const answers = {
    launchpad: [launchpad.from, Number(launchpad.trades), Number(launchpad.trades_before), launchpad.new_tokens],
    hour: await tips('1h'),
    day: await tips('24h'),
    names: (await readNames(client, mark, 3_600, wall))?.groups.map(({ tokens }) => tokens),
  };
  await client.close();
  return { ...answers, firstMinute: launchpad.first_minute };
}

const startOf = (seconds: number, age: number) => seconds - (seconds % 60) - age;

describe('sums of a chain whose node gets times wrong', () => {
  it('stand where they stood while the newest block is one of tomorrow, and behind it', async () => {
    const now = second(19);
    const sums = await told([...steady(20), WALL + DAY_S]);
    expect(sums).toMatchObject({
      launchpad: [startOf(now, DAY_S), 40, 0, 20],
      hour: [now - 3_600, 20],
      day: [startOf(now, DAY_S), 20],
      names: [20],
    });
    expect(await told([...steady(20), 0xffff_ffff])).toEqual(sums);
    const later = await told([...steady(10), WALL + DAY_S, ...steady(20).slice(10)]);
    expect({ ...later, names: [] }).toEqual({ ...sums, names: [] });
  });

  it('count a block of yesterday yesterday, and end where they ended', async () => {
    const now = second(19);
    expect(await told([...steady(20), START - DAY_S - 300])).toMatchObject({
      launchpad: [startOf(now, DAY_S), 40, 2, 20],
      hour: [now - 3_600, 20],
      day: [startOf(now, DAY_S), 20],
      names: [20],
    });
  });

  it('count no block that tells no time, and take its minute for no beginning', async () => {
    const now = second(19);
    const sums = await told([...steady(10), 0, ...steady(20).slice(10)]);
    expect(sums).toMatchObject({
      launchpad: [startOf(now, DAY_S), 40, 0, 20],
      hour: [now - 3_600, 20],
      firstMinute: START - (START % 60),
    });
  });

  it('follow a chain that stood still, and one on a machine whose clock was never set', async () => {
    const sums = await told(steady(20));
    expect(await told(steady(20), WALL + 30 * DAY_S)).toEqual(sums);
    expect(await told(steady(20), 0)).toEqual(sums);
    expect(sums.hour).toEqual([second(19) - 3_600, 20]);
  });
});
