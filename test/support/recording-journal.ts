import type { Journal, Oddity } from '../../src/kernel/journal.ts';

/** Keeps every note, for tests that expect some. */
export function recordingJournal(): Journal & { readonly notes: readonly Oddity[] } {
  const notes: Oddity[] = [];
  return { notes, note: (oddity) => void notes.push(oddity) };
}
