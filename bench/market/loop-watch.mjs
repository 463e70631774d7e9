// Loaded into a service before its own code: notes how late the event loop of its main thread is, a line of JSON a second.
// What `/metrics` tells are percentiles of the time between two scrapes, which cannot be put together to one of a run.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 10;
const FLUSH_MS = 1_000;
const file = process.env.BENCH_LOOP_FILE;

// Children of the service inherit its options, and are not what is measured.
if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  let late = [];
  let flushedAt = performance.now();
  let due = flushedAt + EVERY_MS;
  const look = () => {
    const now = performance.now();
    late.push(Math.round(Math.max(0, now - due) * 100) / 100);
    if (now - flushedAt >= FLUSH_MS) {
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), late })}\n`);
      flushedAt = now;
      late = [];
    }
    due = performance.now() + EVERY_MS;
    setTimeout(look, EVERY_MS).unref();
  };
  setTimeout(look, EVERY_MS).unref();
}
