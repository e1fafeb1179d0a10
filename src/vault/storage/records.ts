import * as v from 'valibot'
import { type ErrorCode, WalletError } from '../../errors.ts'
import { type Bytes, fromBase64, fromHex, type Hex } from '../bytes.ts'

/** Data key, encrypted by an Argon2id key of the password (docs/security/keys.md). */
export type WrappedKey = {
  version: 1
  vaultId: Hex
  kdf: Kdf
  iv: Hex
  sealed: Hex
}

export type Kdf = { name: 'argon2id'; memoryKiB: number; passes: number; lanes: number; salt: Hex }

/** Version 1 is read (`legacyFormat.ts`), never written. */
export type VaultRecord = { version: 1 | 2; vaultId: Hex; iv: Hex; sealed: Hex }

/** Made where the password is typed. */
export type NewKey = { dataKey: string; wrap: WrappedKey }

/** Hex of a BIP-39 entropy and its seed. */
export type Secret = { entropy: Hex; seed: Hex }

/** Less helps attackers, more hangs the unlock. */
export const kdfLimits = { memoryKiB: [19_456, 262_144], passes: [2, 10], lanes: [1, 4] } as const

/** Throws `vault-damaged`. */
export function parseWrappedKey(value: unknown): WrappedKey {
  return parse(wrapShape, value, 'vault-damaged', 'The stored password lock')
}

/** Throws `vault-damaged`. */
export function parseVaultRecord(value: unknown): VaultRecord {
  return parse(vaultShape, value, 'vault-damaged', 'The stored vault')
}

/** Throws `invalid-input`. */
export function parseNewKey(value: unknown): { dataKey: Bytes; wrap: WrappedKey } {
  const { dataKey, wrap } = parse(newKeyShape, value, 'invalid-input', 'The new key')
  return { dataKey: parseDataKey(dataKey), wrap }
}

export const latestVersions = { vault: 2, 'wrap.pw': 1 } as const

export function isNewer(kind: keyof typeof latestVersions, record: unknown): boolean {
  return v.is(v.object({ version: v.pipe(v.number(), v.minValue(latestVersions[kind] + 1)) }), record)
}

/** Returns 16 to 32 bytes of entropy, then 64 of seed. Throws `invalid-input`. */
export function parseSecret(value: unknown): Bytes {
  const { entropy, seed } = parse(secretShape, value, 'invalid-input', 'The secret of a vault')
  return fromHex(`${entropy}${seed.slice(2)}`)
}

/** Returns 32 bytes. Throws `invalid-input`. */
export function parseDataKey(value: unknown): Bytes {
  if (!v.is(dataKeyShape, value)) {
    throw new WalletError('invalid-input', 'A data key is 32 bytes in base64.')
  }
  return fromBase64(value)
}

/** Encodes additional data of the ciphertext in fixed order. */
export function wrappedKeyHeader({
  version,
  vaultId,
  kdf,
}: Pick<WrappedKey, 'version' | 'vaultId' | 'kdf'>): Bytes {
  const { name, memoryKiB, passes, lanes, salt } = kdf
  return header('wrap.pw', version, vaultId, name, memoryKiB, passes, lanes, salt)
}

/** Encodes additional data of the ciphertext in fixed order. */
export function vaultHeader({ version, vaultId }: Pick<VaultRecord, 'version' | 'vaultId'>): Bytes {
  return header('vault', version, vaultId)
}

function header(...fields: (string | number)[]): Bytes {
  return new TextEncoder().encode(JSON.stringify(fields))
}

/** Never includes the value. */
function parse<T>(shape: v.GenericSchema<unknown, T>, value: unknown, code: ErrorCode, what: string): T {
  const result = v.safeParse(shape, value)
  if (result.success) return result.output
  throw new WalletError(code, `${what} is not one: ${v.getDotPath(result.issues[0]) ?? 'its fields'}.`)
}

function hex(least: number, most = least) {
  return v.custom<Hex>(
    (value) =>
      typeof value === 'string' &&
      /^0x(?:[0-9a-f]{2})*$/.test(value) &&
      value.length >= 2 + 2 * least &&
      value.length <= 2 + 2 * most,
  )
}

function within([least, most]: readonly [number, number]) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
}

const idShape = hex(16)
const ivShape = hex(12)
const tagLength = 16

const wrapShape = v.strictObject({
  version: v.literal(1),
  vaultId: idShape,
  kdf: v.strictObject({
    name: v.literal('argon2id'),
    memoryKiB: within(kdfLimits.memoryKiB),
    passes: within(kdfLimits.passes),
    lanes: within(kdfLimits.lanes),
    salt: hex(32),
  }),
  iv: ivShape,
  sealed: hex(32 + tagLength),
})

const vaultShape = v.strictObject({
  version: v.picklist([1, 2]),
  vaultId: idShape,
  iv: ivShape,
  sealed: hex(tagLength, 1_000_000),
})

/** 32 bytes. */
const dataKeyShape = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/))

/** 12, 15, 18, 21 or 24 words. */
const entropyShape = v.pipe(
  hex(16, 32),
  v.check((entropy) => (entropy.length - 2) % 8 === 0),
)
const secretShape = v.strictObject({ entropy: entropyShape, seed: hex(64) })
const newKeyShape = v.strictObject({ dataKey: dataKeyShape, wrap: wrapShape })
