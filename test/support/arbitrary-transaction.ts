import fc from 'fast-check';

/** A transaction in no encoding: what readers must find again, whichever wire carried it. */
export interface ModelTransaction {
  readonly index: number;
  readonly version: 'legacy' | 0 | 1;
  readonly config: { readonly priorityFee?: bigint; readonly computeUnitLimit?: number } | undefined;
  readonly signatures: readonly Uint8Array[];
  readonly staticKeys: readonly Uint8Array[];
  readonly loadedWritable: readonly Uint8Array[];
  readonly loadedReadonly: readonly Uint8Array[];
  readonly calls: readonly ModelCall[];
  /** False when the node recorded no calls: `calls` then have none. */
  readonly callsRecorded: boolean;
  readonly fee: bigint;
  readonly error: ModelError | null;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly tokens: readonly ModelTokenBalance[];
  readonly logs: readonly string[] | undefined;
}

export interface ModelCall {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly calls: readonly ModelCall[];
}

/** `Custom` when there is a code, ProgramFailedToComplete otherwise. */
export interface ModelError {
  readonly instructionIndex: number;
  readonly customCode: number | undefined;
}

export interface ModelTokenBalance {
  readonly accountIndex: number;
  readonly mint: Uint8Array;
  readonly decimals: number;
  readonly pre: ModelTokenSide | undefined;
  readonly post: ModelTokenSide | undefined;
}

export interface ModelTokenSide {
  readonly owner: Uint8Array | undefined;
  readonly amount: bigint;
}

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
/** Fees that exist: no lamports of this chain come near 2^53 in one fee. */
const fee = fc.bigInt({ min: 0n, max: 1n << 50n });

/** Calls nest four deep, as the chain allows below a top-level instruction. */
const MAX_DEPTH = 4;

function callOf(keyCount: number, depth = 0): fc.Arbitrary<ModelCall> {
  return fc.record({
    programIndex: fc.nat({ max: keyCount - 1 }),
    accounts: fc.array(fc.nat({ max: keyCount - 1 }), { maxLength: 6 }),
    data: fc.uint8Array({ maxLength: 40 }),
    calls: depth === MAX_DEPTH ? fc.constant([]) : fc.array(callOf(keyCount, depth + 1), { maxLength: 2 }),
  });
}

const side: fc.Arbitrary<ModelTokenSide> = fc.record({ owner: fc.option(key, { nil: undefined }), amount: u64 });

function tokensOf(keyCount: number): fc.Arbitrary<ModelTokenBalance[]> {
  return fc
    .uniqueArray(
      fc.record({
        accountIndex: fc.nat({ max: keyCount - 1 }),
        mint: key,
        decimals: fc.nat({ max: 9 }),
        pre: fc.option(side, { nil: undefined }),
        post: fc.option(side, { nil: undefined }),
      }),
      { maxLength: 4, selector: (token) => token.accountIndex },
    )
    .map((tokens) => {
      // In the order in which a reader meets them: all that were there before, then new ones.
      const seen = tokens.filter((token) => token.pre !== undefined || token.post !== undefined);
      return [...seen.filter((token) => token.pre !== undefined), ...seen.filter((token) => token.pre === undefined)];
    });
}

interface Shape {
  readonly version: 'legacy' | 0 | 1;
  readonly signatures: number;
  readonly staticKeys: number;
  readonly writable: number;
  readonly readonly: number;
}

const shape: fc.Arbitrary<Shape> = fc
  .record({
    version: fc.constantFrom('legacy' as const, 0 as const, 1 as const),
    signatures: fc.integer({ min: 1, max: 3 }),
    unsigned: fc.integer({ min: 1, max: 6 }),
    writable: fc.nat({ max: 3 }),
    readonly: fc.nat({ max: 3 }),
  })
  .map(({ unsigned, ...rest }) => ({
    ...rest,
    staticKeys: rest.signatures + unsigned,
    writable: rest.version === 0 ? rest.writable : 0,
    readonly: rest.version === 0 ? rest.readonly : 0,
  }));

function keys(count: number): fc.Arbitrary<Uint8Array[]> {
  return fc.array(key, { minLength: count, maxLength: count });
}

export const modelTransaction: fc.Arbitrary<ModelTransaction> = shape.chain((of) => {
  const keyCount = of.staticKeys + of.writable + of.readonly;
  const signature = fc.uint8Array({ minLength: 64, maxLength: 64 });
  const balances = fc.array(u64, { minLength: keyCount, maxLength: keyCount });
  return fc
    .record({
      index: fc.nat({ max: 5_000 }),
      version: fc.constant(of.version),
      config: of.version === 1 ? config : fc.constant(undefined),
      signatures: fc.array(signature, { minLength: of.signatures, maxLength: of.signatures }),
      staticKeys: keys(of.staticKeys),
      loadedWritable: keys(of.writable),
      loadedReadonly: keys(of.readonly),
      // Nothing but version 1 with a config, or lookups, tells versions apart for sure: a plain v0 pays its base fee.
      calls: fc.array(callOf(keyCount), { minLength: 1, maxLength: 4 }),
      callsRecorded: fc.boolean(),
      fee: of.version === 0 ? fc.constant(5_000n * BigInt(of.signatures)) : fee,
      error: fc.option(error),
      preBalances: balances,
      postBalances: balances,
      tokens: tokensOf(keyCount),
      logs: fc.option(fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 5 }), { nil: undefined }),
    })
    .map((model) => (model.callsRecorded ? model : { ...model, calls: model.calls.map(withoutCalls) }));
});

const config = fc.record(
  { priorityFee: u64, computeUnitLimit: fc.nat({ max: 0xffff_ffff }) },
  { requiredKeys: [] },
) as fc.Arbitrary<{ priorityFee?: bigint; computeUnitLimit?: number }>;

const error: fc.Arbitrary<ModelError> = fc.record({
  instructionIndex: fc.nat({ max: 255 }),
  customCode: fc.option(fc.nat({ max: 0xffff_ffff }), { nil: undefined }),
});

function withoutCalls(call: ModelCall): ModelCall {
  return { ...call, calls: [] };
}
