import type { TransactionError } from './block.ts';
import { MalformedWire } from './malformed-wire.ts';

/** TransactionError variants in the order of their numbers on the wire. */
const KINDS = `AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee
InvalidAccountForFee AlreadyProcessed BlockhashNotFound InstructionError CallChainTooDeep MissingSignatureForFee
InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance
AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount
WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound
InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount
WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit DuplicateInstruction InsufficientFundsForRent
MaxLoadedAccountsDataSizeExceeded InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded
ProgramExecutionTemporarilyRestricted UnbalancedTransaction`.split(/\s+/);

/** InstructionError variants, likewise. */
const INSTRUCTION_ERRORS = `GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall
InsufficientFunds IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount
UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange
ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys
AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding DuplicateAccountOutOfSync
Custom InvalidError ExecutableDataModified ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId
CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc
ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete
ProgramFailedToCompile Immutable IncorrectAuthority BorshIoError AccountNotRentExempt InvalidAccountOwner
ArithmeticOverflow UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded
MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits`.split(/\s+/);

const INSTRUCTION_ERROR = KINDS.indexOf('InstructionError');
const CUSTOM = INSTRUCTION_ERRORS.indexOf('Custom');

/**
 * An error as Yellowstone carries it: bincode, a u32 variant, for
 * InstructionError then a u8 index and a u32 variant, for Custom then a u32
 * code. A variant newer than our list reads as `Unknown(n)`.
 */
export function decodeTransactionError(bytes: Uint8Array): TransactionError {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) throw new MalformedWire('a transaction error without its variant');
  const variant = view.getUint32(0, true);
  if (variant !== INSTRUCTION_ERROR) return { ...NO_INSTRUCTION, kind: nameOf(KINDS, variant) };
  if (bytes.length < 9) throw new MalformedWire('an instruction error without its variant');
  const inner = view.getUint32(5, true);
  if (inner === CUSTOM && bytes.length < 13) throw new MalformedWire('a custom error without its code');
  return {
    kind: 'InstructionError',
    instructionIndex: bytes[4]!,
    instructionError: nameOf(INSTRUCTION_ERRORS, inner),
    customCode: inner === CUSTOM ? view.getUint32(9, true) : undefined,
  };
}

/**
 * An error as JSON-RPC carries it: `"AccountInUse"`, `{"InstructionError":[2,{"Custom":6002}]}`
 * and the like. Null and undefined stand for success.
 */
export function parseTransactionError(json: unknown): TransactionError | null {
  if (json === null || json === undefined) return null;
  if (typeof json === 'string') return { ...NO_INSTRUCTION, kind: json };
  const [kind, detail] = singleEntry(json);
  if (kind !== 'InstructionError') return { ...NO_INSTRUCTION, kind };
  if (!Array.isArray(detail) || typeof detail[0] !== 'number') throw new MalformedWire('an InstructionError');
  const [instructionIndex, inner] = detail as [number, unknown];
  if (typeof inner === 'string') return { kind, instructionIndex, instructionError: inner, customCode: undefined };
  const [instructionError, code] = singleEntry(inner);
  const isCustom = instructionError === 'Custom' && typeof code === 'number';
  return { kind, instructionIndex, instructionError, customCode: isCustom ? code : undefined };
}

/**
 * True when a transaction failed before anything of it ran, such as for a
 * program that does not exist. It is in its block for its fee alone, and nodes
 * give it empty logs and calls, or none.
 */
export function isLoadFailure(error: TransactionError | null, logCount: number): boolean {
  return error !== null && error.kind !== 'InstructionError' && logCount === 0;
}

const NO_INSTRUCTION = { instructionIndex: undefined, instructionError: undefined, customCode: undefined };

function nameOf(names: readonly string[], variant: number): string {
  return names[variant] ?? `Unknown(${variant})`;
}

function singleEntry(json: unknown): readonly [string, unknown] {
  const entry = typeof json === 'object' && json !== null ? Object.entries(json)[0] : undefined;
  if (entry === undefined) throw new MalformedWire('a transaction error');
  return entry;
}
