/** Layout of an instruction before a node parsed it: names are those of its `info`. */
export interface ParsedLayout {
  readonly tag: readonly number[];
  /** In the instruction's order; `a|b` is whichever there is. */
  readonly accounts: readonly string[];
  readonly fields: readonly Field[];
}

export type Field =
  | { readonly type: 'u8' | 'u64' | 'key' | 'optional key' | 'text'; readonly name: string }
  /** A name for a number, or a list of them, in `width` bytes. */
  | {
      readonly type: 'name' | 'names';
      readonly name: string;
      readonly names: readonly string[];
      readonly width: number;
    };

function u8(name: string): Field {
  return { type: 'u8', name };
}
function u64(name: string): Field {
  return { type: 'u64', name };
}
function key(name: string): Field {
  return { type: 'key', name };
}
function optionalKey(name: string): Field {
  return { type: 'optional key', name };
}
function text(name: string): Field {
  return { type: 'text', name };
}

/** The System program's tags are u32. */
function system(tag: number, accounts: readonly string[], ...fields: Field[]): ParsedLayout {
  return { tag: [tag, 0, 0, 0], accounts, fields };
}

function token(tag: number, accounts: readonly string[], ...fields: Field[]): ParsedLayout {
  return { tag: [tag], accounts, fields };
}

export const SYSTEM_LAYOUTS: Readonly<Record<string, ParsedLayout>> = {
  createAccount: system(0, ['source', 'newAccount'], u64('lamports'), u64('space'), key('owner')),
  assign: system(1, ['account'], key('owner')),
  transfer: system(2, ['source', 'destination'], u64('lamports')),
  createAccountWithSeed: system(
    3,
    ['source', 'newAccount'],
    key('base'),
    text('seed'),
    u64('lamports'),
    u64('space'),
    key('owner'),
  ),
  advanceNonce: system(4, ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority']),
  withdrawFromNonce: system(
    5,
    ['nonceAccount', 'destination', 'recentBlockhashesSysvar', 'rentSysvar', 'nonceAuthority'],
    u64('lamports'),
  ),
  allocate: system(8, ['account'], u64('space')),
  transferWithSeed: system(
    11,
    ['source', 'sourceBase', 'destination'],
    u64('lamports'),
    text('sourceSeed'),
    key('sourceOwner'),
  ),
};

const AUTHORITY_TYPES = `mintTokens freezeAccount accountOwner closeAccount transferFeeConfig withheldWithdraw closeMint
interestRate permanentDelegate confidentialTransferMint transferHookProgramId confidentialTransferFeeConfig
metadataPointer groupPointer groupMemberPointer scaledUiAmount pause`.split(/\s+/);

const EXTENSION_TYPES = `uninitialized transferFeeConfig transferFeeAmount mintCloseAuthority confidentialTransferMint
confidentialTransferAccount defaultAccountState immutableOwner memoTransfer nonTransferable interestBearingConfig
cpiGuard permanentDelegate nonTransferableAccount transferHook transferHookAccount confidentialTransferFeeConfig
confidentialTransferFeeAmount metadataPointer tokenMetadata groupPointer tokenGroup groupMemberPointer
tokenGroupMember`.split(/\s+/);

const CHECKED_AMOUNT = [u64('tokenAmount.amount'), u8('tokenAmount.decimals')];

/** SPL Token and Token-2022 share these; of the extensions only the transfer with a fee moves tokens. */
export const TOKEN_LAYOUTS: Readonly<Record<string, ParsedLayout>> = {
  initializeMint: token(
    0,
    ['mint', 'rentSysvar'],
    u8('decimals'),
    key('mintAuthority'),
    optionalKey('freezeAuthority'),
  ),
  initializeAccount: token(1, ['account', 'mint', 'owner', 'rentSysvar']),
  transfer: token(3, ['source', 'destination', 'authority'], u64('amount')),
  approve: token(4, ['source', 'delegate', 'owner'], u64('amount')),
  revoke: token(5, ['source', 'owner']),
  setAuthority: token(
    6,
    ['mint|account', 'authority'],
    { type: 'name', name: 'authorityType', names: AUTHORITY_TYPES, width: 1 },
    optionalKey('newAuthority'),
  ),
  mintTo: token(7, ['mint', 'account', 'mintAuthority'], u64('amount')),
  burn: token(8, ['account', 'mint', 'authority'], u64('amount')),
  closeAccount: token(9, ['account', 'destination', 'owner']),
  freezeAccount: token(10, ['account', 'mint', 'freezeAuthority']),
  thawAccount: token(11, ['account', 'mint', 'freezeAuthority']),
  transferChecked: token(12, ['source', 'mint', 'destination', 'authority'], ...CHECKED_AMOUNT),
  approveChecked: token(13, ['source', 'mint', 'delegate', 'owner'], ...CHECKED_AMOUNT),
  mintToChecked: token(14, ['mint', 'account', 'mintAuthority'], ...CHECKED_AMOUNT),
  burnChecked: token(15, ['account', 'mint', 'authority'], ...CHECKED_AMOUNT),
  initializeAccount2: token(16, ['account', 'mint', 'rentSysvar'], key('owner')),
  syncNative: token(17, ['account']),
  initializeAccount3: token(18, ['account', 'mint'], key('owner')),
  initializeMint2: token(20, ['mint'], u8('decimals'), key('mintAuthority'), optionalKey('freezeAuthority')),
  getAccountDataSize: token(21, ['mint'], {
    type: 'names',
    name: 'extensionTypes',
    names: EXTENSION_TYPES,
    width: 2,
  }),
  initializeImmutableOwner: token(22, ['account']),
  transferCheckedWithFee: {
    tag: [26, 1],
    accounts: ['source', 'mint', 'destination', 'authority'],
    fields: [...CHECKED_AMOUNT, u64('feeAmount.amount')],
  },
};

const ATA_ACCOUNTS = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];

/** The node does not say whether `create` had the byte 0 or nothing; both mean the same. */
export const ATA_LAYOUTS: Readonly<Record<string, ParsedLayout>> = {
  create: { tag: [], accounts: ATA_ACCOUNTS, fields: [] },
  createIdempotent: { tag: [1], accounts: ATA_ACCOUNTS, fields: [] },
};
