import { secp256k1 } from '@noble/curves/secp256k1'
import { scryptAsync } from '@noble/hashes/scrypt'
import { keccak_256 } from '@noble/hashes/sha3'
import * as v from 'valibot'
import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from './bytes.ts'
import { toAccountAddress } from './derive.ts'

// Web3 Secret Storage, version 3 (ethereum.org, "Web3 secret storage definition"), opened in the page where
// the password is typed.

/** Limits against hanging the page: bytes and r · p for scrypt, rounds for PBKDF2. */
const most = { scryptBytes: 512 * 2 ** 20, scryptLanes: 1_024, rounds: 10_000_000 }

/**
 * Throws `invalid-input` before any work (`why`: `no-keystore`, `unknown-keystore`, `damaged-keystore`), or
 * `wrong-password` (`why`: `keystore-password`).
 */
export async function openKeystore(text: string, password: string): Promise<Hex> {
  const { address, crypto: file } = parseFile(text)
  const sealed = fromHex(file.ciphertext)
  const key = await deriveKey(password, file, sealed)
  try {
    const privateKey = await decrypt(key.slice(0, 16), sealed, fromHex(file.cipherparams.iv))
    if (!secp256k1.utils.isValidPrivateKey(privateKey))
      throw refused('There is no private key in this file', 'damaged-keystore')
    if (address !== undefined && toAccountAddress(privateKey) !== address) {
      throw refused('The key in this file is of another address than it says', 'damaged-keystore')
    }
    const answer = toHex(privateKey)
    privateKey.fill(0)
    return answer
  } finally {
    key.fill(0)
  }
}

type File = v.InferOutput<typeof fileShape>['crypto']

/** Wallets differ: tries the password as typed and in NFKC. */
async function deriveKey(password: string, file: File, sealed: Bytes): Promise<Bytes> {
  for (const written of new Set([password, password.normalize('NFKC')])) {
    const bytes = new TextEncoder().encode(written)
    const key = await derive(bytes, file).finally(() => bytes.fill(0))
    if (isSame(getMac(key, sealed), fromHex(file.mac))) return key
    key.fill(0)
  }
  throw new WalletError('wrong-password', 'The password does not open this file.', {
    why: 'keystore-password',
  })
}

function parseFile(text: string): v.InferOutput<typeof fileShape> {
  const result = v.safeParse(fileShape, lowerKeys(parseJson(text)))
  if (result.success) return result.output
  const [issue] = result.issues
  const path = v.getDotPath(issue) ?? 'its fields'
  throw refused(`This is no keystore file that can be opened: ${path}`, whyNot(path, issue.input))
}

function whyNot(path: string, found: unknown): Why {
  if (path === 'its fields' || path === 'crypto' || (path === 'version' && found === undefined)) {
    return 'no-keystore'
  }
  const isOfLock = /^version$|^crypto\.(cipher|kdf|kdfparams(\.(?!salt).*)?)$/.test(path)
  return isOfLock && found !== undefined ? 'unknown-keystore' : 'damaged-keystore'
}

function parseJson(text: string): unknown {
  try {
    // Messengers replace straight quotes.
    return JSON.parse(text.trim().replace(/[“”„]/g, '"'))
  } catch {
    throw refused('This is no keystore file: it is not JSON', 'no-keystore')
  }
}

/** Some wallets write "Crypto" and "KDFParams". */
function lowerKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toLowerCase(), lowerKeys(one)]))
}

/** First half encrypts, second half verifies. */
async function derive(password: Bytes, { kdf, kdfparams }: File): Promise<Bytes> {
  const salt = fromHex(kdfparams.salt)
  if (kdf === 'pbkdf2') {
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const rounds = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: kdfparams.c }
    return new Uint8Array(await crypto.subtle.deriveBits(rounds, key, 256))
  }
  const { n: N, r, p } = kdfparams
  return new Uint8Array(await scryptAsync(password, salt, { N, r, p, dkLen: 32 }))
}

function getMac(key: Bytes, sealed: Bytes): Uint8Array {
  return keccak_256(new Uint8Array([...key.subarray(16, 32), ...sealed]))
}

/** Constant time. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return (
    one.length === other.length && one.reduce((sum, byte, at) => sum | (byte ^ (other[at] ?? 0)), 0) === 0
  )
}

async function decrypt(key: Bytes, sealed: Bytes, counter: Bytes): Promise<Bytes> {
  const cipher = await crypto.subtle.importKey('raw', key, 'AES-CTR', false, ['decrypt'])
  key.fill(0)
  return new Uint8Array(
    await crypto.subtle.decrypt({ name: 'AES-CTR', counter, length: 128 }, cipher, sealed),
  )
}

type Why = 'no-keystore' | 'unknown-keystore' | 'damaged-keystore'

function refused(message: string, why: Why): WalletError {
  return new WalletError('invalid-input', `${message}.`, { why })
}

function hex(least: number, most = least) {
  return v.pipe(
    v.string(),
    v.transform((text) => text.toLowerCase().replace(/^0x/, '')),
    v.regex(/^(?:[0-9a-f]{2})*$/),
    v.minLength(2 * least),
    v.maxLength(2 * most),
    v.transform((digits): Hex => `0x${digits}`),
  )
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const sealed = {
  cipher: v.literal('aes-128-ctr'),
  cipherparams: v.object({ iv: hex(16) }),
  ciphertext: hex(32),
  mac: hex(32),
}

const derived = { salt: hex(0, 1_024), dklen: v.literal(32) }

const fileShape = v.object({
  version: v.literal(3),
  // Missing or empty in some files.
  address: v.optional(
    v.union([
      hex(20),
      v.pipe(
        v.literal(''),
        v.transform(() => undefined),
      ),
    ]),
  ),
  crypto: v.variant('kdf', [
    v.object({
      ...sealed,
      kdf: v.literal('pbkdf2'),
      kdfparams: v.object({
        ...derived,
        prf: v.literal('hmac-sha256'),
        c: v.pipe(count, v.maxValue(most.rounds)),
      }),
    }),
    v.object({
      ...sealed,
      kdf: v.literal('scrypt'),
      kdfparams: v.pipe(
        v.object({
          ...derived,
          n: v.pipe(
            count,
            v.minValue(2),
            v.check((n) => Number.isInteger(Math.log2(n))),
          ),
          r: count,
          p: count,
        }),
        v.check(({ n, r, p }) => 128 * n * r * p <= most.scryptBytes && r * p <= most.scryptLanes),
      ),
    }),
  ]),
})
