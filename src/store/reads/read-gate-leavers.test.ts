import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { createReadGate, type GateLimits, type Seat } from './read-gate.ts';
import { Asker, type Reader, readAs, readerNow } from './reader.ts';
import { SharedRead } from './shared-read.ts';

/** So many requests that an account reaches the last level, at which it has one seat beside others. */
const LIMITS: GateLimits = {
  places: 5,
  kept: 2,
  first: 0,
  perAccount: 3,
  perKey: 2,
  perGreedy: 1,
  requestsPerAccount: 9,
  requestsPerKey: 7,
  waiting: 30,
};

const asker = (account: string, key = account) => new Asker(() => ({ account, key }), 5_000);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function open(limits: Partial<GateLimits> = {}) {
  return createReadGate({ clock: createHandClock(), limits: { ...LIMITS, ...limits } });
}

type Gate = ReturnType<typeof open>;

/** A read that several wait for, which enters the gate when it begins. */
function shareRead(gate: Gate) {
  return new SharedRead(() => gate.enter(readerNow()));
}

/** Swallows what becomes of it. */
const ignore = (promise: Promise<unknown>) => void promise.catch(() => {});

describe('whoever has left', () => {
  it('is given no seat that its leaving makes free', async () => {
    const gate = open({ perGreedy: 1, perAccount: 9, perKey: 9, places: 20 });
    ignore(gate.enter(asker('quiet')));
    const requests = Array.from({ length: 8 }, (_, n) => asker('greedy', `key ${n}`));
    // The first seven read, then it is held to one seat, and the reads of the eighth wait.
    for (const each of requests) ignore(gate.enter(each));
    const last = requests.at(-1)!;
    const waits = [gate.enter(last), gate.enter(last)];
    waits.forEach(ignore);
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 8, waiting: 3 });
    last.leave();
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 8, waiting: 0, abandoned: { waiting: 3, under_way: 0 } });
    for (const each of waits) await expect(each).rejects.toMatchObject({ code: 'abandoned' });
  });

  it('is forgotten with its account', async () => {
    const gate = open({ places: 3, kept: 2 });
    const seat = await gate.enter(asker('a'));
    const gone = asker('b');
    ignore(gate.enter(gone));
    gone.leave();
    await turn();
    expect(gate.figures.accounts).toBe(1);
    seat.leave();
  });

  it('leaves a shared read to those who are over their share: it is refused at once, as theirs would be', async () => {
    const gate = open({ places: 3, kept: 2, requestsPerAccount: 1, requestsPerKey: 1 });
    const seat = await gate.enter(asker('b'));
    const shared = shareRead(gate);
    const first = asker('a');
    ignore(readAs(first, () => shared.wait()));
    const over = readAs(asker('b'), () => shared.wait());
    ignore(over);
    await turn();
    expect(gate.figures.waiting).toBe(1);
    first.leave();
    await turn();
    expect(gate.figures).toMatchObject({ waiting: 0, refused: { over_share: 1 } });
    await expect(over).rejects.toMatchObject({ code: 'over_share', retryAfter: 5 });
    seat.leave();
  });

  it('leaves a shared read to those of whom there is room by now', async () => {
    const gate = open({ places: 3, kept: 2, requestsPerAccount: 1, requestsPerKey: 1 });
    const before = asker('b');
    const seat = await gate.enter(before);
    const shared = shareRead(gate);
    const first = asker('a');
    ignore(readAs(first, () => shared.wait()));
    const next = readAs(asker('b'), () => shared.wait());
    before.leave();
    first.leave();
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 1 });
    seat.leave();
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 0 });
    (await next).leave();
    expect(gate.figures).toMatchObject({ underWay: 0, waiting: 0 });
  });

  it('is no request any more, though its read goes on: the next one is let in, and is told when a request is over', async () => {
    const gate = open({ places: 3, kept: 2, requestsPerAccount: 1, requestsPerKey: 1 });
    ignore(gate.enter(asker('b')));
    const shared = shareRead(gate);
    const first = asker('a');
    readAs(first, () => {
      ignore(shared.wait());
      shared.keep();
    });
    first.leave();
    ignore(gate.enter(asker('a')));
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 2, refused: { over_share: 0 } });
    await expect(gate.enter(asker('a'))).rejects.toMatchObject({ code: 'over_share', retryAfter: 5 });
  });

  it('does not make a read within a shared one the own read of the service', async () => {
    const gate = open({ places: 3, kept: 2 });
    ignore(gate.enter(asker('a')));
    const inner = shareRead(gate);
    const outer = new SharedRead(() => Promise.all([inner.wait(), inner.wait()]));
    const only = asker('b');
    ignore(readAs(only, () => outer.wait()));
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 1 });
    only.leave();
    await turn();
    expect(gate.figures).toMatchObject({ underWay: 1, waiting: 0 });
  });
});

type Act = 'enter' | 'share' | 'leave' | 'done';
interface Step {
  readonly act: Act;
  readonly who: number;
  readonly key: number;
  /** Draws one of the requests that there are. */
  readonly at: number;
}

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom<Act>('enter', 'enter', 'enter', 'enter', 'share', 'share', 'leave', 'leave', 'done'),
    // One of them asks for the most.
    who: fc.constantFrom(0, 0, 0, 0, 1, 2),
    key: fc.nat(2),
    at: fc.nat(99),
  }),
  { minLength: 20, maxLength: 120 },
);

/** The gate with what came in and has not ended. */
function createStage() {
  const gate = open();
  const requests = new Set<Asker>();
  const places: Seat[] = [];
  const stage = { gate, requests, places, waiting: 0, late: 0 };
  /** Counts who waits, and who was let in after it had left. */
  const enter = (reader: Reader) => {
    stage.waiting += 1;
    return gate.enter(reader).then(
      (seat) => {
        stage.waiting -= 1;
        if (reader.left !== undefined) stage.late += 1;
        places.push(seat);
      },
      () => {
        stage.waiting -= 1;
      },
    );
  };
  const request = (who: number, key: number) => {
    const made = asker(`${who}`, `${who} ${key}`);
    requests.add(made);
    return made;
  };
  const at = (list: Iterable<Asker>, index: number): Asker | undefined => {
    const all = [...list];
    return all[index % Math.max(1, all.length)];
  };
  const leave = (gone: Asker | undefined) => {
    if (gone === undefined) return;
    requests.delete(gone);
    gone.leave();
  };
  const acts: Record<Act, (step: Step) => void> = {
    enter({ who, key, at: index }) {
      const known = at(requests, index);
      // Some ask for several reads.
      ignore(enter(index % 4 === 0 && known !== undefined ? known : request(who, key)));
    },
    share({ who, key, at: index }) {
      const shared = new SharedRead(() => enter(readerNow()));
      for (const each of [request(who, key), request((who + 1 + (index % 2)) % 3, key)]) {
        ignore(readAs(each, () => shared.wait()));
      }
    },
    leave: ({ at: index }) => leave(at(requests, index)),
    done: ({ at: index }) => places.splice(index % Math.max(1, places.length), 1)[0]?.leave(),
  };
  const act = (step: Step) => acts[step.act](step);
  return Object.assign(stage, { act, leave });
}

it('counts what waits and what is under way for what it is, lets in nobody who has left, and remembers nobody in the end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const stage = createStage();
      const { gate, requests, places } = stage;
      const settle = async () => {
        await turn();
        expect(gate.figures).toMatchObject({ waiting: stage.waiting, underWay: places.length });
        expect(stage.late, 'let in after they had left').toBe(0);
        expect(places.length).toBeLessThanOrEqual(LIMITS.places);
      };
      for (const step of script) {
        stage.act(step);
        await settle();
      }
      while (places.length > 0) {
        places.shift()!.leave();
        await settle();
      }
      expect(stage.waiting, 'waits though all places are free').toBe(0);
      for (const each of requests) {
        stage.leave(each);
        await settle();
      }
      expect(gate.figures).toMatchObject({ underWay: 0, waiting: 0, accounts: 0 });
    }),
    { numRuns: 300 },
  );
});
