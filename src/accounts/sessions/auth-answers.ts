/** Signing in with a wallet. Throws ApiError for what is refused. */
export interface AuthAnswers {
  /**
   * Makes the message that the wallet is to sign. Written for the origin that the browser named, when it is ours. Times
   * are Unix milliseconds.
   */
  issueNonce(
    wallet: string,
    origin: string | undefined,
  ): Promise<{ readonly nonce: string; readonly message: string; readonly expiresAt: number }>;
  /** Checks the signature and opens a session; makes the account when it is the wallet's first. The message's nonce is used up, whatever comes of it. */
  verify(signed: SignedMessage, clientAddress: string): Promise<SignedIn>;
  /** Ends a session; the cookie that it returns ends in the browser what it was. */
  logOut(hash: Uint8Array): Promise<{ readonly cookie: string }>;
  /** A session without an account, for the pages of the web application; bound to the address. */
  openPageSession(clientAddress: string): { readonly cookie: string; readonly expiresAt: number };
}

export interface SignedMessage {
  readonly wallet: string;
  readonly message: string;
  /** Base58, 64 bytes. */
  readonly signature: string;
}

export interface SignedIn {
  readonly accountId: number;
  readonly created: boolean;
  /** Of a new account: its first key, shown this once. */
  readonly firstKey: string | undefined;
  /** Value of Set-Cookie. */
  readonly cookie: string;
}
