import type { FastifySchemaCompiler } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { Fields } from '../contract/field.ts';
import type { Parameter, Parameters } from '../contract/parameter.ts';
import { compileBody } from './body.ts';

/** Parameters of the contract, which stand in the place of a JSON schema on our routes. */
export interface ParameterSet {
  readonly parameters: Parameters;
  readonly conflicts: readonly (readonly [string, string])[];
}

/** The same for a body: its fields. */
export interface FieldSet {
  readonly fields: Fields;
}

type Raw = Readonly<Record<string, unknown>>;
type Read = { value: Record<string, unknown> } | { error: ApiError };

/** Compiles what a contract says of a part of the request into the function that Fastify validates it with. */
export const compileContract: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) =>
  httpPart === 'body'
    ? compileBody((schema as FieldSet).fields)
    : compileParameters(schema as ParameterSet, httpPart === 'params');

/**
 * Compiles the parameters of a contract into the function that Fastify
 * validates with: texts go in, typed values with their defaults come out, or the
 * parameter's own error. Unknown query parameters are ignored.
 */
function compileParameters({ parameters, conflicts }: ParameterSet, inPath: boolean): (raw: Raw) => Read {
  const entries = Object.entries(parameters);
  return (raw: Raw): Read => {
    for (const [one, other] of conflicts) {
      if (isSent(raw[one]) && isSent(raw[other])) return { error: conflict(one, other) };
    }
    const value: Record<string, unknown> = {};
    for (const [name, parameter] of entries) {
      const sent = raw[name];
      const text = parameter.repeats && Array.isArray(sent) ? sent.join(',') : sent;
      const mayBeAbsent = !inPath && !parameter.required;
      const parsed = typeof text === 'string' ? parameter.parse(text) : undefined;
      if (parsed !== undefined) value[name] = parsed;
      else if (mayBeAbsent && !isSent(text)) value[name] = parameter.absent;
      else return { error: refuse(name, parameter) };
    }
    return { value };
  };
}

function isSent(text: unknown): boolean {
  return text !== undefined && text !== '';
}

function refuse(param: string, { error, expected, details }: Parameter<unknown>): ApiError {
  return new ApiError(error, { param, message: `${param} ${expected}`, ...(details === undefined ? {} : { details }) });
}

function conflict(one: string, other: string): ApiError {
  return new ApiError('conflicting_params', { param: other, message: `${one} and ${other} cannot be combined` });
}
