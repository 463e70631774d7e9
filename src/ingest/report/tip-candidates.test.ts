import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createQuickClock } from '../../../test/support/quick-clock.ts';
import { someAddress } from '../../../test/support/transaction-builder.ts';
import type { Address } from '../../chain/address.ts';
import type { StrayPayment } from '../../facts/stray-payments.ts';
import { createDescriptors } from '../../kernel/descriptors.ts';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { TIP_PROVIDERS } from '../../programs/registry/index.ts';
import { createSpread } from './spread.ts';
import { candidateOf, createTipCandidates, isCandidate } from './tip-candidates.ts';
import { keepCandidates, openCandidates, readCandidates } from './tip-candidates-file.ts';

const SLOT = 400_000_000;
const addresses = (count: number): readonly Address[] => Array.from({ length: count }, () => someAddress());
const payment = (wallet: Address, payer: Address, mint: Address): StrayPayment => ({
  wallet,
  payer,
  mint,
  lamports: 5n,
});

/** Payments of each payer in turn, on each token in turn. */
function payments(wallet: Address, count: number, payers: readonly Address[], mints: readonly Address[]) {
  return Array.from({ length: count }, (_, n) => payment(wallet, payers[n % payers.length]!, mints[n % mints.length]!));
}

describe('a spread', () => {
  it.each([1, 20, 100, 1_000])('tells about how many of %i there were, however often each came', (count) => {
    const spread = createSpread();
    const all = addresses(count);
    for (const address of [...all, ...all]) spread.add(address);
    expect(spread.count).toBeGreaterThan(count * 0.85);
    expect(spread.count).toBeLessThan(count * 1.15 + 1);
    expect(createSpread(spread.text)?.count).toBe(spread.count);
  });

  it('is never told above its bound, and is not read from what none wrote', () => {
    const spread = createSpread();
    for (const address of addresses(30_000)) spread.add(address);
    expect(spread.count).toBeLessThanOrEqual(5_000);
    expect(createSpread('AAAA')).toBeUndefined();
  });
});

describe('tip candidates', () => {
  const wallet = someAddress();

  it('are accounts that many pay, beside trades of several tokens', () => {
    const candidates = createTipCandidates();
    candidates.add(SLOT, payments(wallet, 60, addresses(30), addresses(8)));
    expect(candidates.figures).toEqual({ candidates: 1, payments: 60 });
    const [first] = candidates.watched();
    expect(candidateOf(first!)).toMatchObject({
      wallet,
      payments: 60,
      lamports: 300n,
      firstSlot: SLOT,
      lastSlot: SLOT,
    });
    expect(candidateOf(first!).payers).toBeGreaterThanOrEqual(25);
  });

  it('are none that one payer pays a thousand times, nor beside trades of one token', () => {
    const candidates = createTipCandidates();
    candidates.add(SLOT, payments(wallet, 1_000, addresses(1), addresses(50)));
    candidates.add(SLOT, payments(someAddress(), 1_000, addresses(200), addresses(1)));
    expect(candidates.figures.candidates).toBe(0);
  });

  it('keep an account that many pay while strangers pay thousands of others once', () => {
    const candidates = createTipCandidates();
    const mints = addresses(8);
    for (let round = 0; round < 40; round += 1) {
      // Two tokens may share a bit: there are more than a candidate needs.
      candidates.add(SLOT + round, payments(wallet, 5, addresses(5), mints.slice(round % 4)));
      const [spammer] = addresses(1);
      candidates.add(
        SLOT + round,
        addresses(250).flatMap((each) => payments(each, 3, [spammer!], mints)),
      );
    }
    const found = candidates.watched();
    expect(found.length).toBeLessThanOrEqual(1_000);
    expect(found[0]?.wallet).toBe(wallet);
    expect(candidates.figures.candidates).toBe(1);
  });

  it('keep an account whose customers pay it day after day while a stranger with sixty wallets pays new accounts all the time', () => {
    const candidates = createTipCandidates();
    const [customers, strangers, mints] = [addresses(25), addresses(60), addresses(8)];
    for (let day = 0; day < 16; day += 1) {
      const slot = SLOT + day * 216_000;
      candidates.add(slot, payments(wallet, 75, customers, mints));
      for (const stranger of strangers) {
        candidates.add(
          slot + 1,
          addresses(32).map((each) => payment(each, stranger, mints[0]!)),
        );
      }
    }
    // It was never pushed out: what is known of it is from the first day on.
    expect(candidates.watched()[0]).toMatchObject({ wallet, payments: 16 * 75, firstSlot: SLOT });
  });

  it('keep it when fifty wallets of a stranger pay a thousand accounts each', () => {
    const candidates = createTipCandidates();
    const mints = addresses(8);
    candidates.add(SLOT, payments(wallet, 60, addresses(30), mints));
    const invented = addresses(1_000);
    for (const [place, stranger] of addresses(50).entries()) {
      const inTurn = invented.map((_, n) => payment(invented[(place * 32 + n) % 1_000]!, stranger, mints[0]!));
      candidates.add(SLOT + 1, inTurn);
    }
    expect(candidates.watched()[0]).toMatchObject({ wallet, payments: 60, firstSlot: SLOT });
    expect(candidates.figures).toEqual({ candidates: 1, payments: 50_060 });
  });

  it('leave a flood behind within days of its end', () => {
    const candidates = createTipCandidates();
    const mints = addresses(8);
    // All places but one are taken by accounts that sixty-four wallets pay: whoever is new has the last place alone.
    const invented = addresses(999);
    for (const [place, stranger] of addresses(2_000).entries()) {
      const inTurn = Array.from({ length: 32 }, (_, n) => invented[(place * 32 + n) % invented.length]!);
      const paid = inTurn.map((each) => payment(each, stranger, mints[0]!));
      candidates.add(SLOT, paid);
    }
    const customers = addresses(25);
    for (const [place, each] of payments(wallet, 50, customers, mints).entries()) {
      const passing = payment(someAddress(), someAddress(), mints[0]!);
      candidates.add(SLOT + 8 * 216_000 + place, [each, passing]);
    }
    expect(candidates.watched().find((account) => account.wallet === wallet)).toMatchObject({ payments: 50 });
    expect(candidates.figures.candidates).toBe(1);
  });

  it('forget who is not paid for two weeks, and who was registered meanwhile', () => {
    const candidates = createTipCandidates();
    candidates.add(SLOT, payments(wallet, 60, addresses(30), addresses(8)));
    const listed = TIP_PROVIDERS[0]!.accounts.find(({ confidence }) => confidence !== 'low')!.address;
    const kept = candidates.watched().map((account) => ({ ...account, wallet: listed }));
    expect(createTipCandidates(kept).watched()).toEqual([]);
    candidates.add(SLOT + 3_000_001, payments(someAddress(), 1, addresses(1), addresses(1)));
    expect(candidates.figures.candidates).toBe(0);
    expect(candidates.watched()).toHaveLength(1);
  });
});

describe('the file of tip candidates', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintscope-candidates-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));
  const clock = createQuickClock(1);
  const folder = (log: Logger = silentLogger) => ({
    dataDir,
    clock,
    log,
    descriptors: createDescriptors({ clock, log }),
  });
  async function write(candidates: ReturnType<typeof createTipCandidates>): Promise<void> {
    const ended = new AbortController();
    const keeping = keepCandidates(candidates, folder(), ended.signal);
    ended.abort();
    await keeping;
  }

  it('is written at the end, and counted on from', async () => {
    expect(await readCandidates(dataDir)).toBeUndefined();
    const candidates = createTipCandidates();
    const [payers, mints, wallet] = [addresses(30), addresses(8), someAddress()];
    candidates.add(SLOT, payments(wallet, 40, payers, mints));
    expect(candidates.figures.candidates).toBe(0);
    await write(candidates);
    expect(readdirSync(dataDir)).toEqual(['tip-candidates-2.json']);
    const after = await openCandidates(folder());
    after.add(SLOT + 9, payments(wallet, 20, payers, mints));
    expect(after.figures.candidates).toBe(1);
    // The rank goes on as well, and by the slots that were missed.
    const { rank } = after.watched()[0]!;
    await write(after);
    const later = await openCandidates(folder());
    later.add(SLOT + 2 * 216_000, []);
    expect(later.watched()[0]).toMatchObject({ rank: Math.floor(rank / 4) });
    const kept = await readCandidates(dataDir);
    expect(kept?.accounts.filter(isCandidate).map(candidateOf)).toMatchObject([
      { wallet, payments: 60, lamports: 300n, firstSlot: SLOT, lastSlot: SLOT + 9 },
    ]);
  });

  it.each(['{', '{"at":1,"accounts":[{"wallet":3}]}', '[]'])('that holds %s is left behind, and said', async (text) => {
    writeFileSync(join(dataDir, 'tip-candidates-2.json'), text);
    const warnings: string[] = [];
    const log: Logger = { ...silentLogger, warn: (_fields, message) => warnings.push(message) };
    expect((await openCandidates(folder(log))).watched()).toEqual([]);
    expect(warnings).toEqual(['who was paid beside trades cannot be read: it is counted from now on']);
  });
});
