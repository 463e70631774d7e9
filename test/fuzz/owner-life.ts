import { createRandom, type Random } from '../../src/simulator/random.ts';
import type { WireAnswer } from './answer-reader.ts';
import type { Caller } from './caller.ts';
import type { FuzzClient } from './fuzz-client.ts';
import { OwnerKeys } from './owner-keys.ts';
import { bodyOf, rows, type Stream, toMembers, toObject, toStream } from './owner-rows.ts';
import { type PlainParts, plainRequest } from './plain-request.ts';
import type { SecretSearch } from './secret-search.ts';

/** One owner who does as it pleases with its own lists, knows what they must hold, and tries those of others. */
export interface OwnerLife {
  /** Does so many things, one after the other. */
  act(steps: number): Promise<void>;
  /** Reads everything back. */
  check(): Promise<void>;
  readonly faults: readonly string[];
  /** Changes that were made. */
  readonly changes: number;
  /** Ids of its own, which others try. */
  readonly streamIds: readonly string[];
  readonly keyIds: readonly string[];
}

export interface OwnerLifeOptions {
  readonly seed: string;
  /** By key and by session: both are the same owner. */
  readonly callers: readonly Caller[];
  readonly client: FuzzClient;
  readonly secrets: SecretSearch;
  readonly wallets: readonly string[];
  /** Streams of the other owners. */
  readonly foreignStreams: () => readonly string[];
  readonly foreignKeys: () => readonly string[];
}

/** The same for every owner, so that one who is taken for another finds something. */
const GROUP_IDS = ['alpha', 'beta', 'gamma', 'delta', 'a', '0', '-', '__proto__', 'constructor'];
const NAMES = ['Whales', 'клуб', "x'); DROP TABLE wallet_groups; --", '🚀', 'a\u0301', '<b>'];
const KINDS = ['creations', 'dev_score', 'grad', 'feed'];
const MAX_STREAMS = 3;
const MAX_FAULTS = 5;
const LIMITED_WAIT_MS = 150;
const LIMITED_TRIES = 60;

export function createOwnerLife(options: OwnerLifeOptions): OwnerLife {
  return new Life(options);
}

class Life implements OwnerLife {
  readonly faults: string[] = [];
  changes = 0;
  readonly #options: OwnerLifeOptions;
  readonly #random: Random;
  readonly #groups = new Map<string, { name: string; members: Map<string, string | undefined> }>();
  readonly #favorites = new Map<string, string | undefined>();
  readonly #streams = new Map<string, Stream>();
  readonly keys: OwnerKeys;
  #asked = 0;

  constructor(options: OwnerLifeOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    const [owner] = options.callers;
    const session = options.callers.find(({ kind }) => kind === 'session');
    if (owner === undefined || session === undefined) throw new Error('an owner without key or session');
    this.keys = new OwnerKeys(session, owner.keys.length, {
      random: this.#random,
      secrets: options.secrets,
      ask: (name, parts, caller = session) => this.#ask(name, parts, caller),
      expect: (what, answer, status) => this.#expect(what, answer, status),
      equal: (what, told, known) => this.#equal(what, told, known),
    });
  }

  get streamIds(): readonly string[] {
    return [...this.#streams.keys()];
  }

  get keyIds(): readonly string[] {
    return this.keys.ids;
  }

  async act(steps: number): Promise<void> {
    for (let step = 0; step < steps && this.faults.length < MAX_FAULTS; step += 1) {
      const does = this.#random.pick(DEEDS);
      await does(this);
    }
  }

  async check(): Promise<void> {
    await this.keys.check();
    const groups = await this.#ask('listWalletGroups', { query: 'members=1' });
    this.#equal(
      'groups',
      toObject(rows(groups).map((row) => [row.id, [row.name, toMembers(row)]])),
      toObject([...this.#groups].map(([id, { name, members }]) => [id, [name, toObject(members)]])),
    );
    const favorites = await this.#ask('listWalletFavorites', {});
    this.#equal(
      'favorites',
      toObject(rows(favorites).map((row) => [row.wallet, row.alias])),
      toObject(this.#favorites),
    );
    const streams = await this.#ask('listStreams', {});
    const told = rows(streams).map((row) => [String(row.id), toStream(row)] as const);
    this.#equal('streams', toObject(told), toObject([...this.#streams].map(([id, stream]) => [id, toStream(stream)])));
  }

  async createGroup(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const name = this.#random.pick(NAMES);
    const answer = await this.#ask('createWalletGroup', { body: { id, name } });
    if (this.#groups.has(id)) return this.#expect('a group that exists', answer, 409);
    this.#expect('a new group', answer, 200);
    this.#groups.set(id, { name, members: new Map() });
  }

  async renameGroup(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const name = this.#random.pick(NAMES);
    const answer = await this.#ask('renameWalletGroup', { params: { id }, body: { name } });
    const group = this.#groups.get(id);
    this.#expect('a new name', answer, group === undefined ? 404 : 200);
    if (group !== undefined) group.name = name;
  }

  async deleteGroup(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const answer = await this.#ask('deleteWalletGroup', { params: { id } });
    this.#expect('a group taken away', answer, this.#groups.delete(id) ? 200 : 404);
  }

  async addWallets(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const group = this.#groups.get(id);
    const wallets = Array.from({ length: this.#random.between(1, 30) }, () => this.#random.pick(this.#options.wallets));
    const answer = await this.#ask('addGroupWallets', { params: { id }, body: { wallets } });
    if (group === undefined) return this.#expect('wallets for no group', answer, 404);
    this.#expect('wallets for a group', answer, 200);
    const added = new Set(wallets.filter((wallet) => !group.members.has(wallet)));
    this.#equal('wallets added', bodyOf(answer).added, added.size);
    for (const wallet of added) group.members.set(wallet, undefined);
  }

  async noteWallet(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const wallet = this.#random.pick(this.#options.wallets);
    const note = this.#random.pick(NAMES);
    const answer = await this.#ask('addGroupWallets', { params: { id }, body: { wallet, note } });
    const group = this.#groups.get(id);
    this.#expect('a note', answer, group === undefined ? 404 : 200);
    group?.members.set(wallet, note);
  }

  async removeWallet(): Promise<void> {
    const id = this.#random.pick(GROUP_IDS);
    const group = this.#groups.get(id);
    const wallet = this.#random.pick([...(group?.members.keys() ?? []), this.#options.wallets[0] ?? '']);
    const answer = await this.#ask('removeGroupWallet', { params: { id, wallet } });
    this.#expect('a wallet taken out', answer, group === undefined ? 404 : 200);
    group?.members.delete(wallet);
  }

  async setFavorite(): Promise<void> {
    const wallet = this.#random.pick(this.#options.wallets);
    const alias = this.#random.chance(0.5) ? this.#random.pick(NAMES) : undefined;
    this.#expect('a favorite', await this.#ask('addWalletFavorite', { body: { wallet, alias } }), 200);
    this.#favorites.set(wallet, alias ?? this.#favorites.get(wallet));
  }

  async removeFavorite(): Promise<void> {
    const wallet = this.#random.pick(this.#options.wallets);
    this.#expect('no favorite', await this.#ask('removeWalletFavorite', { params: { wallet } }), 200);
    this.#favorites.delete(wallet);
  }

  async createStream(): Promise<void> {
    const name = this.#random.pick(NAMES);
    const kinds = [this.#random.pick(KINDS)];
    const answer = await this.#ask('createStream', { body: { name, kinds } });
    if (this.#streams.size >= MAX_STREAMS) return this.#expect('one stream too many', answer, 409);
    this.#expect('a stream', answer, 200);
    this.#keepStream(answer, { name, kinds, active: true });
  }

  async setStream(): Promise<void> {
    const id = this.#ownStream();
    const known = this.#streams.get(id);
    const change = { name: this.#random.pick(NAMES), active: this.#random.chance(0.5) };
    const answer = await this.#ask('updateStream', { params: { id }, body: change });
    this.#expect('a stream set', answer, known === undefined ? 404 : 200);
    if (known !== undefined) Object.assign(known, change);
  }

  async rotateStream(): Promise<void> {
    const id = this.#ownStream();
    const known = this.#streams.get(id);
    const answer = await this.#ask('rotateStream', { params: { id } });
    this.#expect('a new token', answer, known === undefined ? 404 : 200);
    if (known === undefined) return;
    if (bodyOf(answer).token === known.token) this.#blame('a rotated stream kept its token');
    this.#keepStream(answer, known);
  }

  async deleteStream(): Promise<void> {
    const id = this.#ownStream();
    const answer = await this.#ask('deleteStream', { params: { id } });
    this.#expect('a stream taken away', answer, this.#streams.delete(id) ? 200 : 404);
  }

  /** Somebody else's: not there, whatever is tried. */
  async tryForeignStream(): Promise<void> {
    const foreign = this.#options.foreignStreams();
    if (foreign.length === 0) return;
    const params = { id: this.#random.pick(foreign) };
    const tries: readonly [string, PlainParts][] = [
      ['deleteStream', { params, index: 0 }],
      ['rotateStream', { params, index: 0 }],
      ['updateStream', { params, body: { active: false }, index: 0 }],
    ];
    const [name, parts] = this.#random.pick(tries);
    this.#expect(`${name} of somebody else’s`, await this.#ask(name, parts), 404);
  }

  async tryForeignKey(): Promise<void> {
    const foreign = this.#options.foreignKeys();
    if (foreign.length > 0) await this.keys.tryForeign(this.#random.pick(foreign));
  }

  #ownStream(): string {
    return this.#random.pick([...this.#streams.keys(), '999999']);
  }

  #keepStream(answer: WireAnswer, stream: Omit<Stream, 'token'>): void {
    const { id, token } = bodyOf(answer);
    const owner = this.#options.callers[0]?.account?.id;
    this.#streams.set(String(id), { ...stream, token: String(token) });
    this.#options.secrets.add({
      name: 'stream token',
      text: String(token),
      ...(owner === undefined ? {} : { owner }),
    });
  }

  /** Asks until the rate allows it: a refusal has changed nothing. */
  async #ask(name: string, parts: Omit<PlainParts, 'index'>, asking?: Caller): Promise<WireAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      this.#asked += 1;
      const caller = asking ?? this.#random.pick(this.#options.callers);
      const answer = await this.#options.client.ask(
        plainRequest(name, caller, { ...parts, index: -this.#asked }, this.#random),
      );
      if (answer === undefined) throw new Error(`no answer to ${name} of an owner`);
      if (answer.status !== 429 || attempt === LIMITED_TRIES) return answer;
      await new Promise((resolve) => setTimeout(resolve, LIMITED_WAIT_MS));
    }
  }

  #expect(what: string, { status, body }: WireAnswer, wanted: number): void {
    if (status === wanted) this.changes += status === 200 ? 1 : 0;
    else this.#blame(`${what}: ${status}, not ${wanted}: ${body.toString('utf8', 0, 300)}`);
  }

  #equal(what: string, told: unknown, known: unknown): void {
    const [one, other] = [JSON.stringify(told), JSON.stringify(known)];
    if (one !== other)
      this.#blame(`${what}: the service says ${one.slice(0, 400)}, the owner made ${other.slice(0, 400)}`);
  }

  #blame(what: string): void {
    this.faults.push(`${this.#options.callers[0]?.name}: ${what}`);
  }
}

/** Deeds of owners; the rarer ones are in the list once. */
const DEEDS: readonly ((life: Life) => Promise<void>)[] = [
  (life) => life.createGroup(),
  (life) => life.createGroup(),
  (life) => life.renameGroup(),
  (life) => life.deleteGroup(),
  (life) => life.addWallets(),
  (life) => life.addWallets(),
  (life) => life.noteWallet(),
  (life) => life.removeWallet(),
  (life) => life.setFavorite(),
  (life) => life.removeFavorite(),
  (life) => life.createStream(),
  (life) => life.setStream(),
  (life) => life.rotateStream(),
  (life) => life.deleteStream(),
  (life) => life.tryForeignStream(),
  (life) => life.keys.create(),
  (life) => life.keys.change(),
  (life) => life.keys.rotate(),
  (life) => life.keys.revoke(),
  (life) => life.tryForeignKey(),
];
