import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const list = (folder: string, { recursive = false } = {}) =>
  readdirSync(new URL(`../${folder}`, import.meta.url), { recursive }).map(String);

const ci = read('.ci/run');
const manifest = JSON.parse(read('package.json')) as {
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};
const NOT_BENCHES = ['run.ts'];
const benches = list('bench')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !NOT_BENCHES.includes(file))
  .map((file) => file.slice(0, -'.ts'.length));
const campaigns = Object.keys(manifest.scripts).filter((name) => manifest.scripts[name]?.includes('bin/campaign.mjs'));
const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...list('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ...['performance', 'decisions'].flatMap((folder) => list(`docs/${folder}`).map((name) => `docs/${folder}/${name}`)),
];
const documented = pages.map((page) => ({ page, text: read(page) }));

describe('what CI runs', () => {
  it('has every benchmark in its short form', () => {
    expect(ci).toContain('npm run --silent bench -- "$name" --short');
    expect(ci).toMatch(/^benches\(\) \{$/m);
    const lanes = [...ci.matchAll(/^(benches_on_\w+)=\(([^)]*)\)$/gm)];
    const inCi = lanes.flatMap(([, , names = '']) => names.trim().split(/\s+/));
    expect(inCi.toSorted()).toEqual(benches.toSorted());
    for (const [, lane] of lanes)
      expect(ci).toMatch(new RegExp(`^lane \\w+ benches "\\$\\{${lane}\\[@\\]\\}" &$`, 'm'));
  });

  it('has every campaign, and every kind of one that the documentation names', () => {
    const named = documented.flatMap(({ text }) => [
      ...text.matchAll(new RegExp(`npm run (${campaigns.join('|')})(?: -- ([a-z]+))?`, 'g')),
    ]);
    expect(named.length).toBeGreaterThan(0);
    const forms = named.map(([, campaign, kind]) => (kind === undefined ? campaign : `${campaign} -- ${kind}`));
    const inCi = (form: string | undefined) => new RegExp(`npm run --silent ${form} (-- )?--\\w`).test(ci);
    expect([...new Set([...campaigns, ...forms])].filter((form) => !inCi(form))).toEqual([]);
  });

  it('has a share of the properties with more histories, and prints its seed', () => {
    expect(manifest.scripts.properties).toBe('node bin/properties.mjs');
    expect(ci).toMatch(/npm run --silent properties -- --short/);
    expect(read('bin/properties.mjs')).toMatch(/console\.log\(.*MINTSCOPE_TEST_SEED=/);
  });

  it('starts the service on every Node of .ci/node-versions, the oldest of which is the one that is required', () => {
    const versions = read('.ci/node-versions').trim().split('\n');
    expect(versions.map((version) => version.split('.')[0])).toEqual(['20', '22', '24', '26']);
    expect(manifest.engines.node).toBe(`>=${versions[0]}`);
    expect(read('bin/ensure-installed.mjs')).toContain(`[${versions[0]?.split('.').slice(0, 2).join(', ')}]`);
    expect(read('README.md')).toContain(`Node ${versions[0]?.split('.').slice(0, 2).join('.')} or newer`);
    expect(ci).toContain('.ci/with-node "$version" node test/e2e/start-stop.mjs');
    const tested = /^runtime_tests=\(([^)]*)\)$/m.exec(ci)?.[1]?.trim().split(/\s+/) ?? [];
    const files = list('src', { recursive: true }).map((file) => `src/${file}`);
    const isMissing = (path: string) => !files.some((file) => file.startsWith(path) && file.endsWith('.test.ts'));
    expect(tested.length).toBeGreaterThan(0);
    expect(tested.filter(isMissing), 'files that are gone').toEqual([]);
  });
});

describe('the lanes of CI', () => {
  it('run every function that names steps of one, and all are told of', () => {
    const [, ...groups] = ci.split(/^begin_lanes$/m);
    for (const group of groups) {
      const begun = [...group.matchAll(/^lane (\w+) .* ?&$/gm)].map(([, name]) => name);
      expect(begun.length).toBeGreaterThan(1);
      expect(/^tell_lanes "[^"]+" (.*)$/m.exec(group)?.[1]?.split(' ')).toEqual(begun);
    }
    const functions = [...ci.matchAll(/^(\w+)\(\) \{$([\s\S]*?)^\}$/gm)];
    const ofLanes = functions.flatMap(([, name, body]) => (body?.includes('in_lane ') ? [name] : []));
    const begun = [...ci.matchAll(/^lane \w+ (\w+).*&$/gm)].map(([, name]) => name);
    expect(ofLanes.length).toBeGreaterThan(0);
    expect(new Set(begun)).toEqual(new Set(ofLanes));
  });

  it('go side by side, are told of in order, and fail when they do not come to their end', () => {
    // Each of the first two ends when the other has begun.
    const script = `set -uo pipefail
      scratch=$(mktemp -d)
      . .ci/steps.sh
      meets() { touch "$scratch/$1"; until [ -e "$scratch/$2" ]; do sleep 0.01; done; echo "$1 met $2"; }
      one() { in_lane 'first: of one' meets one other; in_lane 'second of one' bash -c 'echo some Error: bad; exit 3'; }
      other() { in_lane 'of other' meets other one; }
      ends() { in_lane 'of what ends' true; exit 0; }
      is_killed() { in_lane 'of what is killed' bash -c 'kill -9 $PPID'; }
      begin_lanes
      lane one one &
      lane other other &
      tell_lanes 'those' one other
      begin_lanes
      lane ends ends &
      lane killed is_killed &
      tell_lanes 'these' ends killed missing
      rm -rf "$scratch"
      printf '%s\n' "\${told[@]}" "$passed passed, $failed failed"`;
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: ROOT, encoding: 'utf8' });
    const lines = stdout.split('\n').filter((line) => !/^ +\d+ s$/.test(line));
    const end = 'the lane did not come to its end';
    expect(lines).toEqual([
      ...['--- first: of one', 'one met other', '--- second of one', 'some Error: bad', 'FAILED: second of one'],
      ...['--- of other', 'other met one', '--- of what ends', end, 'FAILED: lane: ends'],
      ...['--- of what is killed', 'FAILED: of what is killed', end, 'FAILED: lane: killed'],
      ...[end, 'FAILED: lane: missing'],
      ...['second of one', '    some Error: bad', 'lane: ends', `    ${end}`, 'of what is killed', '    '],
      ...['lane: killed', `    ${end}`, 'lane: missing', `    ${end}`],
      ...['3 passed, 5 failed', ''],
    ]);
  });
});

describe('the documentation of benchmarks', () => {
  it('names those that there are', () => {
    const named = documented.flatMap(({ page, text }) =>
      [...text.matchAll(/npm run bench -- ([a-z]+)/g)].map(([, name]) => ({ page, name: name ?? '' })),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ name }) => !benches.includes(name))).toEqual([]);
  });

  it.each(list('docs/performance'))('has a date, a machine and a command in docs/performance/%s', (file) => {
    const [, date] = /^(\d{4}-\d{2}-\d{2})-[a-z-]+\.md$/.exec(file) ?? [];
    expect(date, 'the name begins with a date').toBeDefined();
    const text = read(`docs/performance/${file}`);
    expect(text.split('\n', 1)[0], 'the title ends with it').toMatch(new RegExp(`^# .+, ${date}$`));
    expect(text, 'the machine').toMatch(/\b(two|2) .*cores.*Node \d+\.\d+\.\d+/i);
    expect(text, 'the command, in a block of code').toMatch(/^ {4}npm run bench -- [a-z]+/m);
  });
});
