/**
 * Link to a post on X, as the engine's regular expressions read it too: one pattern decides in the store and here. The
 * hosts are named one by one, so that none only ends or begins alike; `http:` is taken as it stands, because documents
 * have it and the site leads to the same post. Behind the number there is nothing, or what a browser sends along.
 * Links are stored as URLs, so that a host is in lower case, without a port of its own, and look-alike letters are
 * punycode.
 */
export const POST_LINK =
  '^https?://(?:www\\.|mobile\\.)?(?:x|twitter)\\.com/(?:i/web|[A-Za-z0-9_]{1,15})/status/[0-9]{1,19}(?:[/?#].*)?$';
