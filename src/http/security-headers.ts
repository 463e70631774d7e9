/** Nothing of an answer may run, be framed, or be sniffed as another type. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** A year, which is what browsers' own lists ask for. */
const HTTPS_ONLY = 'max-age=31536000; includeSubDomains';

/**
 * What every answer tells browsers to refuse. Pages of other origins read answers
 * by CORS, to which the resource policy does not apply: it keeps what is asked for
 * without, and with the cookies of a sibling of our domain, out of their process.
 * Only where the service is reached by https are browsers told to use nothing else.
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
