import { afterEach, beforeEach, vi } from 'vitest';
import { main } from '../../src/main.ts';

/** A command line as the shell would see it end. */
export interface Ending {
  readonly out: string;
  readonly err: string;
  readonly code: number | string;
}

/** Runs command lines in this process and catches what they write. Puts streams, environment and exit code back behind each test of the file. */
export function useCommandLine(): (...words: string[]) => Promise<Ending> {
  let out = '';
  let err = '';
  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      err += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });
  return async (...words) => {
    out = '';
    err = '';
    process.exitCode = undefined;
    await main(words);
    return { out, err, code: process.exitCode ?? 0 };
  };
}

/** The words of a line without quotes. */
export function wordsOf(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}
