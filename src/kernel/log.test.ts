import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createLogger } from './log.ts';

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const log = fileURLToPath(new URL('./log.ts', import.meta.url));
const SCRIPT = `
  const { createLogger } = await import(${JSON.stringify(pathToFileURL(log).href)});
  const log = createLogger('info');
  process.send('here');
  await new Promise((resolve) => process.once('message', resolve));
  for (let line = 0; line < 20_000; line += 1) log.info({ line, text: 'x'.repeat(100) }, 'still here');
  process.send('done');
  process.disconnect();
`;

/** A process that logs two megabytes onto such a stderr; gives its exit code. */
async function logOnto(stderr: 'pipe' | number): Promise<unknown> {
  const child = spawn(process.execPath, ['--import', loader, '--input-type=module', '--eval', SCRIPT], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
  const exited = once(child, 'exit');
  await Promise.race([once(child, 'message'), exited]);
  child.stderr?.destroy();
  child.send('go');
  const [code] = await exited;
  return code;
}

describe('a disk that was full and has room again', () => {
  it('gets what was kept, and every line that comes then', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-log-'));
    const path = join(folder, 'log');
    const fd = openSync(path, 'w');
    let isFull = true;
    const write = fs.writeSync.bind(fs) as (...args: unknown[]) => number;
    const writing = vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
      if (isFull && args[0] === fd) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return write(...args);
    });
    try {
      const log = createLogger('info', fd);
      for (let line = 0; line < 20_000; line += 1) log.info({ text: 'x'.repeat(100) }, 'while it is full');
      isFull = false;
      for (let line = 0; line < 10; line += 1) log.info({ line }, 'with room again');
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(1_000);
      // The first of them finds no place behind what was kept.
      expect(lines.filter((each) => each.includes('with room again')).length).toBeGreaterThanOrEqual(9);
    } finally {
      writing.mockRestore();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a log that cannot be written does not end the process', () => {
  it('into a pipe that nobody reads any more', async () => {
    expect(await logOnto('pipe')).toBe(0);
  });

  it.runIf(existsSync('/dev/full'))('onto a disk that is full', async () => {
    expect(await logOnto(openSync('/dev/full', 'w'))).toBe(0);
  });
});
