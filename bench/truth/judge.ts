import type { Address } from '../../src/chain/address.ts';
import type { Funding } from '../../src/facts/fact.ts';
import type { MempoolBuyers } from '../../src/features/launch/contract-shapes.ts';
import type { TokenAnswers } from './ask.ts';
import type { ChainTruth, TokenTruth } from './chain.ts';
import { type Claim, type ClaimScore, ScoreBoard, scoreOf } from './claim.ts';
import { balanceClaims } from './claims/balances.ts';
import { bundleClaims } from './claims/bundles.ts';
import { clusterClaims, firstFundings } from './claims/clusters.ts';
import { developerClaims } from './claims/developers.ts';
import { mempoolClaims } from './claims/mempool.ts';
import { raceClaims } from './claims/races.ts';
import { sendsClaims, type TradedMints, tradedMints } from './claims/sends.ts';
import { sniperClaims } from './claims/snipers.ts';

/** A claim that is not the truth, with what is needed to look into it. */
export interface Misjudged {
  readonly seed: string;
  readonly mint: string;
  readonly claim: string;
  /** Claimed and not true, true and not claimed; the first few. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  /** The beginning of the answer's part that claims it, JSON. */
  readonly answer: string;
}

/** Results of one chain. */
export interface SeedResult {
  readonly seed: string;
  readonly tokens: number;
  readonly swaps: number;
  readonly scores: readonly ClaimScore[];
  readonly misjudged: readonly Misjudged[];
}

const SHOWN_WORDS = 8;
const SHOWN_ANSWER = 1_500;

export function judge(
  chain: ChainTruth,
  answers: ReadonlyMap<Address, TokenAnswers>,
  mempool: MempoolBuyers,
): SeedResult {
  const board = new ScoreBoard();
  const misjudged: Misjudged[] = [];
  const first = firstFundings(chain.fundings);
  const traded = tradedMints(chain.tokens);
  const add = (mint: string, claims: readonly Claim[]) => {
    for (const claim of claims) {
      board.add(scored(claim));
      const fault = misjudgedOf(chain.seed, mint, claim);
      if (fault !== undefined) misjudged.push(fault);
    }
  };
  for (const token of chain.tokens) {
    add(token.mint, claimsOf(token, answers.get(token.mint)!, chain, first, traded));
  }
  add('', mempoolClaims(chain, mempool));
  const { seed, swapCount, tokens } = chain;
  return { seed, tokens: tokens.length, swaps: swapCount, scores: board.scores(), misjudged };
}

function claimsOf(
  token: TokenTruth,
  answers: TokenAnswers,
  chain: ChainTruth,
  first: ReadonlyMap<Address, Funding>,
  traded: TradedMints,
): Claim[] {
  return [
    ...sendsClaims(token, answers, traded),
    ...bundleClaims(token, answers),
    ...sniperClaims(token, answers),
    ...clusterClaims(token, answers, first),
    ...developerClaims(token, answers),
    ...raceClaims(token, answers),
    ...balanceClaims(token, answers, chain),
  ];
}

function scored({ by, claimed, naive, name, truth }: Claim): ClaimScore {
  const ours = scoreOf(claimed, truth);
  return { name, by, ours, ...(naive === undefined ? {} : { naive: scoreOf(naive, truth) }) };
}

function misjudgedOf(seed: string, mint: string, { answer, by, claimed, name, truth }: Claim): Misjudged | undefined {
  const wrong = [...claimed].filter((word) => !truth.has(word));
  const missed = [...truth].filter((word) => !claimed.has(word));
  if (wrong.length === 0 && missed.length === 0) return undefined;
  const shown = (words: string[]) => words.slice(0, SHOWN_WORDS);
  const told = (JSON.stringify(answer) ?? '').slice(0, SHOWN_ANSWER);
  return { seed, mint, claim: `${name} (${by})`, wrong: shown(wrong), missed: shown(missed), answer: told };
}
