import { Value } from 'typebox/value';
import type { RouteContract } from '../../src/contract/route.ts';

/** Faults of a body by its route's contract: schema errors, and fields that nobody declared. */
export function answerFaults(route: RouteContract, body: unknown): readonly string[] {
  const faults = Value.Errors(route.response, body).map(({ instancePath, message }) => `${instancePath} ${message}`);
  if (faults.length > 0) return faults;
  const declared = Value.Clean(route.response, structuredClone(body));
  return undeclared(body, declared, '');
}

function undeclared(sent: unknown, declared: unknown, path: string): string[] {
  if (typeof sent !== 'object' || sent === null) return [];
  const known = declared as Record<string, unknown>;
  return Object.entries(sent).flatMap(([key, value]) =>
    key in known ? undeclared(value, known[key], `${path}/${key}`) : [`${path}/${key} is not declared`],
  );
}
