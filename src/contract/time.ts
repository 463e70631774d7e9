const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** Unix milliseconds out of RFC 3339 (with zone), Unix seconds (10 digits) or Unix milliseconds (13 digits). */
export function parseTime(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  return parseRfc3339(text);
}

/** Unix milliseconds out of an RFC 3339 time, which must name its zone. */
export function parseRfc3339(text: string): number | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
