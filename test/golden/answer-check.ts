import type { RouteContract } from '../../src/contract/route.ts';
import { answerFaults } from '../support/answer-schema.ts';
import type { Answer } from '../support/walk/ask.ts';

/** Holds answers against what their routes declare, and knows of which routes there was none. */
export interface AnswerCheck {
  /** Faults of an answer to this method and path, behind `/api`. Refusals are held against the recording alone. */
  faults(method: string, path: string, answer: Pick<Answer, 'statusCode' | 'headers' | 'body'>): readonly string[];
  /** Names of the routes of which no answer was held against its schema. */
  missed(): readonly string[];
}

export function createAnswerCheck(routes: readonly RouteContract[]): AnswerCheck {
  const met = new Set<string>();
  return {
    faults(method, path, { statusCode, headers, body }) {
      if (statusCode !== 200 && statusCode !== 302) return [];
      if (method === 'HEAD') return [];
      const route = routeOf(routes, method, path);
      if (route === undefined) return [`${method} ${path} is answered and no route`];
      if (route.redirects !== (statusCode === 302)) return [`${method} ${path} answers ${statusCode}`];
      met.add(route.name);
      const found = answerFaults(route, route.redirects ? headers.location : JSON.parse(body));
      return found.slice(0, 3).map((fault) => `${method} ${path}: ${fault}`);
    },
    missed: () => routes.map(({ name }) => name).filter((name) => !met.has(name)),
  };
}

/** The route with this path, rather one that has it by its letters than by a parameter. */
function routeOf(routes: readonly RouteContract[], method: string, path: string): RouteContract | undefined {
  // A slash behind is as good as none.
  const asked = path.split(/\/?(?:\?|$)/, 1)[0]!.split('/');
  const parameters = (route: RouteContract) => Object.keys(route.params).length;
  return routes
    .filter((route) => {
      const parts = route.path.split('/');
      const fits = (part: string, at: number) => part.startsWith('{') || part === asked[at];
      return route.method === method && parts.length === asked.length && parts.every(fits);
    })
    .sort((a, b) => parameters(a) - parameters(b))[0];
}
