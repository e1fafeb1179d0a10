import { secp256k1 } from '@noble/curves/secp256k1'
import * as v from 'valibot'
import { type ErrorDetails, WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, randomBytes, toHex } from './bytes.ts'
import { accountPath, privateKeyAt, toAccountAddress } from './derive.ts'
import {
  type AccountChanges,
  type Contents,
  type Overview,
  type VaultAccount,
  type VaultSecret,
  vaultAddressSchema,
} from './storage/contents.ts'
import { parseSecret, type Secret } from './storage/records.ts'

// Changes throw `invalid-input` (`facts.why` if the user can act on it); the contents must then be discarded.
// A new secret is added first, so it is wiped with the others.

/** Limit of one record. */
const maxAccounts = 1_000

export function addSeed(contents: Contents, secret: Secret): Promise<VaultAccount> {
  return addEntropy(contents, secret, false)
}

/** Counts as backed up. */
export function addPhrase(contents: Contents, secret: Secret): Promise<VaultAccount> {
  return addEntropy(contents, secret, true)
}

export async function nextAccount(contents: Contents, id?: string): Promise<VaultAccount> {
  const { id: secret, bytes } = getSeed(contents, id)
  for (let index = 0; ; index++) {
    const path = accountPath(index)
    if (contents.accounts.some((one) => one.secret === secret && one.path === path)) continue
    const privateKey = await privateKeyAt(seedIn(bytes), path)
    const address = toAccountAddress(privateKey)
    privateKey.fill(0)
    // Imported alone before.
    if (!hasKey(contents, address)) return put(contents, { address, secret, path })
  }
}

export function addKey(contents: Contents, privateKey: Hex): VaultAccount {
  if (!v.is(privateKeyShape, privateKey)) throw refused('This is no private key.')
  const bytes = fromHex(privateKey)
  const secret = addSecret(contents, { kind: 'key', backedUp: true, bytes })
  const address = toAccountAddress(bytes)
  if (hasKey(contents, address)) throw isKnown()
  return put(contents, { address, secret })
}

export function addWatchOnly(contents: Contents, address: Hex): VaultAccount {
  if (!v.is(vaultAddressSchema, address)) throw refused('This is not a valid address.')
  if (find(contents, address) !== undefined) throw isKnown()
  return put(contents, { address })
}

export function confirmBackup(contents: Contents, id?: string): void {
  getSeed(contents, id).backedUp = true
}

export function updateAccounts(contents: Contents, address: Hex, { name, isHidden }: AccountChanges): void {
  const account = getAccount(contents, address)
  if (name !== undefined) account.name = parseName(name)
  if (isHidden !== undefined) account.isHidden = isHidden
  checkView(contents)
}

export function reorderAccounts(contents: Contents, addresses: Hex[]): void {
  const ordered = new Set(addresses.map((address) => getAccount(contents, address)))
  if (ordered.size !== contents.accounts.length) throw refused('These are not all accounts.')
  contents.accounts = [...ordered]
}

/** Removes an account; a phrase keeps at least one. */
export function removeAccount(contents: Contents, address: Hex): void {
  const account = getAccount(contents, address)
  keep(contents, (one) => one !== account)
  if (account.path !== undefined && !contents.secrets.some(({ id }) => id === account.secret)) {
    throw refused('A phrase keeps one account.')
  }
}

export function removeSeed(contents: Contents, id: string): void {
  const gone = getSeed(contents, id)
  keep(contents, ({ secret }) => secret !== gone.id)
}

/** Returns the entropy in the contents' own buffer. */
export function getEntropy(contents: Contents, id?: string): Bytes {
  return getSeed(contents, id).bytes.subarray(0, -seedLength)
}

/** Throws `watch-only`. */
export function getAccountWithKey(contents: Contents, address: Hex): VaultAccount & { from: VaultSecret } {
  const account = getAccount(contents, address)
  const from = contents.secrets.find(({ id }) => id === account.secret)
  if (from !== undefined) return { ...account, from }
  throw new WalletError('watch-only', 'This account is only watched.')
}

/** Returns a copy for the caller to zero. Throws `watch-only`. */
export async function getPrivateKey(contents: Contents, address: Hex): Promise<Bytes> {
  const { from, path } = getAccountWithKey(contents, address)
  return path === undefined ? from.bytes.slice() : privateKeyAt(seedIn(from.bytes), path)
}

/** Returns the visible accounts with a key: those sites may see. */
export function signingAccounts({ accounts }: Contents): { address: Hex; name: string }[] {
  return accounts
    .filter(({ isHidden, secret }) => !isHidden && secret !== undefined)
    .map(({ address, name }) => ({ address, name }))
}

export function toOverview({ accounts, secrets }: Contents): Overview {
  return {
    accounts: accounts.map((account) => {
      const kind = account.secret === undefined ? 'watched' : account.path === undefined ? 'key' : 'seed'
      return { ...account, kind }
    }),
    seeds: secrets.filter(isSeed).map(({ id, backedUp }) => ({ id, backedUp })),
  }
}

function addEntropy(contents: Contents, secret: Secret, backedUp: boolean): Promise<VaultAccount> {
  const bytes = parseSecret(secret)
  const isHere = contents.secrets.some((one) => one.bytes.every((byte, at) => byte === bytes[at]))
  const id = addSecret(contents, { kind: 'seed', backedUp, bytes })
  if (isHere) throw isKnown()
  return nextAccount(contents, id)
}

function addSecret({ secrets }: Contents, secret: Omit<VaultSecret, 'id'>): string {
  const id = toHex(randomBytes(8))
  secrets.push({ id, ...secret })
  return id
}

/** A watch-only account keeps position and name. */
function put(contents: Contents, origin: Pick<VaultAccount, 'address' | 'secret' | 'path'>): VaultAccount {
  const { accounts } = contents
  const watched = find(contents, origin.address)
  if (watched !== undefined) return Object.assign(watched, origin, { isHidden: false })
  if (accounts.length >= maxAccounts) {
    throw refused('There is no room for more accounts.', { why: 'full-vault' })
  }
  let number = accounts.length + 1
  while (accounts.some(({ name }) => name === `Account ${number}`)) number++
  const account = { name: `Account ${number}`, isHidden: false, ...origin }
  accounts.push(account)
  return account
}

function keep(contents: Contents, is: (account: VaultAccount) => boolean): void {
  contents.accounts = contents.accounts.filter(is)
  checkView(contents)
  contents.secrets = contents.secrets.filter(({ id, bytes }) => {
    if (contents.accounts.some(({ secret }) => secret === id)) return true
    bytes.fill(0)
    return false
  })
}

function checkView({ accounts }: Contents): void {
  if (accounts.every(({ isHidden }) => isHidden)) throw refused('One account stays in view.')
}

function getSeed({ secrets }: Contents, id?: string): VaultSecret {
  const seed = secrets.find((one) => isSeed(one) && one.id === (id ?? one.id))
  if (seed === undefined) throw refused('There is no such phrase.')
  return seed
}

function isSeed({ kind }: VaultSecret): boolean {
  return kind === 'seed'
}

function seedIn(bytes: Bytes): Bytes {
  return bytes.subarray(-seedLength)
}

function find({ accounts }: Contents, address: string): VaultAccount | undefined {
  return accounts.find((one) => one.address === address)
}

function getAccount(contents: Contents, address: Hex): VaultAccount {
  const account = find(contents, address.toLowerCase())
  if (account === undefined) throw refused('The wallet has no such account.')
  return account
}

function hasKey(contents: Contents, address: Hex): boolean {
  return find(contents, address)?.secret !== undefined
}

function isKnown(): WalletError {
  return refused('It is in the wallet already.', { why: 'known-account' })
}

function refused(message: string, facts: ErrorDetails = {}): WalletError {
  return new WalletError('invalid-input', message, facts)
}

const seedLength = 64

const privateKeyShape = v.custom<Hex>(
  (value) =>
    typeof value === 'string' &&
    /^0x[0-9a-f]{64}$/.test(value) &&
    secp256k1.utils.isValidPrivateKey(value.slice(2)),
)

/** No control, format, bidi or blank characters, which allow lookalike names. */
const nameShape = /^(?=.*[^\s\p{M}])[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]{1,32}$/u

/** Throws `invalid-input`. */
export function parseName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (nameShape.test(name)) return name
  throw new WalletError('invalid-input', 'A name has 1 to 32 characters that can be seen.')
}
