import { once } from 'node:events';
import { get } from 'node:http';
import { METRICS_TOKEN } from './outside-paths.ts';

/** Reads what the service tells of itself from an address of its own, whose limits nobody else of the run uses up. */
const LOOKS_ON = '127.0.79.1';
/** The script of the documentation: more than a megabyte where nobody asks for it packed. */
const LARGE_FILE = /src="(\/docs\/[^"]+\.js[^"]*)"/;

/** A figure by its name in `/metrics` without `mintscope_`, labels included. Throws when there is none. */
export type ServiceFigures = (name: string) => number;

/** Reads the figures of `/metrics`. Throws when it is not answered. */
export async function readServiceFigures(port: number): Promise<ServiceFigures> {
  const text = await read(port, '/metrics', { authorization: `Bearer ${METRICS_TOKEN}` });
  const lines = text.split('\n');
  return (name) => {
    const line = lines.find((each) => each.startsWith(`mintscope_${name} `));
    const figure = Number(line?.split(' ')[1] ?? Number.NaN);
    if (Number.isNaN(figure)) throw new Error(`/metrics has no mintscope_${name}`);
    return figure;
  };
}

/** The path of the largest file that everybody may ask for. Throws when the page names none. */
export async function findLargeFile(port: number): Promise<string> {
  const path = LARGE_FILE.exec(await read(port, '/docs'))?.[1];
  if (path === undefined) throw new Error('/docs names no script');
  return path;
}

async function read(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const asked = { 'accept-encoding': 'identity', ...headers };
  const request = get({ host: '127.0.0.1', port, path, localAddress: LOOKS_ON, agent: false, headers: asked });
  const [response] = await once(request, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
  return Buffer.concat(parts).toString();
}
