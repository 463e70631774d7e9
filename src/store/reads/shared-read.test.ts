import { describe, expect, it } from 'vitest';
import { Asker, type Reader, readAs, readerNow } from './reader.ts';
import { SharedRead } from './shared-read.ts';

const asker = (account = 'a') => new Asker(() => ({ account, key: account }), 5_000);

/** A read that ends when the test says so. */
function reading() {
  const read = { times: 0, end: (_value: string) => {}, fail: (_error: Error) => {}, reader: readerNow() };
  const shared = new SharedRead(() => {
    read.times += 1;
    read.reader = readerNow();
    return new Promise<string>((resolve, reject) => Object.assign(read, { end: resolve, fail: reject }));
  });
  return { read, shared };
}

describe('a shared read', () => {
  it('begins once, when somebody waits for it, and is kept for whoever comes later', async () => {
    const { read, shared } = reading();
    expect(read.times).toBe(0);
    const waits = [asker(), asker()].map((each) => readAs(each, () => shared.wait()));
    read.end('one');
    expect(await Promise.all(waits)).toEqual(['one', 'one']);
    expect([await shared.wait(), read.times, shared.abandoned]).toEqual(['one', 1, false]);
  });

  it('hands its failure to everybody', async () => {
    const { read, shared } = reading();
    const waits = [asker(), asker()].map((each) => readAs(each, () => shared.wait()));
    read.fail(new Error('no luck'));
    for (const each of waits) await expect(each).rejects.toThrow('no luck');
  });

  it('goes on without those who leave, and is abandoned with the last', async () => {
    const { read, shared } = reading();
    const [first, last] = [asker('a'), asker('b')];
    const waits = [first, last].map((each) => readAs(each, () => shared.wait()));
    expect(read.reader.askers()).toEqual([first, last]);
    first.leave();
    await expect(waits[0]).rejects.toMatchObject({ code: 'abandoned' });
    expect([shared.abandoned, read.reader.askers()]).toEqual([false, [last]]);
    last.leave();
    await expect(waits[1]).rejects.toMatchObject({ code: 'abandoned' });
    expect([shared.abandoned, read.reader.left?.message]).toEqual([true, 'nobody waits for it any more']);
  });

  it('within another ends with it', async () => {
    const inner = reading();
    const outer = new SharedRead(() => inner.shared.wait());
    const only = asker();
    const waits = readAs(only, () => outer.wait());
    expect(inner.read.reader.askers()).toEqual([only]);
    only.leave();
    await expect(waits).rejects.toMatchObject({ code: 'abandoned' });
    expect([outer.abandoned, inner.shared.abandoned]).toEqual([true, true]);
  });

  it('that is to be kept goes on in the share of whoever left', async () => {
    const { read, shared } = reading();
    const only = asker('a');
    const waits = readAs(only, () => {
      const wait = shared.wait();
      shared.keep();
      return wait;
    });
    only.leave();
    await expect(waits).rejects.toMatchObject({ code: 'abandoned' });
    expect(shared.abandoned).toBe(false);
    const [heir] = read.reader.askers();
    expect(heir?.share.account).toBe('a');
    read.end('one');
    expect(await shared.wait()).toBe('one');
    await new Promise(setImmediate);
    expect(heir?.left).toBeDefined();
  });

  it('that is to be kept goes on once in the share of an account, however often it asks, and not for whoever has left', () => {
    const { read, shared } = reading();
    const keep = () => {
      shared.wait().catch(() => {});
      shared.keep();
    };
    const requests = [asker('a'), asker('a'), asker('a'), asker('b')];
    for (const each of requests) readAs(each, keep);
    for (const each of requests) each.leave();
    expect(read.reader.askers().map(({ share }) => share.account)).toEqual(['a', 'b']);
    readAs(requests[0]!, keep);
    expect(read.reader.askers()).toHaveLength(2);
    const { shared: never, read: unread } = reading();
    readAs(requests[0]!, () => never.keep());
    expect(unread.times).toBe(0);
  });

  it('is waited for by the service as long as it takes', async () => {
    const { read, shared } = reading();
    const only = asker();
    const waits = readAs(only, () => shared.wait());
    const service = shared.wait();
    only.leave();
    await expect(waits).rejects.toMatchObject({ code: 'abandoned' });
    read.end('one');
    expect(await service).toBe('one');
  });

  it('that hundreds wait for looks at each of them once when one leaves, however many reads of it wait for their turn', () => {
    const { read, shared } = reading();
    const looks = { left: 0, askers: 0 };
    const [readers, turns] = [200, 10];
    const all = Array.from({ length: readers }, () => asker());
    for (const each of all) {
      const counted: Reader = {
        get left() {
          looks.left += 1;
          return each.left;
        },
        askers() {
          looks.askers += 1;
          return each.askers();
        },
        onLeave: (told) => each.onLeave(told),
        onChange: () => each.onChange(),
      };
      readAs(counted, () => shared.wait()).catch(() => {});
    }
    for (let turn = 0; turn < turns; turn += 1) {
      read.reader.onChange(() => {
        if (read.reader.left === undefined) read.reader.askers();
      });
    }
    Object.assign(looks, { left: 0, askers: 0 });
    for (const each of all) each.leave();
    expect(shared.abandoned).toBe(true);
    expect(looks.askers).toBeLessThanOrEqual((readers * readers) / 2);
    expect(looks.left).toBeLessThanOrEqual(2 * readers * turns);
  });
});
