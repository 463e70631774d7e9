import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures } from '../run/benchmark.ts';
import { rounded } from '../run/statistics.ts';

export interface BeforeOptions {
  /** As git knows it. */
  readonly commit: string;
  readonly swaps: number;
  readonly short: boolean;
}

/**
 * The cold answers of another commit's code, measured by the bench of today on a store of its own, and what part of its
 * milliseconds ours are. Its worktree and its store stay in the temporary folder for later runs. Throws when the commit
 * is none, or when its bench fails.
 */
export function besideBefore(ours: Figures, { commit, swaps, short }: BeforeOptions): Figures {
  const before = measureBefore(commit, short ? ['--short'] : [`${swaps}`]);
  const pairs = Object.entries(ours).flatMap(([name, value]) => {
    const then = before[name];
    if (!COMPARED.test(name) || typeof value !== 'number' || typeof then !== 'number') return [];
    return [
      [name.replace(/_ms$/, '_before_ms'), then],
      [name.replace(/_ms$/, '_of_before'), rounded(value / then, 3)],
    ] as const;
  });
  if (pairs.length === 0) throw new Error(`the bench of ${commit} has no figure to compare with`);
  return Object.fromEntries(pairs);
}

const COMPARED = /^cold_[a-z]+_(p99|alone|engine_cpu)_ms$/;
const root = fileURLToPath(new URL('../..', import.meta.url));

function measureBefore(commit: string, words: readonly string[]): Figures {
  const resolved = git('rev-parse', '--verify', `${commit}^{commit}`).trim();
  const place = join(tmpdir(), `mintscope-bench-before-${resolved.slice(0, 12)}`);
  const tree = join(place, 'tree');
  if (!existsSync(join(tree, 'package.json'))) {
    mkdirSync(place, { recursive: true });
    git('worktree', 'prune');
    git('worktree', 'add', '--detach', tree, resolved);
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  }
  // The bench is today's, so that both are asked the same.
  cpSync(join(root, 'bench'), join(tree, 'bench'), { recursive: true });
  const stores = join(place, 'stores');
  mkdirSync(stores, { recursive: true });
  run(tree, ['--input-type=module', '-e', "(await import('./bin/build.mjs')).build()"], {});
  const lines = run(tree, ['--expose-gc', '--import', 'tsx', 'bench/run.ts', 'token', ...words, 'cold'], {
    TMPDIR: stores,
  });
  return JSON.parse(lines.trim().split('\n').at(-1) ?? '') as Figures;
}

function run(cwd: string, words: readonly string[], settings: Readonly<Record<string, string>>): string {
  const { status, stdout } = spawnSync(process.execPath, words, {
    cwd,
    env: { ...process.env, ...settings },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the code before ended with ${status}: ${words.join(' ')}`);
  return stdout;
}

function git(...words: readonly string[]): string {
  const { status, stdout } = spawnSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`git ${words.join(' ')} ended with ${status}`);
  return stdout;
}
