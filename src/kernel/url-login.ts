/** An address as `fetch` takes it: it refuses one that holds a user and a password, and shows them in its refusal. */
export interface AddressWithLogin {
  readonly url: string;
  /** The user and the password as Basic authorization; empty when the address has none. */
  readonly headers: Readonly<Record<string, string>>;
}

export function takeLogin(text: string): AddressWithLogin {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, headers: {} };
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } };
}
