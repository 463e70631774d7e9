import { describe, expect, it } from 'vitest';
import { createHandClock } from '../../test/support/hand-clock.ts';
import { createDescriptors, isOutOfDescriptors, readDescriptorLimit } from './descriptors.ts';
import { silentLogger } from './log.ts';

const emfile = () => Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' });
const enfile = () => Object.assign(new Error('ENFILE: file table overflow'), { code: 'ENFILE' });

describe('a shortage of descriptors', () => {
  it.each([
    ['the system’s own error', emfile()],
    ['the machine’s', enfile()],
    ['what fetch makes of it', new TypeError('fetch failed', { cause: emfile() })],
    ['several tries to connect', new AggregateError([new Error('refused'), emfile()])],
    ['a failure of several tries inside another', new Error('x', { cause: new AggregateError([enfile()]) })],
  ])('is known by %s', (_name, error) => {
    expect(isOutOfDescriptors(error)).toBe(true);
  });

  it.each([
    ['another code', Object.assign(new Error('x'), { code: 'ENOSPC' })],
    ['words alone', new Error('EMFILE')],
    ['nothing', undefined],
  ])('is not %s', (_name, error) => {
    expect(isOutOfDescriptors(error)).toBe(false);
  });

  it('is no end of whoever made itself its own cause', () => {
    const error: Error = new Error('round');
    error.cause = error;
    expect(isOutOfDescriptors(error)).toBe(false);
  });
});

describe('waiting for a descriptor', () => {
  it('tries again however long it takes, and says meanwhile that there is a shortage', async () => {
    const clock = createHandClock();
    const descriptors = createDescriptors({ clock, log: silentLogger });
    let tries = 0;
    let isFree = false;
    const opened = descriptors.patiently(async () => {
      tries += 1;
      if (!isFree) throw emfile();
      return 'a file';
    });
    await clock.advance(0);
    await clock.advance(3_600_000);
    expect(tries).toBeGreaterThan(1_000);
    expect(descriptors.short).toBe(true);
    isFree = true;
    await clock.advance(2_000);
    expect(await opened).toBe('a file');
    await clock.advance(10_000);
    expect(descriptors.short).toBe(false);
  });

  it('fails at once with anything else', async () => {
    const descriptors = createDescriptors({ clock: createHandClock(), log: silentLogger });
    await expect(descriptors.patiently(() => Promise.reject(new Error('no such file')))).rejects.toThrow(
      'no such file',
    );
    expect(descriptors.short).toBe(false);
  });

  it('ends with the error when nobody wants it any more', async () => {
    const clock = createHandClock();
    const descriptors = createDescriptors({ clock, log: silentLogger });
    const stop = new AbortController();
    const opened = descriptors.patiently(() => Promise.reject(emfile()), stop.signal);
    const refused = expect(opened).rejects.toThrow('EMFILE');
    await clock.advance(100);
    stop.abort();
    await refused;
  });

  it('is told once a shortage, not once a try', async () => {
    const clock = createHandClock();
    const said: string[] = [];
    const log = { ...silentLogger, warn: (_fields: object, text: string) => said.push(text) };
    const descriptors = createDescriptors({ clock, log });
    const stop = new AbortController();
    const opened = descriptors.patiently(() => Promise.reject(emfile()), stop.signal).catch(() => {});
    await clock.advance(0);
    await clock.advance(60_000);
    expect(said).toHaveLength(1);
    stop.abort();
    await opened;
  });
});

describe('the limit of descriptors', () => {
  const limits = (soft: string) => () =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                 4096                 files     \n`;
  it.each([
    ['1024', 1_024],
    ['unlimited', Number.POSITIVE_INFINITY],
    ['?', undefined],
  ])('of the system, %s', (soft, limit) => {
    expect(readDescriptorLimit(limits(soft), () => '7')).toBe(limit);
  });

  it('is Node’s where the system has no such file, and unknown where Node does not say either', () => {
    expect(
      readDescriptorLimit(
        () => undefined,
        () => '256',
      ),
    ).toBe(256);
    expect(
      readDescriptorLimit(
        () => undefined,
        () => undefined,
      ),
    ).toBeUndefined();
  });

  it('is known here, and the report says the same', () => {
    const limit = readDescriptorLimit();
    expect(limit).toBeGreaterThan(0);
    expect(readDescriptorLimit(() => undefined)).toBe(limit);
  });
});
