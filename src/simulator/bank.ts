import type { Address } from '../chain/address.ts';
import { WSOL_MINT } from '../chain/address.ts';

/** Raw units of one mint, held for an owner. */
export interface TokenAccount {
  readonly address: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
}

export interface Mint {
  readonly address: Address;
  readonly decimals: number;
  /** Owner of the mint and of its token accounts: SPL Token or Token-2022. */
  readonly tokenProgram: Address;
  readonly supply: bigint;
}

export type BankFault = 'insufficient_lamports' | 'insufficient_tokens' | 'account_missing' | 'account_exists';

/** A refusal of the bank; the simulated program that asked turns it into its own error code. */
export class BankError extends Error {
  readonly fault: BankFault;
  constructor(fault: BankFault, address: Address) {
    super(`${fault}: ${address}`);
    this.fault = fault;
  }
}

/**
 * All balances of the simulated chain, with undo. Lamports are never made or
 * lost after `endow`: the total of accounts, burnt fees and forgotten accounts stays.
 */
export class Bank {
  readonly #lamports = new Map<Address, bigint>();
  readonly #tokens = new Map<Address, TokenAccount>();
  readonly #mints = new Map<Address, Mint>();
  #undo: (() => void)[] | undefined;
  #endowed = 0n;
  #burnt = 0n;
  #forgotten = 0n;

  /** Lamports that ever came into being, burnt ones and those of forgotten accounts. */
  get totals(): {
    readonly endowed: bigint;
    readonly burnt: bigint;
    readonly forgotten: bigint;
    readonly held: bigint;
  } {
    let held = 0n;
    for (const lamports of this.#lamports.values()) held += lamports;
    return { endowed: this.#endowed, burnt: this.#burnt, forgotten: this.#forgotten, held };
  }

  get accountCount(): number {
    return this.#lamports.size;
  }

  /** Everything until `commit` or `rollback` is one transaction. */
  begin(): void {
    this.#undo = [];
  }

  commit(): void {
    this.#undo = undefined;
  }

  rollback(): void {
    const undo = this.#undo ?? [];
    this.#undo = undefined;
    for (let at = undo.length - 1; at >= 0; at--) undo[at]!();
  }

  /** Registers how to take back a change of state that lives elsewhere (a curve's reserves, say). */
  onRollback(undo: () => void): void {
    this.#undo?.push(undo);
  }

  lamports(address: Address): bigint {
    return this.#lamports.get(address) ?? 0n;
  }

  tokenAccount(address: Address): TokenAccount | undefined {
    return this.#tokens.get(address);
  }

  mint(address: Address): Mint {
    const mint = this.#mints.get(address);
    if (mint === undefined) throw new BankError('account_missing', address);
    return mint;
  }

  findMint(address: Address): Mint | undefined {
    return this.#mints.get(address);
  }

  /** Tokens of all accounts of a mint. For conservation checks: it reads every account. */
  heldTokens(mint: Address): bigint {
    let held = 0n;
    for (const account of this.#tokens.values()) if (account.mint === mint) held += account.amount;
    return held;
  }

  /** Raw units of a mint by owner, over all accounts of each. For checks against the truth: it reads every account. */
  holdings(mint: Address): ReadonlyMap<Address, bigint> {
    const held = new Map<Address, bigint>();
    for (const account of this.#tokens.values()) {
      if (account.mint === mint && account.amount > 0n) {
        held.set(account.owner, (held.get(account.owner) ?? 0n) + account.amount);
      }
    }
    return held;
  }

  /** Lamports from outside the simulated world. */
  endow(address: Address, lamports: bigint): void {
    this.#endowed += lamports;
    this.#setLamports(address, this.lamports(address) + lamports);
  }

  burnLamports(address: Address, lamports: bigint): void {
    this.#takeLamports(address, lamports);
    this.#burnt += lamports;
    this.onRollback(() => {
      this.#burnt -= lamports;
    });
  }

  moveLamports(from: Address, to: Address, lamports: bigint): void {
    this.#takeLamports(from, lamports);
    this.#setLamports(to, this.lamports(to) + lamports);
  }

  createMint(mint: Mint): void {
    if (this.#mints.has(mint.address)) throw new BankError('account_exists', mint.address);
    this.#setMint(mint.address, mint);
  }

  openTokenAccount(address: Address, mint: Address, owner: Address): void {
    if (this.#tokens.has(address)) throw new BankError('account_exists', address);
    this.#setToken(address, { address, mint, owner, amount: 0n });
  }

  closeTokenAccount(address: Address, lamportsTo: Address): void {
    const account = this.#token(address);
    if (account.amount > 0n && account.mint !== WSOL_MINT) throw new BankError('insufficient_tokens', address);
    this.#setToken(address, undefined);
    this.moveLamports(address, lamportsTo, this.lamports(address));
  }

  /** Wrapped SOL is backed by the account's own lamports, so those move along. */
  moveTokens(from: Address, to: Address, amount: bigint): void {
    const source = this.#token(from);
    if (source.amount < amount) throw new BankError('insufficient_tokens', from);
    this.#setToken(from, { ...source, amount: source.amount - amount });
    const target = this.#token(to);
    this.#setToken(to, { ...target, amount: target.amount + amount });
    if (source.mint === WSOL_MINT) this.moveLamports(from, to, amount);
  }

  /** Counts lamports that arrived in a wrapped-SOL account beyond `rent` as tokens. */
  syncNative(address: Address, rent: bigint): void {
    const account = this.#token(address);
    this.#setToken(address, { ...account, amount: this.lamports(address) - rent });
  }

  mintTokens(to: Address, amount: bigint): void {
    const account = this.#token(to);
    const mint = this.mint(account.mint);
    this.#setMint(mint.address, { ...mint, supply: mint.supply + amount });
    this.#setToken(to, { ...account, amount: account.amount + amount });
  }

  burnTokens(from: Address, amount: bigint): void {
    const account = this.#token(from);
    if (account.amount < amount) throw new BankError('insufficient_tokens', from);
    const mint = this.mint(account.mint);
    this.#setMint(mint.address, { ...mint, supply: mint.supply - amount });
    this.#setToken(from, { ...account, amount: account.amount - amount });
  }

  /** Drops accounts nobody will use again, so that an endless chain stays bounded. Never inside a transaction. */
  forget(addresses: Iterable<Address>): void {
    for (const address of addresses) {
      this.#forgotten += this.lamports(address);
      this.#lamports.delete(address);
      this.#tokens.delete(address);
      this.#mints.delete(address);
    }
  }

  /** Drops a mint and every account of it. Reads all token accounts: for rare occasions. */
  forgetMint(mint: Address): void {
    const accounts = [mint];
    for (const account of this.#tokens.values()) if (account.mint === mint) accounts.push(account.address);
    this.forget(accounts);
  }

  #token(address: Address): TokenAccount {
    const account = this.#tokens.get(address);
    if (account === undefined) throw new BankError('account_missing', address);
    return account;
  }

  #takeLamports(from: Address, lamports: bigint): void {
    const held = this.lamports(from);
    if (held < lamports) throw new BankError('insufficient_lamports', from);
    this.#setLamports(from, held - lamports);
  }

  #setLamports(address: Address, lamports: bigint): void {
    this.#set(this.#lamports, address, lamports === 0n ? undefined : lamports);
  }

  #setToken(address: Address, account: TokenAccount | undefined): void {
    this.#set(this.#tokens, address, account);
  }

  #setMint(address: Address, mint: Mint): void {
    this.#set(this.#mints, address, mint);
  }

  #set<V>(map: Map<Address, V>, address: Address, value: V | undefined): void {
    if (this.#undo !== undefined) {
      const before = map.get(address);
      this.#undo.push(() => (before === undefined ? map.delete(address) : map.set(address, before)));
    }
    if (value === undefined) map.delete(address);
    else map.set(address, value);
  }
}
