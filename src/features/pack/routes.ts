import { ApiError } from '../../contract/errors.ts';
import type { PriceBook } from '../../contract/price-book.ts';
import { absentValues, type RouteContract } from '../../contract/route.ts';
import { type Answer, type BoundRoute, bind, type Call, type ShapedAnswer } from '../../handlers/bind.ts';
import type { Logger } from '../../kernel/log.ts';
import type { PackAnswers, PartOutcome } from './answers.ts';
import { getPack, PACK_PARTS, type PackPart, type PartError } from './contract.ts';

/** Answer of one endpoint about a mint, with default parameters. */
type DefaultRead = (mint: string, call: Call) => Answer;
type Outcomes = ReadonlyMap<PackPart, PartOutcome<Buffer | ShapedAnswer>>;

export interface PackDependencies {
  readonly answers: PackAnswers;
  /** The routes whose answers a pack holds. */
  readonly bound: readonly BoundRoute[];
  readonly prices: PriceBook;
  /** Whatever was thrown as an error of the catalogue. */
  readonly toApiError: (fault: Error) => ApiError;
  readonly log: Logger;
}

/** The pack: made of the very functions that answer its parts' endpoints, among the routes bound so far. */
export function packRoutes(dependencies: PackDependencies): readonly BoundRoute[] {
  const { answers, bound } = dependencies;
  const reads = getPack.query.parts.absent.map((part) => [part, defaultRead(bound, PACK_PARTS[part])] as const);
  return [
    bind(getPack, async ({ mint }, { parts }, call) => {
      const asked = reads.filter(([part]) => parts.includes(part));
      const outcomes = await answers.together(new Map(asked.map(([part, read]) => [part, () => read(mint, call)])));
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

/** Undefined when nothing is known of the mint. */
function packAnswer(mint: string, outcomes: Outcomes, dependencies: PackDependencies): ShapedAnswer | undefined {
  const bodies: Buffer[] = [];
  const errors: Record<string, PartError> = {};
  const faults: ApiError[] = [];
  const came: PackPart[] = [];
  let isAbsent = false;
  for (const [part, outcome] of outcomes) {
    const body = 'answer' in outcome ? bodyOf(outcome.answer) : undefined;
    if (body !== undefined) {
      bodies.push(Buffer.from(`${came.length === 0 ? '' : ','}"${part}":`), body);
      came.push(part);
      continue;
    }
    isAbsent ||= !('fault' in outcome);
    const fault = faultOf(part, outcome, dependencies);
    faults.push(fault);
    errors[part] = partError(fault);
  }
  const ok = came.length;
  if (ok === 0 && isAbsent) return undefined;
  if (ok === 0) throw noPart(faults, errors);
  const cost = dependencies.prices.priceOf(getPack).compute({ parts: came });
  const head = `{"mint":"${mint}","ok":${ok},"failed":${outcomes.size - ok},"cost":${cost},"parts":{`;
  return {
    body: Buffer.concat([Buffer.from(head), ...bodies, Buffer.from(`},"errors":${JSON.stringify(errors)}}`)]),
    cost,
  };
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

function bodyOf(answer: Buffer | ShapedAnswer | undefined): Buffer | undefined {
  return answer === undefined || answer instanceof Uint8Array ? answer : answer.body;
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
