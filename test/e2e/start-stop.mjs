#!/usr/bin/env node
// Starts the service the way a user does, on an empty data folder with nothing configured but a free port, asks it for real
// answers over HTTP, and stops it. Exits 1 with a sentence when something is not as the README says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const START_TIMEOUT_MS = 180_000;
const TOKENS_TIMEOUT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Whatever is still running when the script ends is killed. */
const children = new Set();
const dataDir = mkdtempSync(join(tmpdir(), 'mintscope-e2e-'));

/** Starts `npm start` on the data folder and resolves with the parsed ready line. */
async function start() {
  const child = spawn(process.execPath, ['bin/mintscope.mjs', 'serve'], {
    cwd: root,
    env: { ...process.env, MINTSCOPE_PORT: '0', MINTSCOPE_DATA_DIR: dataDir, MINTSCOPE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const line = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  const first = await Promise.race([line, exited, timeout(START_TIMEOUT_MS, 'no ready line in time')]);
  assert.equal(typeof first, 'string', `ended before it was ready: ${JSON.stringify(first)}`);
  return { child, exited, ready: JSON.parse(first) };
}

async function stop({ child, exited }) {
  const begun = performance.now();
  child.kill('SIGTERM');
  const { code } = await Promise.race([exited, timeout(STOP_LIMIT_MS + 1_000, 'did not stop')]);
  assert.equal(code, 0, 'SIGTERM must end with exit code 0');
  assert.ok(performance.now() - begun < STOP_LIMIT_MS, `took ${Math.round(performance.now() - begun)} ms to stop`);
}

function timeout(ms, message) {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(message)), ms).unref());
}

async function getJson(url, key) {
  const response = await fetch(url, key ? { headers: { 'x-api-key': key } } : {});
  return { status: response.status, body: await response.json() };
}

async function untilTokens(ready, key, atLeast) {
  const deadline = Date.now() + TOKENS_TIMEOUT_MS;
  for (;;) {
    const { status, body } = await getJson(`${ready.api}/tokens?limit=100`, key);
    assert.equal(status, 200);
    if (body.data.length >= atLeast) return body.data;
    if (Date.now() > deadline) throw new Error(`only ${body.data.length} tokens after ${TOKENS_TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  const first = await start();
  const { ready } = first;
  assert.equal(ready.ready, true);
  assert.match(ready.key, /^ms_live_/, 'the first start creates a key and shows it');
  assert.equal((await getJson(`${ready.api}/health`)).status, 200);
  assert.equal((await getJson(`${ready.api}/tokens`)).status, 401, 'a key is required');

  const figures = await (await fetch(new URL('/metrics', ready.api))).text();
  for (const part of ['ingest', 'feed', 'books', 'metadata', 'reads', 'credits', 'http']) {
    assert.ok(figures.includes(`# TYPE mintscope_${part}_`), `/metrics tells nothing of ${part}`);
  }

  const tokens = await untilTokens(ready, ready.key, 5);
  const traded = tokens.find((token) => token.last_trade_at !== undefined) ?? tokens[0];
  for (const path of ['', '/swaps', '/candles', '/ticks', '/activity', '/holders']) {
    const answer = await getJson(`${ready.api}/tokens/${traded.mint}${path}`, ready.key);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  }

  const second = spawn(process.execPath, ['bin/mintscope.mjs', 'serve'], {
    cwd: root,
    env: { ...process.env, MINTSCOPE_PORT: '0', MINTSCOPE_DATA_DIR: dataDir, MINTSCOPE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(second);
  let complaint = '';
  second.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const code = await Promise.race([
    new Promise((resolve) => second.once('exit', resolve)),
    timeout(START_TIMEOUT_MS, 'the second instance was not refused'),
  ]);
  assert.notEqual(code, 0, 'a second instance on the same data folder is refused');
  assert.match(complaint, /data folder/i);

  await stop(first);
  const again = await start();
  assert.equal(again.ready.key, undefined, 'a later start creates no key');
  const kept = await getJson(`${again.ready.api}/tokens/${traded.mint}`, ready.key);
  assert.equal(kept.status, 200, 'what was known before the restart is known after it');
  await stop(again);
  console.log(`ok on Node ${process.versions.node}: started, answered, refused a second instance, stopped, carried on`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  const left = [...children].filter((child) => child.exitCode === null && child.signalCode === null);
  for (const child of left) child.kill('SIGKILL');
  // The embedded server ends with its parent, a moment later.
  if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 2_000));
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}
