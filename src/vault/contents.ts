import * as v from 'valibot'
import type { Bytes, Hex } from './bytes.ts'

/** What the vault holds. Accounts stand in the user's own order; each secret has one at least, and one at least is in view. */
export type Contents = { secrets: VaultSecret[]; accounts: VaultAccount[] }

/**
 * What keys come from. `bytes` of a seed are the entropy of its recovery phrase and the 64 bytes that follow from it, kept so that
 * signing needs neither the phrase as a string (which cannot be wiped) nor BIP-39's 2,048 rounds; of a key they are the key. `id` is
 * random and means nothing outside. `backedUp`: somebody has it elsewhere.
 */
export type VaultSecret = { id: string; kind: 'seed' | 'key'; backedUp: boolean; bytes: Bytes }

/** A lower-case address. Its key is at `path` under a seed, or a secret by itself; without a secret it is only watched. */
export type VaultAccount = {
  address: Hex
  name: string
  isHidden: boolean
  secret?: string | undefined
  path?: string | undefined
}

/** What is public of the contents. */
export type Overview = { accounts: OwnAccount[]; seeds: OwnSeed[] }

export type OwnAccount = VaultAccount & { kind: VaultSecret['kind'] | 'watched' }

/** What a user says of an account: 1 to 32 characters that can be seen, and whether it is out of sight. */
export type AccountChanges = { name?: string; isHidden?: boolean }

export type OwnSeed = Pick<VaultSecret, 'id' | 'backedUp'>

/**
 * Four bytes with the length of all secrets, the secrets one after the other, then everything public as JSON: secrets never become
 * strings.
 */
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

/** What `pack` was given, in buffers of its own; `packed` is filled with zero. */
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

export const addressShape = v.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
)

/** Accounts of the first format were never hidden, and all of one seed. */
export const accountsShape = v.array(
  v.object({
    address: addressShape,
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
  accounts: accountsShape,
})
