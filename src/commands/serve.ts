import type { AddressInfo } from 'node:net';
import { createAccounts } from '../accounts/accounts.ts';
import { addCreditMetrics } from '../accounts/credits/credit-metrics.ts';
import { createRateLimits } from '../accounts/rate-limits.ts';
import { createOwnOrigin } from '../accounts/sessions/own-origin.ts';
import { bookLimits } from '../books/book-limits.ts';
import { addBookMetrics } from '../books/book-metrics.ts';
import { bindRoutes } from '../bound-routes.ts';
import type { Config } from '../config.ts';
import { ANNOUNCED_PRICES, createPriceBook } from '../contract/price-book.ts';
import { createAnswers } from '../features/index.ts';
import { addFeedMetrics } from '../feed/feed-metrics.ts';
import { createFeed } from '../feed/in-process.ts';
import { buildApp } from '../http/app.ts';
import { createClientAddress } from '../http/client-address.ts';
import { everyLoopback } from '../http/sockets/every-loopback.ts';
import { createSocketBounds } from '../http/sockets/socket-bounds.ts';
import { addSocketMetrics } from '../http/sockets/socket-metrics.ts';
import { createHolderSnapshots } from '../hydration/holder-snapshots.ts';
import { MAX_UNCOMMITTED_BATCHES } from '../ingest/live/pipeline.ts';
import { addIngestMetrics } from '../ingest/report/ingest-metrics.ts';
import { startIngestThread } from '../ingest/thread.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createLogger, type Logger } from '../kernel/log.ts';
import { createShutdown } from '../kernel/shutdown.ts';
import { addLeaderMetrics } from '../leaders/leader-metrics.ts';
import { createSlotEconomics } from '../leaders/slot-economics.ts';
import { slotEconomics } from '../leaders/slot-economics-reads.ts';
import { addMarketMetrics } from '../market/market-metrics.ts';
import { addMetadataMetrics } from '../metadata/metadata-metrics.ts';
import { ROUTES } from '../routes.ts';
import { isOfChain } from '../store/clickhouse/chain-record.ts';
import { openStore } from '../store/clickhouse/store.ts';
import { readByteSize } from '../store/clickhouse/write/disk-guard.ts';
import { gateReads } from '../store/reads/gated-client.ts';
import { createReadGate } from '../store/reads/read-gate.ts';
import { addReadMetrics } from '../store/reads/read-metrics.ts';
import { startBackground } from './background.ts';
import { createChainRpc, holdToStore } from './chain-rpc.ts';
import { closeApi } from './close-api.ts';
import { type Command, readWords } from './command.ts';
import { openEquities } from './equities.ts';
import { addEquityMetrics } from './equity-metrics.ts';
import { factRules } from './fact-rules.ts';
import { createHealth } from './health.ts';
import { openLeaders } from './leaders.ts';
import { openAccounts } from './open-accounts.ts';
import { createParts } from './parts.ts';
import { openPatiently } from './patient-start.ts';
import { openPlacesOf } from './places.ts';
import { createReadiness } from './readiness.ts';
import { socketLimits } from './socket-limits.ts';
import { openSolPrice } from './sol-price.ts';
import { sourceOptions } from './source-options.ts';
import { chainOfSource, settingChain } from './store-chain.ts';
import { tellOfStoreBefore } from './store-folder.ts';
import { storeOptions } from './store-options.ts';
import { startTokenMetadata } from './token-metadata.ts';
import { readVersion } from './version.ts';

const usage = `usage: mintscope serve

Runs ingest, store and API until SIGINT or SIGTERM. Prints one line of JSON on stdout when it is ready; logs go to stderr.
`;

/** An orderly stop takes less than five seconds, the embedded server's included, and something is left for a busy machine. */
const STOP_TIMEOUT_MS = 4_500;

export const serve: Command = { usage, run };

/** Runs the service until SIGINT or SIGTERM, or until ingest or the store breaks for good. */
async function run(config: Config, words: readonly string[]): Promise<void> {
  readWords(words, {});
  const clock = systemClock;
  const log = createLogger(config.logLevel);
  const shutdown = createShutdown();
  const stop = (code: number) => endProcess(shutdown.stop(STOP_TIMEOUT_MS), log, code);
  // Not once: a Ctrl-C reaches us from the terminal and again through npm, and the second must not cut the stop short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  try {
    await start(config, { clock, log, shutdown, fail: () => void stop(1) });
  } catch (error) {
    // Asked to stop while it was starting: what breaks then is no fault.
    if (shutdown.signal.aborted) return;
    await shutdown.stop(STOP_TIMEOUT_MS);
    throw error;
  }
}

interface Surroundings {
  readonly clock: Clock;
  readonly log: Logger;
  readonly shutdown: ReturnType<typeof createShutdown>;
  /** Ends the service because it cannot go on. */
  readonly fail: () => void;
}

/** Each part is stopped in the reverse of the order in which it is started here. */
async function start(config: Config, { clock, log, shutdown, fail }: Surroundings): Promise<void> {
  const { dataDir, ...storeConfig } = storeOptions(config);
  // Before anything is started: a file that cannot be read is said at once.
  const places = await openPlacesOf(config, log);
  tellOfStoreBefore(config, log);
  const chain = await chainOfSource(config, { clock, log, signal: shutdown.signal });
  const store = await openPatiently({ clock, log, signal: shutdown.signal }, () =>
    openStore({ ...storeConfig, dataDir, chain, log, clock }),
  );
  const parts = createParts(shutdown);
  parts.open({ name: 'store', stop: () => store.close() });
  const database = await openAccounts(config, { clock, log, mayMakeKey: true });
  parts.open({ name: 'accounts database', stop: () => database.close() });
  // Before anything is read: without the right key there is no service, and nothing to stop.
  await database.secrets();

  const feed = createFeed({ maxHeldBatches: MAX_UNCOMMITTED_BATCHES });
  const ingest = await startIngestThread({
    worker: {
      source: sourceOptions(config),
      store: {
        connection: store.connection,
        dataDir,
        lease: store.lease,
        minFreeBytes: readByteSize(config.minFreeDisk),
      },
      rpcUrl: config.solanaRpcUrl,
      unsettled: chain === undefined ? { setting: settingChain(config), place: store.place } : undefined,
      rules: factRules(config),
      logLevel: config.logLevel,
    },
    feed,
    clock,
    log,
  });
  const startedBehind = feed.committedSlot;
  parts.open({
    name: 'ingest',
    addMetrics: (metrics) => addIngestMetrics(metrics, ingest.stats),
    alarms: () => ingest.stats().alarms,
    stop: () => ingest.stop(),
  });
  parts.open({ name: 'feed', addMetrics: (metrics) => addFeedMetrics(metrics, feed) });
  ingest.finished.catch((error: unknown) => {
    log.error({ err: String(error) }, 'ingest broke; the service stops');
    fail();
  });
  store.lost.addEventListener('abort', () => {
    log.error({ err: String(store.lost.reason) }, 'the store is lost; the service stops');
    fail();
  });

  const { health, ingestStatus, dataLagMs } = createHealth({
    ingest,
    feed,
    version: readVersion(),
    alarms: parts.alarms,
  });
  const solPrice = openSolPrice(config, { client: store.client, clock, log });
  parts.open({ name: 'sol price', stop: () => solPrice?.stop() });
  const node = createChainRpc(config, { clock, log });
  const isSettled = node === undefined || chain?.blockhashAt !== undefined;
  const rpc = isSettled
    ? node
    : holdToStore(node, config, (id) => isOfChain(store.client, id), { clock, log, signal: shutdown.signal });
  const holderSnapshots = rpc === undefined ? undefined : createHolderSnapshots({ rpc, clock, log });
  parts.open({ name: 'holder snapshots', stop: () => holderSnapshots?.stop() });
  const gate = createReadGate({ clock });
  parts.open({ name: 'reads', addMetrics: (metrics) => addReadMetrics(metrics, () => gate.figures) });
  const gated = gateReads(store.client, gate);
  const leaders = openLeaders(config, { client: gated, rpc, feed, clock, log });
  parts.open({ name: 'leaders', alarms: () => leaders.alarms(), stop: () => leaders.stop() });
  const economics = createSlotEconomics({ read: (from, to) => slotEconomics(gated, from, to), feed, clock, log });
  parts.open({
    name: 'slot economics',
    addMetrics: (metrics) => addLeaderMetrics(metrics, leaders, () => economics.unknownSlots),
    stop: () => economics.close(),
  });
  const equities = openEquities(config, { client: store.client, rpc, feed, clock, log });
  parts.open({
    name: 'equities',
    addMetrics: (metrics) => addEquityMetrics(metrics, equities),
    alarms: () => equities.alarms(),
    stop: () => equities.stop(),
  });
  const answers = createAnswers({
    client: gated,
    feed,
    clock,
    log,
    ingest: ingestStatus,
    solPrice,
    holderSnapshots,
    leaders,
    economics,
    places,
    equityMints: equities.mints,
    closingPrices: equities.closes,
    bookLimits: bookLimits(readByteSize(config.bookMemory)),
  });
  parts.open({
    name: 'answers',
    addMetrics: (metrics) => {
      addBookMetrics(metrics, answers.memory);
      addMarketMetrics(metrics, answers.market);
    },
    stop: () => answers.close(),
  });
  answers.warm();
  const background = startBackground(config, {
    ...{ client: store.client, fence: store.fence, rpc, feed, clock, log },
    isWarm: () => answers.market.windows !== undefined,
  });
  parts.open({ name: 'background', stop: () => background.stop() });
  const metadata = startTokenMetadata(config, { client: gated, feed, clock, log, startedBehind });
  parts.open({
    name: 'metadata',
    addMetrics: (metrics) => addMetadataMetrics(metrics, () => metadata.figures),
    stop: () => metadata.stop(),
  });
  let port: number | undefined;
  const ownOrigin = createOwnOrigin({ publicUrl: config.publicUrl, host: config.host, port: () => port });
  // Started behind what takes long to stop, so that it is stopped before: what calls cost is written down while there is time.
  const accounts = await createAccounts(config, { accounts: database, ownOrigin, clock, log });
  parts.open({
    name: 'accounts',
    addMetrics: (metrics) => addCreditMetrics(metrics, accounts.meter),
    alarms: () => accounts.meter.alarms(),
    stop: () => accounts.close(),
  });
  const clientAddress = createClientAddress(config.trustedHops);
  const sockets = createSocketBounds({ limits: socketLimits(config), clientAddress, clock, log });
  parts.open({
    name: 'sockets',
    addMetrics: (metrics) => addSocketMetrics(metrics, sockets),
    alarms: () => sockets.alarms(),
  });
  const prices = createPriceBook({ routes: ROUTES, announced: ANNOUNCED_PRICES, now: () => clock.now() });
  const unready = createReadiness({
    ...{ ingest, feed, maxLagMs: config.readyLag * 1_000 },
    isWarm: () => answers.market.windows !== undefined,
  });
  const app = buildApp({
    ...accounts,
    routes: bindRoutes({ ...accounts, answers, metadata: metadata.answers, health, prices, log }),
    documented: ROUTES,
    prices,
    indexedSlot: answers.indexedSlot,
    limits: createRateLimits({ clock }),
    sockets,
    ownOrigin,
    clientAddress,
    clock,
    log,
    metrics: parts.metrics(),
    metricsToken: config.metricsToken,
    probes: { health, unready },
    dataLagMs,
  });
  const listenOnOthers = everyLoopback(app);
  await app.listen({ host: config.host, port: config.port });
  if (config.host === 'localhost') await listenOnOthers();
  parts.open({ name: 'api', stop: () => closeApi(app, clock) });

  ({ port } = app.server.address() as AddressInfo);
  const created = config.devKey === undefined ? await accounts.createFirstKey() : undefined;
  if (config.source === 'simulator') {
    log.info(
      {},
      'the data is simulated; to read a real node set MINTSCOPE_SOURCE=yellowstone with YELLOWSTONE_URL, or rpc with SOLANA_RPC_URL',
    );
  }
  announce(config.host, port, created);
}

/** The one line on stdout: for whoever started us, person or program. */
function announce(host: string, port: number, key: string | undefined): void {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const line = {
    ready: true,
    api: `http://${authority}/api`,
    ws: `ws://${authority}/ws`,
    docs: `http://${authority}/docs`,
    ...(key === undefined ? {} : { key }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function endProcess(stopped: Promise<readonly string[]>, log: Logger, code: number): Promise<void> {
  const late = await stopped;
  if (late.length > 0)
    log.warn({ parts: late }, 'some parts did not stop in time; the store carries on from its outbox');
  process.exit(code);
}
