import { ensRegistry } from '../../domain/address/ens.ts'
import { keccak256 } from '../../domain/hash.ts'
import { toHex, utf8 } from '../../domain/hex.ts'
import { type Address, type Hex, zeroAddress } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'
import { tryOrUndefined } from '../attempt.ts'

/** Whose a name is, as the registry on the chain says. */
export type NameResult =
  /**
   * `name` is as the standard writes it (ENSIP-15). `isChanged`: that is not what was typed, capitals aside. `isForeign`: it has signs
   * besides a to z, digits and hyphens, which may look like others.
   */
  | { status: 'found'; name: string; address: Address; isChanged: boolean; isForeign: boolean }
  /** No name may be written so: signs that are forbidden, or scripts that are mixed. */
  | { status: 'invalid' }
  /** Nobody registered it on this chain, or it names no account. */
  | { status: 'unknown'; name: string }
  /** The resolver sends its callers to a server (EIP-3668), one of `hosts`. The wallet asks none of them. */
  | { status: 'elsewhere'; name: string; hosts: string[] }
  /** The wallet knows of no registry here. */
  | { status: 'no-registry' }

/**
 * The first four bytes of resolver(bytes32), addr(bytes32), supportsInterface(bytes4) and
 * resolve(bytes,bytes).
 */
const resolverSelector = '0x0178b8bf'
const addrSelector = '0x3b3b57de'
const supportsSelector = '0x01ffc9a7'
const resolveSelector = '0x9061b923'

/** Of OffchainLookup(address,string[],bytes,bytes4,bytes). */
const offchainLookup = '556f1830'

/**
 * Asks the user's own RPC for the address of a name: the registry for the resolver of the name, or of the
 * nearest name above it (ENSIP-10), and that one for the address. No server is asked for names that are kept
 * outside of the chain (EIP-3668).
 */
export async function resolveName(
  wallet: Pick<TransactionsApi, 'call'>,
  chainId: number,
  text: string,
  registry = ensRegistry(chainId),
): Promise<NameResult> {
  if (registry === undefined) return { status: 'no-registry' }
  const tables = await fetchTables()
  const typed = text.trim()
  const name = tryOrUndefined(() => tables.normalize(typed))
  if (name === undefined) return { status: 'invalid' }
  const call = (to: Address, data: Hex) => wallet.call(chainId, to, data)
  try {
    const found = await findResolver(call, registry, name)
    if (found === 'no-registry') return { status: found }
    const address = found && (await readAddressOf(call, tables, name, found))
    if (address === undefined) return { status: 'unknown', name }
    return {
      status: 'found',
      name,
      address,
      isChanged: name !== typed.toLowerCase(),
      isForeign: /[^a-z0-9.-]/.test(name),
    }
  } catch (error) {
    return { ...readRefusal(error, tables), name }
  }
}

type Call = (to: Address, data: Hex) => Promise<unknown>
type Tables = typeof import('./ensip.ts')
type Resolver = { address: Address; isOfName: boolean }

/** The resolver of `name`, or of the nearest name above that has one. */
async function findResolver(
  call: Call,
  registry: Address,
  name: string,
): Promise<Resolver | 'no-registry' | undefined> {
  const labels = name.split('.')
  for (const at of labels.keys()) {
    const node = namehash(labels.slice(at).join('.')).slice(2)
    const answer = await call(registry, `${resolverSelector}${node}`)
    // Without a contract the answer is empty.
    if (answer === '0x') return 'no-registry'
    const address = readAddress(answer)
    if (address !== undefined) return { address, isOfName: at === 0 }
  }
  return undefined
}

/** The address of `name`. A resolver of a name above answers for it only by ENSIP-10. */
async function readAddressOf(
  call: Call,
  { encodeAbiParameters, decodeAbiParameters }: Tables,
  name: string,
  { address, isOfName }: Resolver,
): Promise<Address | undefined> {
  const question: Hex = `${addrSelector}${namehash(name).slice(2)}`
  if (!(await isExtended(call, address)))
    return isOfName ? readAddress(await call(address, question)) : undefined
  const wire = dnsEncode(name)
  if (wire === undefined) return undefined
  const args = encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [wire, question])
  const answer = await call(address, `${resolveSelector}${args.slice(2)}`)
  const [inner] = tryOrUndefined(() => decodeAbiParameters([{ type: 'bytes' }], String(answer) as Hex)) ?? []
  return readAddress(inner)
}

/** True when a resolver has `resolve(bytes,bytes)`, as it says by EIP-165. Older ones revert. */
async function isExtended(call: Call, resolver: Address): Promise<boolean> {
  try {
    const answer = await call(resolver, `${supportsSelector}${resolveSelector.slice(2).padEnd(64, '0')}`)
    return /^0x0{63}1$/.test(String(answer))
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}

/** Each label behind its length, as DNS has names. Undefined for a label that is too long. */
function dnsEncode(name: string): Hex | undefined {
  const labels = name.split('.').map((label) => toHex(utf8(label)).slice(2))
  if (labels.some((label) => label.length > 2 * 255)) return undefined
  return `0x${labels.map((label) => (label.length / 2).toString(16).padStart(2, '0') + label).join('')}00`
}

/** EIP-137: each label's hash upon that of the name above. */
export function namehash(name: string): Hex {
  const labels = name.split('.').reverse()
  return labels.reduce<Hex>(
    (above, label) => {
      const own = keccak256(new TextEncoder().encode(label)).slice(2)
      return keccak256(`${above}${own}`)
    },
    `0x${'0'.repeat(64)}`,
  )
}

/** A word that holds an address. Undefined for none, for the zero address, and where there is no contract to answer. */
function readAddress(answer: unknown): Address | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(String(answer)) ?? []
  const found: Address = `0x${address?.toLowerCase()}`
  return address === undefined || found === zeroAddress ? undefined : found
}

/** A contract that fails knows no such name. Throws what is no answer of a contract. */
function readRefusal(
  error: unknown,
  tables: Tables,
): { status: 'elsewhere'; hosts: string[] } | { status: 'unknown' } {
  if (!isRevert(error)) throw error
  const [, lookup] = toWalletError(error).facts.revertData?.split(offchainLookup) ?? []
  return lookup === undefined
    ? { status: 'unknown' }
    : { status: 'elsewhere', hosts: hostsOf(lookup, tables) }
}

/** Servers of OffchainLookup's arguments. None where they cannot be read. */
function hostsOf(args: string, { decodeAbiParameters }: Tables): string[] {
  const [hex = ''] = /^[0-9a-f]*/i.exec(args) ?? []
  const types = ['address', 'string[]', 'bytes', 'bytes4', 'bytes'].map((type) => ({ type }))
  const [, urls] = tryOrUndefined(() => decodeAbiParameters(types, `0x${hex}`)) ?? []
  const hosts = ((urls ?? []) as string[]).flatMap((url) => {
    const plain = url.replace(/\{(sender|data)\}/g, '0x')
    return URL.canParse(plain) && /^https?:/i.test(plain) ? [new URL(plain).host] : []
  })
  return [...new Set(hosts)].slice(0, 3)
}

/** True when the contract reverted, as the worker read the node's words. */
function isRevert(error: unknown): boolean {
  const { code, facts } = toWalletError(error)
  if (code !== 'node-answered') return false
  return facts.isRevert !== undefined
}

async function fetchTables(): Promise<typeof import('./ensip.ts')> {
  try {
    return await import('./ensip.ts')
  } catch (cause) {
    throw new WalletError('internal', 'The tables for reading names could not be fetched.', {}, { cause })
  }
}
