import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../../src/chain/address.ts';
import type { Service } from '../api/processes.ts';
import { note, type Phase } from './figures.ts';

/** Answers that are made of books, at their defaults. */
export const QUIET_QUESTIONS = ['', '/swaps', '/ticks', '/candles', '/activity', '/holders'];

/** From the beginning of one read to that of the next, at least. */
const PACE_MS = 50;

export interface QuietReads {
  readonly reads: number;
  readonly maxSeconds: number;
}

/** One read after the other, each of a token of its own. */
export async function askQuietly(
  service: Service,
  unasked: Iterator<Address>,
  { reads, maxSeconds }: QuietReads,
  phase: Phase,
): Promise<void> {
  const end = performance.now() + maxSeconds * 1_000;
  for (let done = 0; done < reads && performance.now() < end; done += 1) {
    const path = `/tokens/${unasked.next().value}${QUIET_QUESTIONS[done % QUIET_QUESTIONS.length]}`;
    const begun = performance.now();
    const answer = await fetch(service.address + path, { headers: { 'x-api-key': service.keys[0]! } });
    await answer.arrayBuffer();
    const ms = performance.now() - begun;
    note(phase, answer.status, ms);
    await sleep(Math.max(0, PACE_MS - ms));
  }
}
