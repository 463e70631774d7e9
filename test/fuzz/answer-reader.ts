/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** By lower-case name; what is sent twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
  /** From the request's first byte to the answer's last. */
  readonly ms: number;
}

export interface AnswerReader {
  /** Tells whether the next answer is one to a HEAD. */
  expect(isHead: boolean): void;
  /** The answer, once its last byte is there. @throws {Error} for what is no HTTP/1.1, and for bytes behind an answer. */
  push(bytes: Buffer, ms: number): WireAnswer | undefined;
  /** The connection ended: the answer whose body goes on until then, if there is one. */
  end(ms: number): WireAnswer | undefined;
}

interface Head {
  readonly status: number;
  readonly headers: Map<string, string[]>;
  readonly bodyAt: number;
}

const HEADERS_TOO_LARGE = 431;
const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*$/;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?([\t\x20-\x7e\x80-\xff]*)$/;

/** Reads answers more strictly than clients do: whatever a proxy could read in another way is a fault. */
export function createAnswerReader(): AnswerReader {
  let received: Buffer = Buffer.alloc(0);
  let isHead = false;
  let head: Head | undefined;

  function finish(body: Buffer, end: number, ms: number): WireAnswer {
    const { status, headers } = head!;
    if (end < received.length) throw new Error(`bytes behind the answer: ${quote(received.subarray(end))}`);
    received = Buffer.alloc(0);
    head = undefined;
    return { status, headers, body, ms };
  }

  function readHead(): boolean {
    for (;;) {
      const end = received.indexOf(HEAD_END);
      if (end < 0) return false;
      const read = parseHead(received.subarray(0, end).toString('latin1'), end + HEAD_END.length);
      if (read.status >= 200) {
        head = read;
        return true;
      }
      // 100 Continue: the answer proper is still to come.
      received = received.subarray(read.bodyAt);
    }
  }

  return {
    expect(nextIsHead) {
      isHead = nextIsHead;
    },
    push(bytes, ms) {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
      if (head === undefined && !readHead()) return undefined;
      const { status, headers, bodyAt } = head!;
      // A header too long to be read hides that the request was a HEAD.
      const isBodiless = isHead && status !== HEADERS_TOO_LARGE;
      if (isBodiless || status === 204 || status === 304) return finish(Buffer.alloc(0), bodyAt, ms);
      if (headers.has('transfer-encoding')) {
        const chunks = readChunks(received, bodyAt);
        return chunks === undefined ? undefined : finish(chunks.body, chunks.end, ms);
      }
      const length = headers.get('content-length');
      if (length === undefined) return undefined;
      const end = bodyAt + Number(length[0]);
      return received.length < end ? undefined : finish(received.subarray(bodyAt, end), end, ms);
    },
    end(ms) {
      if (head === undefined || head.headers.has('content-length') || head.headers.has('transfer-encoding')) {
        return undefined;
      }
      return finish(received.subarray(head.bodyAt), received.length, ms);
    },
  };
}

function parseHead(text: string, bodyAt: number): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) throw new Error(`no status line: ${JSON.stringify(first)}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const parts = HEADER_LINE.exec(line);
    if (parts === null) throw new Error(`no header: ${JSON.stringify(line)}`);
    const name = parts[1]!.toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), parts[2]!]);
  }
  const length = headers.get('content-length');
  if (length !== undefined && (length.length > 1 || !/^\d+$/.test(length[0]!))) throw new Error('no Content-Length');
  if (length !== undefined && headers.has('transfer-encoding')) throw new Error('two lengths of one body');
  return { status: Number(status), headers, bodyAt };
}

function readChunks(bytes: Buffer, from: number): { readonly body: Buffer; readonly end: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = bytes.subarray(at, lineEnd).toString('latin1');
    if (!/^[0-9a-f]{1,8}$/i.test(size)) throw new Error(`no chunk: ${JSON.stringify(size)}`);
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (bytes.length < end + 2) return undefined;
    if (end === start) return { body: Buffer.concat(chunks), end: end + 2 };
    chunks.push(bytes.subarray(start, end));
    at = end + 2;
  }
}

function quote(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 80).toString('latin1'));
}
