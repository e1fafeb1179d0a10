import { stringToHex } from 'viem'
import { namehash } from 'viem/ens'
import { ensRegistry } from '../../domain/address/ens.ts'
import { type Address, type Hex, zeroAddress } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'
import { tryOrUndefined } from '../tryOrUndefined.ts'

export type NameResult =
  /**
   * `name` is normalized (ENSIP-15); `isChanged` ignores case; `isForeign`: contains characters besides a-z,
   * 0-9, dot and hyphen, possible lookalikes.
   */
  | { status: 'found'; name: string; address: Address; isChanged: boolean; isForeign: boolean }
  /** Forbidden characters or mixed scripts. */
  | { status: 'invalid' }
  /** Unregistered or without an address. */
  | { status: 'unknown'; name: string }
  /** Stored off-chain (EIP-3668) at `hosts`, which are never called. */
  | { status: 'elsewhere'; name: string; hosts: string[] }
  | { status: 'no-registry' }

/** Selectors of resolver(bytes32), addr(bytes32), supportsInterface(bytes4) and resolve(bytes,bytes). */
const resolverSelector = '0x0178b8bf'
const addrSelector = '0x3b3b57de'
const supportsSelector = '0x01ffc9a7'
const resolveSelector = '0x9061b923'

/** OffchainLookup(address,string[],bytes,bytes4,bytes). */
const offchainLookup = '556f1830'

/**
 * Resolves a name over the user's RPC, with wildcard resolvers (ENSIP-10) but no off-chain lookups
 * (EIP-3668).
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
    const address = found && (await readEnsAddress(call, tables, name, found))
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

async function findResolver(
  call: Call,
  registry: Address,
  name: string,
): Promise<Resolver | 'no-registry' | undefined> {
  const labels = name.split('.')
  for (const at of labels.keys()) {
    const node = namehash(labels.slice(at).join('.')).slice(2)
    const answer = await call(registry, `${resolverSelector}${node}`)
    // Empty result: no contract.
    if (answer === '0x') return 'no-registry'
    const address = readAddress(answer)
    if (address !== undefined) return { address, isOfName: at === 0 }
  }
  return undefined
}

/** Parent resolvers answer only through ENSIP-10. */
async function readEnsAddress(
  call: Call,
  { encodeAbiParameters, decodeReturned }: Tables,
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
  const [inner] = tryOrUndefined(() => decodeReturned([{ type: 'bytes' }], String(answer) as Hex)) ?? []
  return readAddress(inner)
}

/** True for ENSIP-10 resolvers (EIP-165); older ones revert. */
async function isExtended(call: Call, resolver: Address): Promise<boolean> {
  try {
    const answer = await call(resolver, `${supportsSelector}${resolveSelector.slice(2).padEnd(64, '0')}`)
    return /^0x0{63}1$/.test(String(answer))
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}

/** DNS wire format; undefined for labels above 255 bytes. */
function dnsEncode(name: string): Hex | undefined {
  const labels = name.split('.').map((label) => stringToHex(label).slice(2))
  if (labels.some((label) => label.length > 2 * 255)) return undefined
  return `0x${labels.map((label) => (label.length / 2).toString(16).padStart(2, '0') + label).join('')}00`
}

/** Undefined for the zero address or a malformed result. */
function readAddress(answer: unknown): Address | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(String(answer)) ?? []
  const found: Address = `0x${address?.toLowerCase()}`
  return address === undefined || found === zeroAddress ? undefined : found
}

/** A revert means an unknown or off-chain name; other errors are rethrown. */
function readRefusal(
  error: unknown,
  tables: Tables,
): { status: 'elsewhere'; hosts: string[] } | { status: 'unknown' } {
  if (!isRevert(error)) throw error
  const [, lookup] = toWalletError(error).facts.revertData?.split(offchainLookup) ?? []
  return lookup === undefined
    ? { status: 'unknown' }
    : { status: 'elsewhere', hosts: toHosts(lookup, tables) }
}

function toHosts(args: string, { decodeReturned }: Tables): string[] {
  const [hex = ''] = /^[0-9a-f]*/i.exec(args) ?? []
  const types = ['address', 'string[]', 'bytes', 'bytes4', 'bytes'].map((type) => ({ type }))
  const [, urls] = tryOrUndefined(() => decodeReturned(types, `0x${hex}`)) ?? []
  const hosts = ((urls ?? []) as string[]).flatMap((url) => {
    const plain = url.replace(/\{(sender|data)\}/g, '0x')
    return URL.canParse(plain) && /^https?:/i.test(plain) ? [new URL(plain).host] : []
  })
  return [...new Set(hosts)].slice(0, 3)
}

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
