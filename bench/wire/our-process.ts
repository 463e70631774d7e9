import { systemClock } from '../../src/kernel/clock.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { confirmedBlocks } from '../../src/sources/source.ts';
import { createYellowstoneSource } from '../../src/sources/yellowstone.ts';
import { MeasuredReading } from './measured-reading.ts';
import { readBlock } from './read-block.ts';

/** The service's own source, and of every block all that facts need. */
const [url, warmUp, blocks] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: our-process <url> <warm-up blocks> <blocks>');
const reading = new MeasuredReading(Number(warmUp), Number(blocks));
const source = createYellowstoneSource({
  url,
  token: undefined,
  clock: systemClock,
  log: silentLogger,
  journal: silentJournal,
});
const controller = new AbortController();
let sum = 0;
for await (const block of confirmedBlocks(source, { fromSlot: undefined, signal: controller.signal })) {
  sum += readBlock(block);
  if (reading.read(block.transactions.length)) controller.abort();
}
if (sum === 0) throw new Error('nothing was read');
process.disconnect();
