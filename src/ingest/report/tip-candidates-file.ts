import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Descriptors } from '../../kernel/descriptors.ts';
import type { Logger } from '../../kernel/log.ts';
import { createSpread } from './spread.ts';
import { createTipCandidates, type TipCandidates, type WatchedAccount } from './tip-candidates.ts';

/** Accounts that were watched, as a file of the data folder has them. */
export interface KeptCandidates {
  /** When it was written, Unix milliseconds. */
  readonly at: number;
  readonly accounts: readonly WatchedAccount[];
}

/** Beside the store, under a version that changes with the shape. */
const FILE = 'tip-candidates-2.json';
const WRITE_EVERY_MS = 60_000;

/** Accounts that a service on this data folder has watched; undefined when none has written yet. Throws what it cannot read. */
export async function readCandidates(dataDir: string): Promise<KeptCandidates | undefined> {
  let text: string;
  try {
    text = await readFile(join(dataDir, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const told: unknown = JSON.parse(text);
  if (!isRecord(told) || typeof told.at !== 'number' || !Array.isArray(told.accounts)) throw unreadable();
  return { at: told.at, accounts: told.accounts.map(readAccount) };
}

function readAccount(told: unknown): WatchedAccount {
  if (!isRecord(told)) throw unreadable();
  const number = (name: string): number => {
    const value = told[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable();
    return value;
  };
  const text = (name: string): string => {
    const value = told[name];
    if (typeof value !== 'string') throw unreadable();
    return value;
  };
  const payers = createSpread(text('payers'));
  const tokens = createSpread(text('tokens'));
  const dayPayers = createSpread(text('day_payers'));
  if (payers === undefined || tokens === undefined || dayPayers === undefined) throw unreadable();
  return {
    ...{ wallet: text('wallet') as Address, rank: number('rank'), day: number('day'), dayPayers },
    ...{ payments: number('payments'), payers, tokens },
    ...{ lamports: BigInt(text('lamports')), firstSlot: number('first_slot'), lastSlot: number('last_slot') },
  };
}

function writtenAs(account: WatchedAccount) {
  const { wallet, rank, day, dayPayers, payments, lamports, payers, tokens, firstSlot, lastSlot } = account;
  return {
    ...{ wallet, rank, day, day_payers: dayPayers.text, payments, lamports: String(lamports) },
    ...{ payers: payers.text, tokens: tokens.text, first_slot: firstSlot, last_slot: lastSlot },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function unreadable(): Error {
  return new Error(`${FILE} is not as this version writes it`);
}

export interface CandidatesFolder {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly descriptors: Descriptors;
}

/** Candidates that go on from what was written. What cannot be read is left behind: it is watched anew. */
export async function openCandidates({ dataDir, log, descriptors }: CandidatesFolder): Promise<TipCandidates> {
  const kept = await descriptors
    .patiently(() => readCandidates(dataDir))
    .catch((error: unknown) => {
      log.warn({ err: String(error) }, 'who was paid beside trades cannot be read: it is counted from now on');
      return undefined;
    });
  return createTipCandidates(kept?.accounts);
}

/** Writes them every minute until the signal aborts, and once more then. Trouble is logged and passes. */
export async function keepCandidates(
  candidates: TipCandidates,
  { dataDir, clock, log, descriptors }: CandidatesFolder,
  signal: AbortSignal,
): Promise<void> {
  const path = join(dataDir, FILE);
  let isFailing = false;
  do {
    await clock.sleep(WRITE_EVERY_MS, signal);
    const text = JSON.stringify({ at: clock.now(), accounts: candidates.watched().map(writtenAs) });
    try {
      // Whoever reads meanwhile finds the one before.
      await descriptors.patiently(() => writeFile(`${path}.new`, text), signal);
      await rename(`${path}.new`, path);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: String(error) }, 'who was paid beside trades cannot be written; tried again');
      isFailing = true;
    }
  } while (!signal.aborted);
}
