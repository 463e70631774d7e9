import type {
  AccountKeys,
  Instruction,
  LamportList,
  LogLines,
  MessageConfig,
  TokenBalance,
  Transaction,
  TransactionError,
  TransactionVersion,
} from '../block.ts';
import { viewOf } from '../call-tree.ts';
import { hasDroppedConfig } from '../compute-budget.ts';
import { LazyAccountKeys } from '../keys/account-keys.ts';
import { decodeTransactionError, isLoadFailure } from '../transaction-error.ts';
import { readCalls } from './geyser-calls.ts';
import type { GeyserLayout } from './geyser-layout.ts';
import { GeyserLogLines, readMessageConfig, readPostBalances, readPreBalances } from './geyser-meta.ts';
import { readTokenBalances } from './geyser-token-balances.ts';

export const SIGNATURE_BYTES = 64;

/**
 * A transaction of a Yellowstone update. Each part is parsed when it is first
 * asked for, out of the bytes of the update, which stay alive as long as it does.
 * The parts that lie deeper may be malformed: reading them throws MalformedWire.
 */
export class GeyserTransaction implements Transaction {
  readonly index: number;
  readonly signatureCount: number;
  readonly signerCount: number;
  private readonly bytes: Uint8Array;
  private readonly signatureAt: number;
  private readonly layout: GeyserLayout;
  private readSignature: Uint8Array | undefined = undefined;
  private readKeys: AccountKeys | undefined = undefined;
  private readInstructions: Instruction[] | undefined = undefined;
  private readTokens: TokenBalance[] | undefined = undefined;
  private readPre: LamportList | undefined = undefined;
  private readPost: LamportList | undefined = undefined;
  private readLogs: LogLines | undefined = undefined;
  private readError: TransactionError | undefined = undefined;
  private readConfig: MessageConfig | null | undefined = undefined;
  private isConfigRead = false;

  constructor(bytes: Uint8Array, index: number, signatureAt: number, layout: GeyserLayout) {
    this.bytes = bytes;
    this.index = index;
    this.signatureAt = signatureAt;
    this.layout = layout;
    this.signatureCount = layout.signatureCount;
    this.signerCount = layout.signerCount;
  }

  /** A copy, as signatures outlive blocks: a view would keep the whole update in memory. */
  get signature(): Uint8Array {
    this.readSignature ??= this.bytes.slice(this.signatureAt, this.signatureAt + SIGNATURE_BYTES);
    return this.readSignature;
  }

  get keys(): AccountKeys {
    this.readKeys ??= LazyAccountKeys.fromBytes(this.bytes, this.layout.keyOffsets);
    return this.readKeys;
  }

  get instructions(): readonly Instruction[] {
    this.readInstructions ??= readCalls(this.bytes, this.layout);
    return this.readInstructions;
  }

  get tokenBalances(): readonly TokenBalance[] {
    this.readTokens ??= readTokenBalances(this.bytes, this.layout);
    return this.readTokens;
  }

  get preBalances(): LamportList {
    this.readPre ??= readPreBalances(this.bytes, this.layout);
    return this.readPre;
  }

  get postBalances(): LamportList {
    this.readPost ??= readPostBalances(this.bytes, this.layout);
    return this.readPost;
  }

  get logs(): LogLines {
    this.readLogs ??= new GeyserLogLines(this.bytes, this.layout);
    return this.readLogs;
  }

  get fee(): bigint {
    return BigInt(this.layout.fee);
  }

  get error(): TransactionError | null {
    const { errorFrom, errorTo } = this.layout;
    if (errorTo === 0) return null;
    this.readError ??= decodeTransactionError(viewOf(this.bytes, errorFrom, errorTo - errorFrom));
    return this.readError;
  }

  get hasInnerInstructions(): boolean {
    return this.layout.innerPresent && !isLoadFailure(this.error, this.layout.logCount);
  }

  get version(): TransactionVersion {
    if (this.config !== undefined) return 1;
    return this.layout.versioned ? 0 : 'legacy';
  }

  get config(): MessageConfig | null | undefined {
    if (!this.isConfigRead) {
      this.readConfig = this.#findConfig();
      this.isConfigRead = true;
    }
    return this.readConfig;
  }

  #findConfig(): MessageConfig | null | undefined {
    const { configFrom, configTo, versioned, hasLookups } = this.layout;
    if (configTo !== 0) return readMessageConfig(this.bytes, configFrom, configTo);
    return versioned && !hasLookups && hasDroppedConfig(this) ? null : undefined;
  }
}
