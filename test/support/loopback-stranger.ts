import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const SCRIPT = readFileSync(new URL('./loopback-stranger.mjs', import.meta.url), 'utf8');
/** Somebody who owns nothing, on every system that we know. */
const NOBODY = 65_534;

/** True when a stranger can be another user: only root may start one. Otherwise it is us, who know no secret either. */
export const STRANGER_IS_NOBODY = process.getuid?.() === 0;

const OTHERS_MAY_ENTER = 0o001;

/** True when anybody on this machine may run the Node that runs this. */
function isForAnybody(): boolean {
  let folder = dirname(process.execPath);
  while (folder !== dirname(folder) && statSync(folder).mode & OTHERS_MAY_ENTER) folder = dirname(folder);
  return folder === dirname(folder);
}

/** A process of somebody else on this machine, at the engine's port. */
function startStranger(deed: 'doors' | 'hang-ups' | 'press' | 'squat', port: number, count = 0): ChildProcess {
  const argv = ['--input-type=module', '--eval', SCRIPT, deed, String(port), String(count)];
  const options = { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'inherit'] } satisfies SpawnOptions;
  if (!STRANGER_IS_NOBODY) return spawn(process.execPath, argv, options);
  const as = { ...options, uid: NOBODY, gid: NOBODY };
  if (isForAnybody()) return spawn(process.execPath, argv, as);
  // A Node of ours alone is lent to the stranger, and taken back as soon as it runs.
  const lent = mkdtempSync(join(tmpdir(), 'mintscope-node-'));
  try {
    chmodSync(lent, 0o755);
    copyFileSync(process.execPath, join(lent, 'node'));
    chmodSync(join(lent, 'node'), 0o755);
    return spawn(join(lent, 'node'), argv, as);
  } finally {
    rmSync(lent, { recursive: true });
  }
}

async function outcome(child: ChildProcess): Promise<unknown> {
  const [said] = await Promise.all([text(child.stdout!), once(child, 'exit')]);
  return JSON.parse(said.trim().split('\n').at(-1) ?? '');
}

/** Raw answers to what a stranger may think of, by what it is. */
export interface DoorAnswers {
  readonly http: Readonly<Record<string, string>>;
  /** Answers to bytes that are no HTTP. */
  readonly others: Readonly<Record<string, string>>;
}

export async function tryDoors(port: number): Promise<DoorAnswers> {
  return (await outcome(startStranger('doors', port))) as DoorAnswers;
}

/** Opens that many connections, sends something or half of it, and hangs up. What is refused meanwhile is tried again. */
export async function hangUp(
  port: number,
  count: number,
): Promise<{ readonly done: number; readonly refused: number }> {
  return (await outcome(startStranger('hang-ups', port, count))) as { done: number; refused: number };
}

/** Sends what is no HTTP without a pause, until it is stopped. */
export async function startPressing(port: number): Promise<{ stop(): Promise<{ readonly done: number }> }> {
  const child = startStranger('press', port);
  const said = outcome(child);
  await once(child.stdout!, 'data');
  return {
    stop() {
      child.stdin?.end();
      return said as Promise<{ done: number }>;
    },
  };
}

/** A shut door says that there is nothing here, whoever asks: nothing of the engine's state, no leave for browsers. */
export function isShut(answer: string): boolean {
  return (
    /^HTTP\/1\.[01] (400|404|405|501) /.test(answer) && !/^(access-control-|x-clickhouse-|set-cookie)/im.test(answer)
  );
}

/** True for an answer that bytes other than HTTP may get: nothing, or the end of the engine. */
export function isSilence(answer: string): boolean {
  return answer === '' || answer === '(ECONNRESET)';
}

export interface Squatter {
  /** Ends it. How often it tried to listen on the port, and how often it could. */
  stop(): Promise<{ readonly tries: number; readonly taken: number }>;
}

/** Tries to listen on the port without a pause. Resolves once it does. */
export async function startSquatter(port: number): Promise<Squatter> {
  const child = startStranger('squat', port);
  const said = outcome(child);
  await once(child.stdout!, 'data');
  return {
    stop() {
      child.stdin?.end();
      return said as Promise<{ tries: number; taken: number }>;
    },
  };
}
