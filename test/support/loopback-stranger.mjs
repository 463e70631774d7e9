// Somebody else on this machine, who knows the engine's port and nothing more. Run with plain Node, from its text, by a
// user who may not read this file: `loopback-stranger.ts` starts it. Says what came of it in one line of JSON.
import { connect, createServer } from 'node:net';

const [deed, portText, countText] = process.argv.slice(1);
const port = Number(portText);

const GET = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Connection: close\r\n\r\n`;
const POST = (path, body, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

/** Statements that the engine's passwordless user was once answered, or should never be. */
const STATEMENTS = [
  'SELECT 1',
  'SELECT version()',
  "SELECT file('/etc/passwd')",
  "SELECT * FROM file('/etc/passwd', 'LineAsString')",
  "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
  "SELECT * FROM executable('id', 'TSV', 'a String')",
  'SELECT sleep(1)',
  'SELECT * FROM system.users',
  'SHOW DATABASES',
  'CREATE USER thief',
  'KILL QUERY WHERE 1',
  'SYSTEM STOP LISTEN HTTP',
  'SYSTEM START LISTEN TCP',
  'SYSTEM RELOAD CONFIG',
];
const PATHS = [
  ...['/', '/ping', '/play', '/dashboard', '/binary', '/merges', '/jemalloc', '/replicas_status', '/metrics', '/mcp'],
  ...[
    '/webterminal',
    '/js/uplot.js',
    '/api/v1/write',
    '/mintscope',
    '/mintscope/swaps.csv',
    '/default/',
    '//',
    '/?',
    '/.',
  ],
  ...['/%2f', '/?query=SELECT%201', '/?user=default&query=SELECT%201', '/?add_http_cors_header=1&query=SELECT%201'],
];
const guess = `Authorization: Basic ${Buffer.from('mintscope:guess').toString('base64')}\r\n`;
const HEADERS = {
  'no header': '',
  'the passwordless user': `Authorization: Basic ${Buffer.from('default:').toString('base64')}\r\n`,
  'a guess': `${guess}X-Mintscope-Access: guess\r\n`,
  'an empty header': `${guess}X-Mintscope-Access:\r\n`,
  'a header twice': 'X-Mintscope-Access: regex:.*\r\nX-Mintscope-Access: .*\r\n',
  'a page of a browser': 'Origin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n',
};

function requests() {
  const all = {};
  for (const [name, headers] of Object.entries(HEADERS)) {
    for (const path of PATHS) {
      all[`GET ${path} with ${name}`] = GET(path, headers);
      all[`POST ${path} with ${name}`] = POST(path, 'SELECT 1', headers);
    }
    for (const sql of STATEMENTS) all[`${sql} with ${name}`] = POST('/', sql, headers);
  }
  for (const method of ['OPTIONS', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'PROPFIND', 'NONSENSE']) {
    all[`${method} /`] = POST('/', 'SELECT 1').replace(/^POST/, method);
  }
  all['a preflight'] =
    'OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n' +
    'Access-Control-Request-Headers: x-mintscope-access\r\nConnection: close\r\n\r\n';
  return all;
}

/** Bytes that are no HTTP. The engine may end itself over any of them, so they come behind everything else. */
const OTHER_PROTOCOLS = {
  native: Buffer.from([0, 10, ...Buffer.from('ClickHouse'), 26, 7, 1, 0, 0, 7, ...Buffer.from('default')]),
  MySQL: Buffer.from([1, 0, 0, 0, 1]),
  Postgres: Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]),
};
/** A server that speaks another protocol is waited for so long, one that speaks HTTP until it answers. */
const PATIENCE_MS = 500;

/** The answer to some bytes until the server hangs up, or within a while. */
function send(bytes, patienceMs = 0) {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('error', (error) => {
      answer ||= `(${error.code})`;
    });
    socket.on('close', () => resolve(answer));
  });
}

async function tryDoors() {
  const http = {};
  for (const [name, bytes] of Object.entries(requests())) http[name] = await send(bytes);
  const others = {};
  for (const [name, bytes] of Object.entries(OTHER_PROTOCOLS)) {
    // The bytes before may have ended the engine, which must be there to show whether the door is shut.
    while (!(await send(GET('/'))).startsWith('HTTP/')) await new Promise((resolve) => setTimeout(resolve, 50));
    others[name] = await send(bytes, PATIENCE_MS);
  }
  return { http, others };
}

/** Requests that are begun, or sent whole, and hung up on. */
const CUT = [
  '',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Le',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nSELECT 1',
  'POST /?query=SELECT%201 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
  GET('/ping').repeat(50),
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\nSELECT',
  'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
  'OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n',
  `\x16\x03\x01${'a'.repeat(300)}`,
  `POST / HTTP/1.1\r\n${'A: b\r\n'.repeat(20_000)}`,
];
const AT_ONCE = 50;

/** Resolves with whether there was somebody to hang up on. */
function hangUpOnce(at) {
  return new Promise((resolve) => {
    let connected = false;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).on('close', () => resolve(connected));
    socket.on('connect', () => {
      connected = true;
      socket.write(CUT[at % CUT.length]);
      // By a reset, or in order, at one moment or another.
      setTimeout(() => (at % 3 === 0 ? socket.resetAndDestroy() : socket.destroy()), at % 9);
    });
  });
}

/** Hangs up so many times; what finds nobody is tried again. */
async function hangUp(count) {
  let done = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      for (let turn = at; done < count; turn += AT_ONCE) {
        if (await hangUpOnce(turn)) done += 1;
        else {
          refused += 1;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    }),
  );
  return { done, refused };
}

/** Sends what is no HTTP, again and again, until stdin ends. */
async function press() {
  let done = 0;
  let stopped = false;
  process.stdin.resume().on('end', () => {
    stopped = true;
  });
  process.stdout.write('pressing\n');
  while (!stopped) {
    await send(OTHER_PROTOCOLS.Postgres, 20);
    done += 1;
  }
  return { done };
}

/** Tries to listen on the port until stdin ends. */
async function squat() {
  let tries = 0;
  let taken = 0;
  let stopped = false;
  process.stdin.resume().on('end', () => {
    stopped = true;
  });
  while (!stopped) {
    for (const host of ['127.0.0.1', '0.0.0.0', '::']) {
      tries += 1;
      const server = createServer();
      const got = await new Promise((resolve) => {
        server.once('error', () => resolve(false)).listen(port, host, () => resolve(true));
      });
      if (got) taken += 1;
      server.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (tries === 3) process.stdout.write('trying\n');
  }
  return { tries, taken };
}

const deeds = { doors: tryDoors, 'hang-ups': () => hangUp(Number(countText)), press, squat };
// A pipe takes it in parts: whoever ended before it is told would be cut off.
process.stdout.write(`${JSON.stringify(await deeds[deed]())}\n`, () => process.exit(0));
