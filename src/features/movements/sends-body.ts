import { jsonBody, knownTime } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import type { SendWindow } from './contract.ts';
import type { Sends } from './contract-shapes.ts';
import type { JudgedSends } from './judged-sends-reads.ts';
import { wholeTokens } from './movement-body.ts';
import type { HiddenSends, SendsJudgement } from './sends-rules.ts';
import type { SendsVerdict } from './verdict-rules.ts';

/** Distributors that are listed. */
const MAX_DISTRIBUTORS = 20;

const WINDOW_WORDS: Readonly<Record<SendWindow, string>> = {
  '1h': 'the last hour',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
};

export interface JudgedWindow extends Omit<JudgedSends, 'read'> {
  readonly mint: Address;
  readonly window: SendWindow;
  /** False when sends of the window may be missing: it begins before the data, or there are holes in it. */
  readonly isCovered: boolean;
  /** Unix seconds since which all sends are known, where the window is not covered; undefined while not known. */
  readonly coveredSince: number | undefined;
}

export function sendsBody(judged: JudgedWindow): Buffer {
  const { mint, window, judgement, decimals, leftOut, oldest, partial, isCovered, coveredSince } = judged;
  const { sends, senders, receivers, ambiguous, freshReceivers, relayReceivers, flagged, verdict, freshTraders } =
    judgement;
  return jsonBody({
    mint,
    window,
    sends,
    senders,
    receivers,
    ambiguous,
    fresh_receivers: freshReceivers,
    fresh_pct: percent(freshReceivers, receivers),
    fresh_trader_pct: freshTraders === undefined ? undefined : percent(freshTraders, 1),
    relay_receivers: relayReceivers,
    relay_pct: percent(relayReceivers, receivers),
    flagged,
    verdict,
    headline: verdict === undefined ? nobody(window, isCovered) : headline(judgement, verdict),
    distributors: judgement.distributors.slice(0, MAX_DISTRIBUTORS).map((each) => distributorRow(each, decimals)),
    left_out: leftOut,
    hidden: judgement.hidden && hiddenFields(judgement.hidden, decimals),
    since: knownTime(oldest),
    covered_since: knownTime(coveredSince ?? 0),
    partial: partial || !isCovered || undefined,
  } satisfies Written<Sends>);
}

function hiddenFields({ sends, receivers, tokens }: HiddenSends, decimals: number): Written<Sends['hidden']> {
  return { sends, receivers, tokens: wholeTokens(tokens, decimals) };
}

function distributorRow(
  { wallet, sends, receivers, freshReceivers, maxFanout, tokens }: SendsJudgement['distributors'][number],
  decimals: number,
): Written<Sends['distributors'][number]> {
  return {
    wallet,
    sends,
    receivers,
    fresh_receivers: freshReceivers,
    fresh_pct: percent(freshReceivers, receivers),
    max_fanout: maxFanout,
    tokens: wholeTokens(tokens, decimals),
  };
}

function nobody(window: SendWindow, isCovered: boolean): string {
  if (isCovered) return `Nobody sent the token to anybody in ${WINDOW_WORDS[window]}.`;
  return `Nobody is known to have sent the token to anybody in ${WINDOW_WORDS[window]}, of which only a part is known.`;
}

function headline({ judged, hidden }: SendsJudgement, verdict: SendsVerdict): string {
  const said = pattern(judged, verdict);
  return hidden === undefined ? said : `${said} ${hidden.sends} of the sends stood inside trades.`;
}

function pattern(
  { of, receivers, freshReceivers, relayReceivers }: SendsJudgement['judged'],
  verdict: SendsVerdict,
): string {
  const where = of === 'all' ? '' : `, ${of} trades`;
  const fresh = `${freshReceivers} of ${receivers} receivers had never bought the token`;
  switch (verdict) {
    case 'relay_chain':
      return `Passed along a chain${where}: ${relayReceivers} of ${receivers} receivers sent it on.`;
    case 'manufactured_holders':
      return `Holders made by hand${where}: ${fresh}.`;
    case 'to_existing_holders':
      return `To wallets that were in already: ${receivers - freshReceivers} of ${receivers} receivers had bought the token.`;
    case 'mixed':
      return `No one pattern: ${fresh}.`;
  }
}

/** With two decimals; of nothing none. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
