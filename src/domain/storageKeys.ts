/**
 * First words of record keys; a chain, account or id may follow. Record sizes are shown by these words only.
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
  'incoming',
  'pairs',
  'snapshots',
  'vault',
  'wrap',
  'wrongPasswords',
] as const

/** Keys for unreadable records. */
export const damagedKeys = ['settings.damaged', 'vault.damaged']

type RecordKind = (typeof recordKinds)[number]
export type RecordKey = RecordKind | `${RecordKind}.${string}`
