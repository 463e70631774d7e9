import type { Random } from '../../src/simulator/random.ts';
import type { WireAnswer } from './answer-reader.ts';
import type { Caller } from './caller.ts';
import type { PlainParts } from './plain-request.ts';
import type { SecretSearch } from './secret-search.ts';

/** Tools that ask and judge for an owner's keys. */
export interface OwnerTools {
  readonly random: Random;
  readonly secrets: SecretSearch;
  /** In a session of the owner, or as the caller that is named. */
  ask(name: string, parts: Omit<PlainParts, 'index'>, caller?: Caller): Promise<WireAnswer>;
  expect(what: string, answer: WireAnswer, status: number): void;
  equal(what: string, told: unknown, known: unknown): void;
}

interface OwnKey {
  name: string;
  active: boolean;
  text: string;
}

type Row = Readonly<Record<string, unknown>>;

const MAX_KEYS = 10;
/** `ms_live_` and four more characters. */
const SHOWN = 12;
const NOBODYS_KEY = '999999';

/** Makes keys, turns them off and on, gives them new texts and takes them away, and knows what each of them may. */
export class OwnerKeys {
  readonly #tools: OwnerTools;
  readonly #owner: Caller;
  /** Those that were there before; nobody touches them. */
  readonly #others: number;
  readonly #keys = new Map<string, OwnKey>();

  constructor(owner: Caller, others: number, tools: OwnerTools) {
    this.#owner = owner;
    this.#others = others;
    this.#tools = tools;
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  async create(): Promise<void> {
    const { ask, expect, random } = this.#tools;
    const name = `key ${random.below(1_000)}`;
    const answer = await ask('createKey', { body: { name } });
    if (this.#keys.size + this.#others >= MAX_KEYS) return expect('one key too many', answer, 409);
    expect('a key', answer, 200);
    await this.#keep(answer, { name, active: true });
  }

  async change(): Promise<void> {
    const { ask, expect, random } = this.#tools;
    const id = this.#pick();
    const key = this.#keys.get(id);
    const change = { name: `key ${random.below(1_000)}`, active: random.chance(0.6) };
    expect('a key changed', await ask('changeKey', { params: { id }, body: change }), key === undefined ? 404 : 200);
    if (key === undefined) return;
    Object.assign(key, change);
    await this.#try(key.text, key.active ? 200 : 403);
  }

  async rotate(): Promise<void> {
    const { ask, expect } = this.#tools;
    const id = this.#pick();
    const key = this.#keys.get(id);
    const answer = await ask('rotateKey', { params: { id } });
    expect('a new text', answer, key === undefined ? 404 : 200);
    if (key === undefined) return;
    await this.#try(key.text, 403);
    await this.#keep(answer, key);
  }

  async revoke(): Promise<void> {
    const { ask, expect } = this.#tools;
    const id = this.#pick();
    const key = this.#keys.get(id);
    expect('a key taken away', await ask('revokeKey', { params: { id } }), key === undefined ? 404 : 200);
    this.#keys.delete(id);
    if (key !== undefined) await this.#try(key.text, 403);
  }

  /** Somebody else's: not there, whatever is tried. */
  async tryForeign(id: string): Promise<void> {
    const { ask, expect, random } = this.#tools;
    const name = random.pick(['changeKey', 'rotateKey', 'revokeKey']);
    const body = name === 'changeKey' ? { body: { active: false } } : {};
    expect(`${name} of somebody else’s`, await ask(name, { params: { id }, ...body }), 404);
  }

  async check(): Promise<void> {
    const { ask, equal } = this.#tools;
    const { data } = bodyOf(await ask('listKeys', {})) as { readonly data: readonly Row[] };
    const told = data.filter(({ state, id }) => state !== 'revoked' && this.#keys.has(String(id)));
    const live = data.filter(({ state }) => state !== 'revoked').length;
    equal('number of keys', live, this.#keys.size + this.#others);
    equal('keys', told.map(({ id, name, state }) => [String(id), name, state === 'active']).sort(byId), this.#sorted());
  }

  #sorted(): readonly unknown[][] {
    return [...this.#keys].map(([id, { name, active }]) => [id, name, active]).sort(byId);
  }

  #pick(): string {
    return this.#tools.random.pick([...this.#keys.keys(), NOBODYS_KEY]);
  }

  async #keep(answer: WireAnswer, { name, active }: Omit<OwnKey, 'text'>): Promise<void> {
    const { id, key } = bodyOf(answer);
    const text = String(key);
    const owner = this.#owner.account?.id;
    this.#tools.secrets.add({ name: 'new key', text, shown: SHOWN, ...(owner === undefined ? {} : { owner }) });
    this.#keys.set(String(id), { name, active, text });
    await this.#try(text, active ? 200 : 403);
  }

  /** Tries the text at once: the process that answers made the change, and knows it. */
  async #try(text: string, status: number): Promise<void> {
    const { ask, expect } = this.#tools;
    const caller: Caller = {
      ...this.#owner,
      kind: status === 200 ? 'owner-key' : 'lost-key',
      keys: [{ id: 0, text, state: 'active' }],
      cookie: undefined,
      headers: [],
    };
    expect('what a key opens', await ask('getAccount', {}, caller), status);
  }
}

function bodyOf({ body }: WireAnswer): Row {
  return JSON.parse(body.toString()) as Row;
}

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return Number(one) - Number(other);
}
