import { withoutUnseen } from '../text.ts'
import { type Address, parseAddress } from '../token/token.ts'
import { isMistyped } from './checksum.ts'
import { isName } from './ens.ts'

/** A recipient as people type and paste one. `chainId`: the network that it is written for. */
export type TypedAddress =
  | { kind: 'address'; address: Address; chainId?: number }
  | { kind: 'mistyped' }
  | { kind: 'name'; name: string; chainId?: number }
  /** A prefix of ERC-3770 that is not in the wallet's table. */
  | { kind: 'unknown-network'; network: string }
  /** A link of EIP-681 that calls a contract: the address in front is not the recipient's. */
  | { kind: 'call' }

/**
 * Reads an address or a name, alone or as ERC-3770 (`eth:0x…`), CAIP-10 (`eip155:1:0x…`) or EIP-681
 * (`ethereum:0x…@1`) write it. Quotes, bullets and invisible characters around an address are left out, and
 * white space in it, as groups of digits have it.
 */
export function readTypedAddress(text: string): TypedAddress | undefined {
  const plain = withoutUnseen(text.normalize('NFKC'))
  const [core = ''] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(plain) ?? []
  const link = linkForm.exec(core)?.groups
  if (link?.call !== undefined) return { kind: 'call' }
  const { hex, id = link?.id, prefix } = addressForm.exec(link?.target ?? core)?.groups ?? {}
  if (hex === undefined) {
    const name = (link?.target ?? text).trim()
    return isName(name) ? { kind: 'name', name, ...named(link?.id) } : undefined
  }
  const digits = `0x${hex.replace(/\s/g, '').slice(2)}`
  const address = parseAddress(digits)
  if (address === undefined || isMistyped(digits)) return { kind: 'mistyped' }
  const network = prefix?.toLowerCase()
  if (network === undefined) return { kind: 'address', address, ...named(id) }
  const chainId = shortNames.get(network)
  return chainId === undefined ? { kind: 'unknown-network', network } : { kind: 'address', address, chainId }
}

/** The address in `text`; undefined for one that is written for another network than `chainId`. */
export function addressIn(text: string, chainId?: number): Address | undefined {
  const typed = readTypedAddress(text)
  if (typed?.kind !== 'address') return undefined
  const isElsewhere = chainId !== undefined && typed.chainId !== undefined && typed.chainId !== chainId
  return isElsewhere ? undefined : typed.address
}

function named(id: string | undefined): { chainId?: number } {
  return id === undefined ? {} : { chainId: Number(id) }
}

const addressForm = /^(?:eip155:(?<id>\d{1,15}):|(?<prefix>[a-z\d-]{1,32}):)?(?<hex>0x(?:\s*[\da-f]){40})$/i

/** `pay-` is optional, and so is what follows the target: the chain id, a function, its parameters. */
const linkForm =
  /^ethereum:(?:pay-)?(?<target>[^@/?\s]+)(?:@(?<id>0x[\da-f]{1,13}|\d{1,15}))?(?:\/(?<call>[^?]+)?)?(?:\?.*)?$/i

/** As chains are called in github.com/ethereum-lists/chains. */
const shortNames: ReadonlyMap<string, number> = new Map([
  ['eth', 1],
  ['oeth', 10],
  ['bnb', 56],
  ['gno', 100],
  ['unichain', 130],
  ['matic', 137],
  ['pol', 137],
  ['sonic', 146],
  ['ftm', 250],
  ['zksync', 324],
  ['mantle', 5000],
  ['base', 8453],
  ['holesky', 17000],
  ['arb1', 42161],
  ['celo', 42220],
  ['avax', 43114],
  ['linea', 59144],
  ['blastmainnet', 81457],
  ['scr', 534352],
  ['sep', 11155111],
])
