import { ApiError } from '../../contract/errors.ts';
import type { PriceBook } from '../../contract/price-book.ts';
import { absentValues, type RouteContract } from '../../contract/route.ts';
import { Absence, slotOfBody, stampBody } from '../../contract/stamp.ts';
import { type Answer, type BoundRoute, bind, type Call, type ShapedAnswer } from '../../handlers/bind.ts';
import type { Logger } from '../../kernel/log.ts';
import type { PackAnswers, PartOutcome } from './answers.ts';
import { getPack, PACK_PARTS, type PackPart, type PartError } from './contract.ts';

/** Answer of one endpoint about a mint, with default parameters. */
type DefaultRead = (mint: string, call: Call) => Answer;

/** A part's bytes, and the slot that they are of. */
interface ToldPart {
  readonly body: Buffer;
  readonly slot: number;
}

type Outcomes = ReadonlyMap<PackPart, PartOutcome<ToldPart | Absence>>;

export interface PackDependencies {
  readonly answers: PackAnswers;
  /** The routes whose answers a pack holds. */
  readonly bound: readonly BoundRoute[];
  readonly prices: PriceBook;
  /** Newest slot an answer can contain. */
  readonly indexedSlot: () => number;
  /** Whatever was thrown as an error of the catalogue. */
  readonly toApiError: (fault: Error) => ApiError;
  readonly log: Logger;
}

/** The pack: made of the very functions that answer its parts' endpoints, among the routes bound so far. */
export function packRoutes(dependencies: PackDependencies): readonly BoundRoute[] {
  const { answers, bound, indexedSlot } = dependencies;
  const told = (answer: Buffer | ShapedAnswer | Absence | undefined): ToldPart | Absence | undefined => {
    if (answer instanceof Absence) return answer;
    const body = answer === undefined || answer instanceof Uint8Array ? answer : answer.body;
    return body && { body, slot: slotOfBody(body) ?? indexedSlot() };
  };
  const reads = getPack.query.parts.absent.map((part) => [part, defaultRead(bound, PACK_PARTS[part])] as const);
  return [
    bind(getPack, async ({ mint }, { parts }, call) => {
      const asked = reads.filter(([part]) => parts.includes(part));
      const outcomes = await answers.together(
        new Map(
          asked.map(([part, read]) => {
            const tell = () => {
              const answer = read(mint, call);
              return answer instanceof Promise ? answer.then(told) : told(answer);
            };
            return [part, tell] as const;
          }),
        ),
      );
      return packAnswer(mint, outcomes, dependencies);
    }),
  ];
}

function defaultRead(bound: readonly BoundRoute[], contract: RouteContract): DefaultRead {
  const route = bound.find((each) => each.contract === contract);
  if (route === undefined) throw new Error(`${contract.path} is part of the pack and not bound`);
  const query = absentValues(contract.query);
  return (mint, call) => route.read({ mint }, query, call);
}

/** An absence when nothing is known of the mint, up to the slot to which all parts that say so have looked. */
function packAnswer(
  mint: string,
  outcomes: Outcomes,
  dependencies: PackDependencies,
): ShapedAnswer | Absence | undefined {
  const came: (readonly [PackPart, ToldPart])[] = [];
  const errors: Record<string, PartError> = {};
  const faults: ApiError[] = [];
  let isAbsent = false;
  let absentTo = Number.POSITIVE_INFINITY;
  for (const [part, outcome] of outcomes) {
    const told = 'answer' in outcome ? outcome.answer : undefined;
    if (told instanceof Absence) absentTo = Math.min(absentTo, told.slot);
    else if (told !== undefined) {
      came.push([part, told]);
      continue;
    }
    isAbsent ||= !('fault' in outcome);
    const fault = faultOf(part, outcome, dependencies);
    faults.push(fault);
    errors[part] = partError(fault);
  }
  const ok = came.length;
  if (ok === 0 && isAbsent) return absentTo === Number.POSITIVE_INFINITY ? undefined : new Absence(absentTo);
  if (ok === 0) throw noPart(faults, errors);
  const cost = dependencies.prices.priceOf(getPack).compute({ parts: came.map(([part]) => part) });
  const head = `{"mint":"${mint}","ok":${ok},"failed":${outcomes.size - ok},"cost":${cost},"parts":{`;
  const slots = Object.fromEntries(came.map(([part, { slot }]) => [part, slot]));
  const body = Buffer.concat([
    Buffer.from(head),
    ...came.flatMap(([part, told], at) => [Buffer.from(`${at === 0 ? '' : ','}"${part}":`), told.body]),
    Buffer.from(`},"slots":${JSON.stringify(slots)},"errors":${JSON.stringify(errors)}}`),
  ]);
  return { body: stampBody(body, Math.min(...came.map(([, { slot }]) => slot))), cost };
}

/** A pack of which no part came is answered as its parts would be. */
function noPart(faults: readonly ApiError[], errors: Readonly<Record<string, PartError>>): ApiError {
  const context = { message: 'no part could be told', details: { errors } };
  if (faults.some(({ entry }) => entry.status === 503)) return new ApiError('storage_unavailable', context);
  if (faults.some(({ code }) => code === 'query_timeout')) return new ApiError('query_timeout', context);
  if (!faults.every(({ code }) => code === 'rate_limited')) return new ApiError('internal', context);
  return new ApiError('rate_limited', {
    ...context,
    retryAfter: Math.max(...faults.map((fault) => fault.retryAfter ?? 1)),
  });
}

function faultOf(part: PackPart, outcome: PartOutcome<unknown>, { toApiError, log }: PackDependencies): ApiError {
  if (!('fault' in outcome)) return new ApiError(PACK_PARTS[part].absent ?? 'internal');
  const { fault } = outcome;
  const error = fault instanceof Error ? toApiError(fault) : new ApiError('internal', { cause: fault });
  if (error.entry.status >= 500) log.warn({ part, code: error.code, err: error.cause }, 'a part of a pack failed');
  return error;
}

function partError({ code, message, retryAfter }: ApiError): PartError {
  return { code, message, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) };
}
