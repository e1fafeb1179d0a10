/**
 * What the wallet keeps on the disk, by the first word of each record's key; behind a point stand a chain, an account or an id. Whoever
 * looks at the sizes of records sees these words alone.
 */
export const recordKinds = [
  'settings',
  'sites',
  'tokens',
  'assets',
  'favourites',
  'recents',
  'swap',
  'calls',
  'call-id',
  'pairs',
  'vault',
  'wrap',
  'wrongPasswords',
] as const

/** What cannot be read is set aside under these. */
export const damagedKeys = ['settings.damaged', 'vault.damaged']

type RecordKind = (typeof recordKinds)[number]
export type RecordKey = RecordKind | `${RecordKind}.${string}`
