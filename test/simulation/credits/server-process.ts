import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMemoryMeter } from '../../../src/accounts/credits/credit-meter.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { buildTestApp } from '../../support/api-app.ts';
import { campaignAnswers } from './campaign-answers.ts';

/**
 * A service with nothing but accounts and the API, to be killed: real keys, real
 * credits, made-up answers. Told the database's URL, it says where it listens.
 */
const [url = ''] = process.argv.slice(2);
const app = buildTestApp({
  answers: campaignAnswers(),
  log: silentLogger,
  meter: createMemoryMeter({ credits: 1000, enforce: true }),
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: (app.server.address() as AddressInfo).port, url });

// Whoever started us is gone.
process.once('disconnect', () => process.exit(1));
await once(process, 'SIGTERM');
await app.close();
process.exit(0);
