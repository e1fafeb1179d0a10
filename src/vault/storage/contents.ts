import * as v from 'valibot'
import type { Bytes, Hex } from '../bytes.ts'

/** Accounts are in the user's order; every secret has one, and one is visible. */
export type Contents = { secrets: VaultSecret[]; accounts: VaultAccount[] }

/**
 * `bytes`: entropy and 64-byte seed, so signing needs neither the phrase (strings cannot be wiped) nor
 * BIP-39's 2,048 rounds; or a private key.
 */
export type VaultSecret = { id: string; kind: 'seed' | 'key'; backedUp: boolean; bytes: Bytes }

/** The key is at `path` of a seed, or a secret itself; without `secret` it is watch-only. */
export type VaultAccount = {
  address: Hex
  name: string
  isHidden: boolean
  secret?: string | undefined
  path?: string | undefined
}

export type Overview = { accounts: OwnAccount[]; seeds: OwnSeed[] }

export type OwnAccount = VaultAccount & { kind: VaultSecret['kind'] | 'watched' }

export type AccountChanges = { name?: string; isHidden?: boolean }

export type OwnSeed = Pick<VaultSecret, 'id' | 'backedUp'>

/** Encodes secrets' length (4 bytes), secrets, public part as JSON: secrets never become strings. */
export function pack({ secrets, accounts }: Contents): Bytes {
  const length = secrets.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const open = { secrets: secrets.map(({ bytes, ...rest }) => ({ ...rest, length: bytes.length })), accounts }
  const text = new TextEncoder().encode(JSON.stringify(open))
  const packed = new Uint8Array(4 + length + text.length)
  new DataView(packed.buffer).setUint32(0, length)
  let at = 4
  for (const part of [...secrets.map(({ bytes }) => bytes), text]) {
    packed.set(part, at)
    at += part.length
  }
  return packed
}

/** Zeroes `packed`. */
export function unpack(packed: Bytes): Contents {
  const textAt = 4 + new DataView(packed.buffer).getUint32(0)
  const open = v.parse(openShape, JSON.parse(new TextDecoder().decode(packed.subarray(textAt))))
  let at = 4
  const secrets = open.secrets.map(({ length, ...rest }) => {
    at += length
    return { ...rest, bytes: packed.slice(at - length, at) }
  })
  packed.fill(0)
  return { secrets, accounts: open.accounts }
}

export function wipe({ secrets }: Contents): void {
  for (const { bytes } of secrets) bytes.fill(0)
}

export const vaultAddressSchema = v.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
)

/** Defaults of the first format. */
export const accountsSchema = v.array(
  v.object({
    address: vaultAddressSchema,
    name: v.string(),
    isHidden: v.optional(v.boolean(), false),
    secret: v.optional(v.string()),
    path: v.optional(v.string()),
  }),
)

const openShape = v.object({
  secrets: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(['seed', 'key']),
      backedUp: v.boolean(),
      length: v.number(),
    }),
  ),
  accounts: accountsSchema,
})
