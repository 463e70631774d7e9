import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The compiled service in a process of its own, every byte of whose output is kept. */
export interface FuzzedService {
  readonly port: number;
  /** Its output so far, on stdout and stderr. */
  readonly output: () => Buffer;
  /** Resident memory now, MiB; undefined where the system does not tell. */
  readonly residentMiB: () => number | undefined;
  /** Undefined while it runs. */
  readonly exitCode: () => number | null | undefined;
  /** In order. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;
const LOOK_AGAIN_MS = 50;

export async function startFuzzedService(settings: Readonly<Record<string, string>>): Promise<FuzzedService> {
  const child = spawn(process.execPath, ['bin/mintscope.mjs', 'serve'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, MINTSCOPE_PORT: '0', MINTSCOPE_SOL_PRICE: 'on', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => written.push(bytes));
  let code: number | null | undefined;
  const exited = once(child, 'exit').then(() => {
    code = child.exitCode;
    return child.exitCode;
  });
  const output = () => Buffer.concat(written);
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const line = output()
      .toString()
      .split('\n')
      .find((text) => text.startsWith('{"ready":true'));
    if (line !== undefined) {
      const { api } = JSON.parse(line) as { readonly api: string };
      return {
        port: Number(new URL(api).port),
        output,
        residentMiB: () => residentMiB(child.pid),
        exitCode: () => code,
        async stop() {
          const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
          child.kill('SIGTERM');
          return exited.finally(() => clearTimeout(timer));
        },
      };
    }
    if (code !== undefined || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the service did not start:\n${output().toString().slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function residentMiB(pid: number | undefined): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
  } catch {
    return undefined;
  }
}
