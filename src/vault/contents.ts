import * as v from 'valibot'
import type { Bytes, Hex } from './bytes.ts'
import { accountPath, addressOf, privateKeyAt } from './derive.ts'

/**
 * What the vault holds. The seed follows from the entropy and is kept beside it, so that signing needs neither the phrase as a
 * string (which cannot be wiped) nor BIP-39's 2,048 rounds.
 */
export type Contents = {
  entropy: Bytes
  seed: Bytes
  accounts: VaultAccount[]
  backedUp: boolean
}

export type VaultAccount = { address: Hex; name: string; path: string }

export async function createContents(
  { entropy, seed }: Pick<Contents, 'entropy' | 'seed'>,
  backedUp: boolean,
): Promise<Contents> {
  return { entropy, seed, accounts: [await accountAt(seed, 0)], backedUp }
}

/** The account that comes after those there are. Every account is the seed's, so their number is its index. */
export function nextAccount({ seed, accounts }: Contents): Promise<VaultAccount> {
  return accountAt(seed, accounts.length)
}

async function accountAt(seed: Bytes, index: number): Promise<VaultAccount> {
  const path = accountPath(index)
  const privateKey = await privateKeyAt(seed, path)
  const address = addressOf(privateKey)
  privateKey.fill(0)
  return { address, name: `Account ${index + 1}`, path }
}

/** One byte with the entropy's length, the entropy, the seed, then everything public as JSON: secrets never become strings. */
export function pack({ entropy, seed, ...rest }: Contents): Bytes {
  const text = new TextEncoder().encode(JSON.stringify(rest))
  const bytes = new Uint8Array(1 + entropy.length + seedLength + text.length)
  bytes[0] = entropy.length
  bytes.set(entropy, 1)
  bytes.set(seed, 1 + entropy.length)
  bytes.set(text, 1 + entropy.length + seedLength)
  return bytes
}

/** What `pack` was given, in buffers of its own; `bytes` is filled with zero. */
export function unpack(bytes: Bytes): Contents {
  const seedAt = 1 + (bytes[0] ?? 0)
  const textAt = seedAt + seedLength
  const entropy = bytes.slice(1, seedAt)
  const seed = bytes.slice(seedAt, textAt)
  const rest = v.parse(restShape, JSON.parse(new TextDecoder().decode(bytes.subarray(textAt))))
  bytes.fill(0)
  return { entropy, seed, ...rest }
}

export function wipe({ entropy, seed }: Pick<Contents, 'entropy' | 'seed'>): void {
  entropy.fill(0)
  seed.fill(0)
}

const seedLength = 64

const restShape = v.object({
  accounts: v.array(
    v.object({
      address: v.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)),
      name: v.string(),
      path: v.string(),
    }),
  ),
  backedUp: v.boolean(),
})
