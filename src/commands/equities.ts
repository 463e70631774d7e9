import type { Config } from '../config.ts';
import { tickerOf } from '../features/equities/equity-rules.ts';
import { lastSession } from '../features/equities/market-hours-rules.ts';
import { createEquityMints, type EquityMints } from '../hydration/equity-mints.ts';
import type { Alarm } from '../kernel/alarms.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { httpClosingPrices } from '../network/closing-price-http.ts';
import {
  type ClosingPriceSource,
  type ClosingPrices,
  startClosingPrices,
  UnknownShare,
} from '../network/closing-prices.ts';
import { EQUITIES, equity } from '../programs/registry/index.ts';
import { answerMints, simulatedClose } from '../simulator/equities/issuers.ts';
import { EQUITIES as SIMULATED } from '../simulator/scenery.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { FIRST_SIMULATED_SLOT } from '../sources/simulator.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { keptCloses, keptMints } from './kept-equities.ts';

/** Behind the end of a session: until then sources tell the last price, which the closing auction may still change. */
const CLOSES_TOLD_S = 45 * 60;

type EquityConfig = Pick<Config, 'source' | 'simulatorSeed' | 'equityCloses'>;

export interface OpenEquitiesDeps {
  /** Of the store that keeps what was told last. */
  readonly client: StoreClient;
  /** Undefined when there is no node to ask. */
  readonly rpc: RpcClient | undefined;
  readonly feed: { readonly headSlot: number };
  readonly clock: Clock;
  readonly log: Logger;
}

/** What is known of shares from outside: by the node of the chain, and by whoever tells closes. Each undefined without. */
export interface Equities {
  readonly mints: EquityMints | undefined;
  readonly closes: ClosingPrices | undefined;
  alarms(): readonly Alarm[];
  /** Resolves when nothing is asked any more. */
  stop(): Promise<void>;
}

/** What is simulated is told at once: it is kept by nobody, as another seed would tell something else. */
export function openEquities(config: EquityConfig, { client, rpc, feed, clock, log }: OpenEquitiesDeps): Equities {
  const isSimulated = config.source === 'simulator';
  const node = isSimulated ? simulatedNode(config, { feed, clock }) : rpc?.patient();
  const kept = isSimulated ? undefined : keptMints(client);
  const mints = node && createEquityMints({ rpc: node, mints: EQUITIES.map(({ mint }) => mint), kept, clock, log });
  const closes = openClosingPrices(config, { client, clock, log });
  return {
    ...{ mints, closes },
    alarms: () => [...(mints?.alarms() ?? []), ...(closes?.alarms() ?? [])],
    async stop() {
      await Promise.all([mints?.stop(), closes?.stop()]);
    },
  };
}

/** A simulated chain has simulated closes, unless a source is named. */
function openClosingPrices(
  { source, simulatorSeed, equityCloses }: EquityConfig,
  { client, clock, log }: Pick<OpenEquitiesDeps, 'client' | 'clock' | 'log'>,
): ClosingPrices | undefined {
  if (equityCloses === 'off') return undefined;
  const journal: Journal = { note: (oddity) => log.warn({ oddity }, 'odd data') };
  const session = () => lastSession(Math.floor(clock.now() / 1_000) - CLOSES_TOLD_S);
  const deps = { lastSession: session, clock, log, journal };
  if (equityCloses !== undefined) {
    const tickers = new Set(EQUITIES.flatMap((listed) => tickerOf(listed) ?? []));
    const told = httpClosingPrices(equityCloses);
    const kept = keptCloses(client, told.name);
    return startClosingPrices({ ...deps, source: told, kept, tickers: [...tickers] });
  }
  if (source !== 'simulator') return undefined;
  const byTicker = new Map(SIMULATED.map((each) => [tickerOf(equity(each.mint) ?? {}) ?? each.mint, each]));
  const simulation: ClosingPriceSource = {
    name: 'simulation',
    async ask(ticker) {
      const share = byTicker.get(ticker);
      if (share === undefined) throw new UnknownShare(ticker);
      return { usd: simulatedClose(String(simulatorSeed), share, session()), date: session() };
    },
  };
  return startClosingPrices({ ...deps, source: simulation, tickers: [...byTicker.keys()] });
}

/** A node of the simulated chain that tells of the mints of its equities. */
function simulatedNode(
  { simulatorSeed }: EquityConfig,
  { feed, clock }: Pick<OpenEquitiesDeps, 'feed' | 'clock'>,
): Pick<RpcClient, 'call'> {
  return {
    async call(method, params) {
      const at = { seed: String(simulatorSeed), now: clock.now(), slot: feed.headSlot || FIRST_SIMULATED_SLOT };
      const answer = answerMints(at, method, params);
      if (answer === undefined) throw new Error(`the simulated node does not answer ${method}`);
      return answer.result;
    },
  };
}
