import type { FastifyInstance } from 'fastify';
import { type Accounts, createAccounts } from '../../src/accounts/accounts.ts';
import { createRateLimits } from '../../src/accounts/rate-limits.ts';
import { createOwnOrigin } from '../../src/accounts/sessions/own-origin.ts';
import type { BookLimits } from '../../src/books/book-limits.ts';
import { bindRoutes } from '../../src/bound-routes.ts';
import { createHealth } from '../../src/commands/health.ts';
import { ANNOUNCED_PRICES, createPriceBook } from '../../src/contract/price-book.ts';
import { createAnswers } from '../../src/features/index.ts';
import { createFeed } from '../../src/feed/in-process.ts';
import { buildApp } from '../../src/http/app.ts';
import { createClientAddress } from '../../src/http/client-address.ts';
import { createSocketBounds } from '../../src/http/sockets/socket-bounds.ts';
import { SOCKET_LIMITS } from '../../src/http/sockets/socket-limits.ts';
import { createIngestStats } from '../../src/ingest/report/stats.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { openPlaces } from '../../src/leaders/geoip.ts';
import { DEFAULT_GATEWAYS } from '../../src/metadata/gateways.ts';
import { SIMULATED_IMAGE_PROBE } from '../../src/metadata/image-probe.ts';
import { openMetadata } from '../../src/metadata/metadata.ts';
import { startSolPrice } from '../../src/network/sol-price.ts';
import { ROUTES } from '../../src/routes.ts';
import { simulatedCities, simulatedNetworks } from '../../src/simulator/geoip/simulated-places.ts';
import { simulatedSolUsd } from '../../src/simulator/sol-price.ts';
import { type AccountsDatabase, openAccountsDatabase } from '../../src/store/accounts-db/accounts-db.ts';
import { gateReads } from '../../src/store/reads/gated-client.ts';
import { createReadGate } from '../../src/store/reads/read-gate.ts';
import { createHandClock, type HandClock } from '../support/hand-clock.ts';
import { TEST_KEY_PLACE } from '../support/secrets-key.ts';
import { FEED_PAUSE_S, SEED, type Subjects } from './golden-chain.ts';
import { goldenCloses, goldenMints } from './golden-equities.ts';
import { goldenLeaders } from './golden-leaders.ts';
import { type GoldenStore, openGoldenStore } from './golden-store.ts';

/** The service over a seeded store and an empty accounts database, with all its own parts, at a time that stands still. */
export interface GoldenWorld {
  readonly app: FastifyInstance;
  readonly subjects: Subjects;
  readonly accounts: Accounts;
  readonly database: AccountsDatabase;
  readonly clock: HandClock;
  /** The rest of the chain comes by the feed, its older half is stored, and time passes. */
  feedMore(): Promise<void>;
  /** The next blocks of the rest come by the feed. */
  publish(blocks: number): void;
  /** The next of those that came are written into the store, which does not answer for them yet. */
  write(blocks: number): Promise<void>;
  /** The store answers for what was written. */
  commit(): void;
  /** Everything that the store answers for is gone through for what background tables tell. */
  sweep(): Promise<void>;
  /** Slots of the blocks that come by the feed, and before them that of the newest stored one. */
  readonly slots: readonly number[];
  close(): Promise<void>;
}

export const ORIGIN = 'https://mintscope.example';
/** A key of the operator's own. */
export const OPERATOR_KEY = 'a-key-of-the-operator';
/** Age of the newest block at first, seconds. */
const LAG_S = 3;
const MAX_HELD = 100;
const log = silentLogger;

export interface GoldenOptions {
  /** Blocks of the rest of the chain that are in the store before anybody asks. None when left out. */
  readonly stored?: number;
  readonly bookLimits?: BookLimits;
  /** A store for worlds that are opened one after the other, each with as many blocks as the one before or more. */
  readonly shared?: GoldenStore;
  /** Dollars per SOL, where they do not move with the time. */
  readonly solUsd?: number;
}

export async function openGoldenWorld({
  stored = 0,
  bookLimits,
  shared,
  solUsd,
}: GoldenOptions = {}): Promise<GoldenWorld> {
  const own = shared === undefined ? await openGoldenStore() : undefined;
  const store = shared ?? own!;
  const { chain, subjects, client, rest, slots } = store;
  await store.writeTo(stored);
  await store.sweep();
  const newest = chain.stored.at(-1)!;
  const clock = createHandClock((newest.time + LAG_S) * 1_000);
  const feed = createFeed({ maxHeldBatches: MAX_HELD });
  feed.commit(slots[stored]!, 0);
  let [published, committed] = [stored, stored];

  const database = await openAccountsDatabase({
    url: undefined,
    path: store.newPath('accounts.db'),
    key: TEST_KEY_PLACE,
    clock,
  });
  const source = { name: 'simulation', ask: async () => solUsd ?? simulatedSolUsd(SEED, clock.now()) };
  const solPrice = startSolPrice({ sources: [source], clock, log, journal: silentJournal });
  const stats = createIngestStats({ source: 'simulator', committedSlot: newest.slot, clock, log });
  const { health, ingestStatus } = createHealth({
    ingest: { stats: () => stats.snapshot() },
    feed,
    version: '0.0.0',
    alarms: () => stats.snapshot().alarms,
  });
  const gated = gateReads(client, createReadGate({ clock }));
  const answers = createAnswers({
    ...{ client: gated, feed, clock, log, solPrice },
    ...(bookLimits === undefined ? {} : { bookLimits }),
    ingest: ingestStatus,
    leaders: goldenLeaders(newest.slot),
    equityMints: goldenMints(newest.time),
    closingPrices: goldenCloses(newest.time),
    places: openPlaces({ city: simulatedCities(), network: simulatedNetworks() }, () => {}),
    holderSnapshots: {
      find: ({ mint }) =>
        mint === subjects.unseen
          ? {
              slot: newest.slot,
              readAt: newest.time * 1_000,
              balances: chain.simulator.world.bank.holdings(mint),
            }
          : undefined,
    },
  });
  answers.warm();
  // Until windows stand lists are the store's.
  await answers.market.open();
  const metadata = openMetadata({
    ...{ client: gated, feed, clock, log },
    gateways: DEFAULT_GATEWAYS,
    learnt: () => {},
    outside: { documents: undefined, images: SIMULATED_IMAGE_PROBE },
  });
  const ownOrigin = createOwnOrigin({ publicUrl: ORIGIN, host: '127.0.0.1', port: () => undefined });
  const accounts = await createAccounts(
    { devKey: OPERATOR_KEY, enforce: true, plansFile: undefined },
    { accounts: database, ownOrigin, clock, log },
  );
  const clientAddress = createClientAddress(0);
  const prices = createPriceBook({ routes: ROUTES, announced: ANNOUNCED_PRICES, now: () => clock.now() });
  const app = buildApp({
    ...accounts,
    routes: bindRoutes({ ...accounts, answers, metadata: metadata.answers, health, prices, log }),
    ...{ documented: ROUTES, prices, indexedSlot: answers.indexedSlot, ownOrigin, clientAddress, clock, log },
    limits: createRateLimits({ clock }),
    sockets: createSocketBounds({ limits: { ...SOCKET_LIMITS, maxPerAddress: 0 }, clientAddress, clock, log }),
    dataLagMs: () => clock.now() - newest.time * 1_000,
  });
  const publish = (blocks: number): void => {
    for (const batch of rest.slice(published, published + blocks)) feed.publish(batch);
    published += blocks;
  };
  const write = (blocks: number): Promise<void> => store.writeTo(store.written + blocks);
  const commit = (): void => {
    feed.commit(slots[store.written]!, store.written - committed);
    committed = store.written;
  };
  return {
    ...{ app, subjects, accounts, database, clock },
    async feedMore() {
      clock.freeze(FEED_PAUSE_S * 1_000);
      const half = Math.floor(rest.length / 2);
      publish(rest.length);
      await write(half);
      commit();
      await store.sweep();
    },
    ...{ publish, write, commit, slots },
    sweep: store.sweep,
    async close() {
      await app.close();
      await accounts.close();
      await metadata.stop();
      answers.close();
      await solPrice.stop();
      await database.close();
      await own?.close();
    },
  };
}
