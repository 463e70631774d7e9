import type { Address } from '../../src/chain/address.ts';
import { Absence } from '../../src/contract/stamp.ts';
import type { Answers } from '../../src/features/index.ts';
import type { Intelligence } from '../../src/features/intelligence/contract-shapes.ts';
import type { Launch, LaunchRace, MempoolBuyers } from '../../src/features/launch/contract-shapes.ts';
import type { FundingClusters, Sends } from '../../src/features/movements/contract-shapes.ts';

/** Everything that the service says about one token, as its routes say it by default. */
export interface TokenAnswers {
  readonly launch: Launch;
  readonly race: LaunchRace;
  readonly clusters: FundingClusters;
  readonly sends: Sends;
  readonly intelligence: Intelligence;
}

/** Defaults of the routes' parameters. */
export const LAUNCH_SWAPS = 150;
export const RACE_SLOTS = 30;
const MEMPOOL_DAYS = 1;
const SENDS_WINDOW = '24h';

export async function askAbout(answers: Answers, mint: Address): Promise<TokenAnswers> {
  const { launch, movements, intelligence } = answers;
  const [launchBody, race, clusters, sends, intelligenceBody] = await Promise.all([
    launch.launch(mint, LAUNCH_SWAPS),
    launch.race(mint, RACE_SLOTS),
    movements.fundingClusters(mint),
    movements.sends(mint, SENDS_WINDOW),
    intelligence.intelligence(mint),
  ]);
  return {
    launch: parsed<Launch>(launchBody, mint),
    race: parsed<LaunchRace>(race, mint),
    clusters: parsed<FundingClusters>(clusters, mint),
    sends: parsed<Sends>(sends, mint),
    intelligence: parsed<Intelligence>(intelligenceBody, mint),
  };
}

export async function askMempool({ launch }: Answers): Promise<MempoolBuyers> {
  return parsed<MempoolBuyers>(await launch.mempoolBuyers(MEMPOOL_DAYS), 'mempool buyers');
}

function parsed<T>(body: Buffer | Absence, what: string): T {
  if (body instanceof Absence) throw new Error(`${what}: nothing is known of it`);
  return JSON.parse(body.toString()) as T;
}
