import { describe, expect, it } from 'vitest';
import { createOwnOrigin, domainOf } from './own-origin.ts';

describe('own origin', () => {
  it('is what the operator says, and no other name of the machine', () => {
    const own = createOwnOrigin({ publicUrl: 'https://mintscope.example/', host: '127.0.0.1', port: () => 8080 });
    expect(own.isHttps).toBe(true);
    expect(own.isOrigin('https://mintscope.example')).toBe(true);
    expect(own.isDomain('mintscope.example')).toBe(true);
    for (const origin of ['http://localhost:8080', 'http://127.0.0.1:8080', 'https://mintscope.example:443', 'null']) {
      expect(own.isOrigin(origin)).toBe(false);
    }
    for (const domain of ['localhost:8080', 'mintscope.example:443', 'evil.example', 'MINTSCOPE.example', '']) {
      expect(own.isDomain(domain)).toBe(false);
    }
    expect(own.choose('https://evil.example')).toBe('https://mintscope.example');
  });

  it('keeps the port of a public URL that has one', () => {
    const own = createOwnOrigin({ publicUrl: 'http://localhost:9000', host: '0.0.0.0', port: () => 8080 });
    expect(own.isHttps).toBe(false);
    expect(own.isDomain('localhost:9000')).toBe(true);
    expect(own.isDomain('localhost:8080')).toBe(false);
  });

  it('is every loopback name with the port that is listened on, when nothing is said', () => {
    let port: number | undefined;
    const own = createOwnOrigin({ publicUrl: undefined, host: '127.0.0.1', port: () => port });
    expect(own.choose(undefined)).toBeUndefined();
    expect(own.isOrigin('http://localhost:8080')).toBe(false);
    port = 8080;
    for (const domain of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      expect([domain, own.isDomain(domain), own.isOrigin(`http://${domain}`)]).toEqual([domain, true, true]);
    }
    for (const domain of ['localhost', 'localhost:8081', 'evil.example:8080', '10.0.0.7:8080', '0.0.0.0:8080']) {
      expect([domain, own.isDomain(domain)]).toEqual([domain, false]);
    }
    expect(own.isOrigin('https://localhost:8080')).toBe(false);
    port = 80;
    expect(own.isDomain('localhost')).toBe(true);
    expect(own.isDomain('localhost:8080')).toBe(false);
  });

  it('writes messages for the name that the browser knows us by, if it is ours', () => {
    const at = (host: string) => createOwnOrigin({ publicUrl: undefined, host, port: () => 8080 });
    expect(at('127.0.0.1').choose('http://localhost:8080')).toBe('http://localhost:8080');
    expect(at('127.0.0.1').choose('http://evil.example:8080')).toBe('http://127.0.0.1:8080');
    expect(at('::1').choose(undefined)).toBe('http://[::1]:8080');
    expect(at('0.0.0.0').choose(undefined)).toBe('http://localhost:8080');
    expect(domainOf('http://[::1]:8080')).toBe('[::1]:8080');
  });
});
