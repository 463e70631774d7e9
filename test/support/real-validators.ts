import { fixturePath, fixtureText } from './fixtures.ts';

/** A validator of an epoch on mainnet, as public lists tell of it. */
export interface RealValidator {
  readonly identity: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** Lamports. */
  readonly stake: number;
  readonly commission: number;
  readonly delinquent: boolean;
  readonly city: string | undefined;
  /** ISO code. */
  readonly country: string | undefined;
  /** Name of its autonomous system. */
  readonly network: string | undefined;
  readonly lat: number | undefined;
  readonly lon: number | undefined;
  /** As another list says; undefined where that list lacks it. */
  readonly isJito: boolean | undefined;
  /** City as that list names it, with the area of its timezone before it. */
  readonly otherCity: string | undefined;
}

export const hasRealValidators = fixturePath('validators/geolocation.csv') !== undefined;

/** ISO codes of the countries that the lists name. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ Albania: 'AL', Argentina: 'AR', Australia: 'AU', Brazil: 'BR', Bulgaria: 'BG', Canada: 'CA', Chile: 'CL' },
  ...{ Czechia: 'CZ', Finland: 'FI', France: 'FR', Germany: 'DE', 'Hong Kong S.A.R.': 'HK', Ireland: 'IE' },
  ...{ Japan: 'JP', Latvia: 'LV', Lithuania: 'LT', Luxembourg: 'LU', Mexico: 'MX', Netherlands: 'NL', Norway: 'NO' },
  ...{ Poland: 'PL', Romania: 'RO', Russia: 'RU', Singapore: 'SG', Slovakia: 'SK', 'South Africa': 'ZA' },
  ...{ 'South Korea': 'KR', Spain: 'ES', Sweden: 'SE', Switzerland: 'CH', 'United Arab Emirates': 'AE' },
  ...{ 'United Kingdom': 'GB', 'United States': 'US' },
};

interface Listed {
  readonly nodePubkey: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly activatedStake: number;
  readonly commission: number;
  readonly delinquent: boolean;
  readonly city: string | null;
  readonly country: string | null;
  readonly asnOrganization: string | null;
}

/** The validators of an epoch, those with most stake first. Throws without fixtures, and for a country that is not named above. */
export function realValidators(epoch: 991 | 992): RealValidator[] {
  const located = new Map(readCsv(fixtureText('validators/geolocation.csv')).map((row) => [row.NodePubkey, row]));
  return (JSON.parse(fixtureText(`validators/epoch-${epoch}.json.gz`)) as Listed[]).map((listed) => {
    const other = located.get(listed.nodePubkey);
    const [lat, lon] = other?.Loc?.split(' ').map(Number) ?? [];
    if (listed.country && COUNTRIES[listed.country] === undefined) throw new Error(`where is ${listed.country}?`);
    return {
      identity: listed.nodePubkey,
      name: listed.name || undefined,
      version: listed.version || undefined,
      stake: listed.activatedStake,
      commission: listed.commission,
      delinquent: listed.delinquent,
      city: listed.city || undefined,
      country: COUNTRIES[listed.country ?? ''],
      network: listed.asnOrganization || undefined,
      lat,
      lon,
      isJito: other === undefined ? undefined : other.IsJito === 'true',
      otherCity: other?.City ? `${other.Timezone?.split('/')[0]}/${other.City}` : undefined,
    };
  });
}

/** Rows of a table with a head; cells may be quoted. */
function readCsv(text: string): Readonly<Record<string, string>>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  const [head = [], ...others] = rows;
  return others.map((cells) => Object.fromEntries(head.map((name, place) => [name, cells[place] ?? ''])));
}
