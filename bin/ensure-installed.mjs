#!/usr/bin/env node
// Installs the dependencies when a clean clone has none, or when the lock file has moved on.
// Uses nothing but Node itself: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MINIMUM_NODE = [20, 19];
const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {{ development: boolean }} options whether the tools for tests are needed too */
export function ensureInstalled({ development }) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1])) {
    console.error(`mintscope needs Node ${MINIMUM_NODE.join('.')} or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  if (isInstalled(development)) return;
  console.error('mintscope: installing dependencies (once; about a minute)…');
  // Starting the service must not take the tools away from somebody who works on it.
  const withTools = development || hasTools();
  const args = ['ci', '--no-fund', '--no-audit', withTools ? '--include=dev' : '--omit=dev'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // npm's own chatter goes to stderr: stdout belongs to the ready line.
  const result = spawnSync(npm, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    console.error('mintscope: npm ci failed; see above.');
    process.exit(result.status ?? 1);
  }
}

/** By versions, not by file times: a copy or a checkout stamps files in any order. */
function isInstalled(development) {
  const installed = readPackages('node_modules/.package-lock.json');
  const isThere = ([path, { version }]) => installed[path]?.version === version;
  // Packages for some platforms only may be missing, and those that nothing needs are.
  const isNeeded = ([path, { dev, optional, devOptional, extraneous }]) =>
    path !== '' && !optional && !extraneous && (development || !(dev || devOptional));
  return Object.entries(readPackages('package-lock.json')).filter(isNeeded).every(isThere);
}

function readPackages(file) {
  if (!existsSync(`${root}${file}`)) return {};
  return JSON.parse(readFileSync(`${root}${file}`, 'utf8')).packages;
}

function hasTools() {
  return existsSync(`${root}node_modules/vitest/package.json`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled({ development: true });
