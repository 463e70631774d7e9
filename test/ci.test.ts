import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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
    const lanes = [...ci.matchAll(/^(benches_on_\w+)=\(([^)]*)\)$/gm)];
    const inCi = lanes.flatMap(([, , names = '']) => names.trim().split(/\s+/));
    expect(inCi.toSorted()).toEqual(benches.toSorted());
    for (const [, lane] of lanes) expect(ci).toContain(`lane "\${${lane}[@]}" &`);
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
