import { describe, expect, it } from 'vitest';
import { asker, openGate, turn } from '../../../test/support/read-gates.ts';
import { ReadFault } from './read-fault.ts';
import { GATE_LIMITS, type Seat } from './read-gate.ts';
import { readAs, readerNow } from './reader.ts';
import { SharedRead } from './shared-read.ts';

describe('places', () => {
  it('are bounded by key, by account and in all, but for those that are kept', async () => {
    const { gate, enter, order } = openGate();
    const [a1, a2] = [asker('a', 'a1'), asker('a', 'a2')];
    for (const reader of [a1, a1, a1, a2, a2]) void enter(`of ${reader.share.key}`, reader);
    await turn();
    expect(order).toEqual(['of a1', 'of a1', 'of a2']);
    void enter('b');
    void enter('c');
    await turn();
    expect(order.slice(3)).toEqual(['b']);
    expect(gate.figures).toMatchObject({ underWay: 4, waiting: 3 });
  });

  it('are given in turn between accounts, however many wait of one', async () => {
    const { enter, order } = openGate({ places: 1, kept: 0 });
    const first = await enter('first');
    const passOn = (entered: Promise<Seat>) => void entered.then((seat) => setImmediate(() => seat.leave()));
    const a = asker('a');
    for (let n = 0; n < 4; n += 1) passOn(enter('a', a));
    for (const name of ['b', 'c', 'b']) passOn(enter(name));
    first.leave();
    while (order.length < 8) await turn();
    expect(order).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('that are kept are given to what several accounts wait for, and to the service itself', async () => {
    const { gate, enter, order } = openGate({ places: 2, kept: 1 });
    void enter('a');
    void enter('b');
    await turn();
    expect(order).toEqual(['a']);
    const shared = new SharedRead(() => enter('shared', readerNow()));
    readAs(asker('c'), () => shared.wait()).catch(() => {});
    await turn();
    expect(order).toEqual(['a']);
    const seat = readAs(asker('d'), () => shared.wait());
    await turn();
    expect(order).toEqual(['a', 'shared']);
    (await seat).leave();
    await turn();
    expect(gate.figures.waiting).toBe(1);
  });

  it('that are kept are open, but for the last, to an account that has none, whatever two neighbours have', async () => {
    const { enter, order } = openGate(GATE_LIMITS);
    for (const name of ['a', 'b']) {
      const neighbour = asker(name);
      for (let n = 0; n < 7; n += 1) void enter(name, neighbour);
    }
    await turn();
    expect(order).toHaveLength(6);
    const quiet = asker('quiet');
    void enter('quiet', quiet);
    void enter('quiet', quiet);
    void enter('another');
    await turn();
    expect(order.slice(6)).toEqual(['quiet']);
    void enter('service', readerNow());
    await turn();
    expect(order.slice(7)).toEqual(['service']);
  });

  it('of a read that several keys of one account wait for are paid for by any of them', async () => {
    const { gate, enter } = openGate({ perKey: 1, places: 3 });
    void enter('a', asker('a', 'a2'));
    const other = await enter('b');
    const shared = new SharedRead(() => enter('shared', readerNow()));
    for (const key of ['a1', 'a2']) readAs(asker('a', key), () => shared.wait()).catch(() => {});
    await turn();
    other.leave();
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 2, waiting: 0 });
  });

  it('tell how many requests of the account read: whoever has more goes behind', async () => {
    const { enter } = openGate({ perAccount: 9, places: 20 });
    const levels: number[] = [];
    for (let n = 0; n < 6; n += 1) levels.push((await enter('busy', asker('busy', `key ${n}`))).level);
    expect(levels).toEqual([1, 2, 2, 3, 3, 3]);
    expect(await enter('quiet')).toMatchObject({ level: 1, crowded: true });
  });

  it('are fewer for whoever has the most requests while others read, and as many as before once it is alone', async () => {
    const { clock, enter, order } = openGate({ perGreedy: 1, places: 9, requestsPerAccount: 9, waiting: 99 });
    const greedy = Array.from({ length: 8 }, (_, n) => asker('greedy', `key ${n}`));
    const first = await enter('greedy', greedy[0]);
    for (const each of greedy.slice(1)) void enter('greedy', each);
    await turn();
    expect(order).toHaveLength(3);
    (await enter('quiet')).leave();
    first.leave();
    await turn();
    expect(order.slice(3)).toEqual(['quiet']);
    await clock.advance(10_000);
    void enter('greedy', greedy[1]);
    await turn();
    expect(order.slice(4)).toEqual(['greedy']);
  });

  it('of reads that were hung up on stay taken until the store has noticed, whoever asks again', async () => {
    const { gate, enter, order } = openGate({ places: 9 });
    const places = [];
    for (let n = 0; n < 3; n += 1) {
      const gone = asker('a', `key ${n}`);
      places.push(await enter('a', gone));
      gone.leave();
    }
    void enter('a');
    await turn();
    expect([order.length, gate.figures.underWay, gate.figures.accounts]).toEqual([3, 3, 1]);
    places[0]!.leave();
    await turn();
    expect(order.length).toBe(4);
  });
});

describe('requests', () => {
  it('beyond the bound of their account are refused until the oldest is over at the latest, those let in go on', async () => {
    const { gate, clock, enter } = openGate({ requestsPerAccount: 2 });
    const [first, second] = [asker('a', 'k1'), asker('a', 'k2')];
    await enter('a', first);
    await clock.advance(1_500);
    await enter('a', second);
    await expect(enter('a', asker('a', 'k3'))).rejects.toMatchObject({ code: 'over_share', retryAfter: 4 });
    await enter('a', second);
    expect((await enter('b')).level).toBe(1);
    first.leave();
    void enter('a', asker('a', 'k3'));
    expect(gate.figures).toMatchObject({ refused: { over_share: 1 }, waiting: 1 });
  });

  it('that wait for the same read are not refused with whoever began it', async () => {
    const { enter } = openGate({ requestsPerAccount: 1, requestsPerKey: 1 });
    await enter('a');
    const shared = new SharedRead(async () => {
      await turn();
      return enter('shared', readerNow());
    });
    const over = readAs(asker('a'), () => shared.wait());
    const other = readAs(asker('b'), () => shared.wait());
    expect(await over).toBe(await other);
  });

  it('that are gone leave the line, and take no seat', async () => {
    const { gate, enter, order } = openGate({ places: 1, kept: 0 });
    const seat = await enter('a');
    const gone = asker('b');
    const waits = enter('b', gone);
    gone.leave();
    await expect(waits).rejects.toMatchObject({ code: 'abandoned' });
    await expect(enter('b', gone)).rejects.toBeInstanceOf(ReadFault);
    seat.leave();
    await turn();
    expect([order, gate.figures.underWay, gate.figures.abandoned.waiting]).toEqual([['a'], 0, 1]);
  });

  it('are refused as too many when the lines are full', async () => {
    const { enter } = openGate({ places: 1, kept: 0, waiting: 1 });
    await enter('a');
    void enter('b');
    await expect(enter('c')).rejects.toMatchObject({ code: 'too_busy' });
  });
});
