import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import { entityTag } from './entity-tag.ts';
import { readQualities } from './qualities.ts';

/** Encodings that a file may go out in, best first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number] | 'identity';

/** Bytes as they go out. */
interface EncodedFile {
  readonly bytes: Buffer;
  readonly tag: string;
}

export interface DocumentationFile {
  readonly type: string;
  /** Changes with the content: part of the URL under which a file may be kept for good. */
  readonly version: string;
  /** False for what is packed already, which always goes out as it is. */
  readonly isPackable: boolean;
  encoded(encoding: Encoding): Promise<EncodedFile>;
}

/** Everything that the page loads, below its own path. A test reads the page for others. */
const ASSETS = [
  'static/swagger-ui.css',
  'static/index.css',
  'static/theme/page.css',
  'static/favicon-32x32.png',
  'static/favicon-16x16.png',
  'static/swagger-ui-bundle.js',
  'static/swagger-ui-standalone-preset.js',
  'static/swagger-initializer.js',
] as const;
/** The page by both of its names, whose links differ, and the document in both of its forms. */
const PAGES = ['', '/', '/json', '/yaml'] as const;

/** Paths below that of the page, as they are asked for. */
export const DOCUMENTATION_PATHS: readonly string[] = [...PAGES, ...ASSETS.map((asset) => `/${asset}`)];

/**
 * Brotli's levels from 6 on take three to seventy times as long for a tenth less.
 * Compressing is the thread pool's, about 0.2 s for the largest file.
 */
const BROTLI_QUALITY = 5;
const packers: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Files that the library made of the document, each when it is first asked for and then kept: about 3 MiB in all. */
export interface DocumentationFiles {
  /** One of {@link DOCUMENTATION_PATHS}. */
  file(path: string): Promise<DocumentationFile>;
  close(): Promise<void>;
}

export interface DocumentationFilesOptions {
  readonly document: object;
  /** The document as it goes out. */
  readonly json: Buffer;
  /** Path of the page. */
  readonly root: string;
}

export function createDocumentationFiles({ document, json, root }: DocumentationFilesOptions): DocumentationFiles {
  const files = remembered<string, DocumentationFile>(make);
  let opened: Promise<FastifyInstance> | undefined;

  async function render(path: string): Promise<{ readonly type: string; readonly bytes: Buffer }> {
    opened ??= openLibrary(document, root);
    const { statusCode, headers, rawPayload } = await (await opened).inject(`${root}${path}`);
    if (statusCode !== 200) throw new Error(`the documentation has no ${path}`);
    return { type: String(headers['content-type']), bytes: rawPayload };
  }

  async function make(path: string): Promise<DocumentationFile> {
    if (path === '/json') return createFile('application/json; charset=utf-8', json);
    const { type, bytes } = await render(path);
    return createFile(type, path === '' || path === '/' ? await nameVersions(bytes) : bytes);
  }

  /** Says in the links of the page which content they lead to. */
  async function nameVersions(page: Buffer): Promise<Buffer> {
    let text = page.toString();
    for (const asset of ASSETS) text = text.replace(`${asset}"`, `${asset}?v=${(await files(`/${asset}`)).version}"`);
    return Buffer.from(text);
  }

  return {
    file: files,
    async close() {
      await (await opened)?.close();
    },
  };
}

async function openLibrary(document: object, root: string): Promise<FastifyInstance> {
  const library = Fastify({ logger: false });
  // The library's type of a document is narrower than what the contract builds.
  const specification = { document: document as unknown as StaticDocumentSpec['document'] };
  await library.register(swagger, { mode: 'static', specification });
  await library.register(swaggerUi, {
    routePrefix: root,
    // One document is shown: the bar for choosing another says nothing.
    theme: { title: 'mintscope API', css: [{ filename: 'page.css', content: '.swagger-ui .topbar{display:none}' }] },
    uiConfig: { docExpansion: 'list', persistAuthorization: false, validatorUrl: null },
  });
  return library;
}

/** Remembers the value of each key, made once. A failed one is tried again. */
function remembered<K, T>(make: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const made = new Map<K, Promise<T>>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const making = make(key);
    made.set(key, making);
    making.catch(() => made.delete(key));
    return making;
  };
}

/** The encoding that a client wants most of those that there are. Without a word of it, and when it refuses all, none. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const qualities = readQualities(header);
  const others = qualities.get('*') ?? 0;
  let best: Encoding = 'identity';
  // A client that says nothing of plain bytes takes them, and would rather have fewer.
  let bestQuality = qualities.get('identity') ?? 0;
  for (const encoding of [...ENCODINGS].reverse()) {
    const quality = qualities.get(encoding) ?? others;
    if (quality === 0 || quality < bestQuality) continue;
    best = encoding;
    bestQuality = quality;
  }
  return best;
}

function createFile(type: string, bytes: Buffer): DocumentationFile {
  const isPackable = !/^image\/(?!svg)/.test(type);
  const encoded = remembered<Encoding, EncodedFile>(async (encoding) => {
    const packed = encoding === 'identity' ? bytes : await packers[encoding](bytes);
    return { bytes: packed, tag: entityTag(packed) };
  });
  return {
    type,
    version: entityTag(bytes).slice(1, -1),
    isPackable,
    encoded: (wanted) => encoded(isPackable ? wanted : 'identity'),
  };
}
