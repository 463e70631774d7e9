/** Nothing of an answer may run, be framed, or be sniffed as another type. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** A year, which is what browsers' own lists ask for. */
const HTTPS_ONLY = 'max-age=31536000; includeSubDomains';

/**
 * Headers that tell browsers what to refuse, on every answer. Pages of other origins read answers by CORS, to which the
 * resource policy does not apply: it keeps answers to requests without CORS, and to those with the cookies of a sibling
 * of our domain, out of their process. Browsers are told to use nothing but https only when the service is reached by
 * it.
 */
export function securityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
    ...(isHttps ? { 'strict-transport-security': HTTPS_ONLY } : {}),
  };
}
