import { isAddress } from 'viem'
import { stripInvisible } from '../sanitize.ts'
import { type Address, parseAddress } from '../token/token.ts'
import { isName } from './ens.ts'

/** `chainId`: the network it is written for; `asksAmount`: an EIP-681 link with an amount. */
export type TypedAddress =
  | { kind: 'address'; address: Address; chainId?: number; asksAmount?: true }
  | { kind: 'mistyped' }
  | { kind: 'name'; name: string; chainId?: number; asksAmount?: true }
  /** Unknown ERC-3770 prefix. */
  | { kind: 'unknown-network'; network: string }
  /** EIP-681 contract call: its address is not the recipient. */
  | { kind: 'call' }

/**
 * Reads an address or name, alone or as ERC-3770 (eth:0x…), CAIP-10 (eip155:1:0x…) or EIP-681
 * (ethereum:0x…@1). Ignores quotes, labels, ordinals, repetition, invisible characters, and white space in an
 * address.
 */
export function readTypedAddress(text: string): TypedAddress | undefined {
  return readAddress(stripInvisible(text.normalize('NFKC'))) ?? readName(text)
}

function readAddress(plain: string, depth = 4): TypedAddress | undefined {
  const [core = ''] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(plain) ?? []
  const link = linkForm.exec(core)?.groups
  if (link?.call !== undefined) return { kind: 'call' }
  const { hex, id = link?.id, prefix } = addressForm.exec(link?.target ?? core)?.groups ?? {}
  if (hex === undefined) {
    const { rest, network } = withoutPrefix(core) ?? {}
    if (rest === undefined || depth === 0) return readRepeated(core)
    const typed = readAddress(rest, depth - 1)
    return typed?.kind === 'address' ? { ...named(network), ...typed } : typed
  }
  const digits = `0x${hex.replace(/\s/g, '').slice(2)}`
  const address = parseAddress(digits)
  if (address === undefined || hasBadChecksum(digits)) return { kind: 'mistyped' }
  const network = prefix?.toLowerCase()
  if (network === undefined || labelWords.has(network))
    return { kind: 'address', address, ...named(id), ...toAmount(link) }
  const chainId = shortNames.get(network)
  return chainId === undefined ? { kind: 'unknown-network', network } : { kind: 'address', address, chainId }
}

function readRepeated(core: string): TypedAddress | undefined {
  const found = core.match(/(?<![\p{L}\p{N}])0x[\da-f]{40}(?![\p{L}\p{N}])/giu) ?? []
  const [first] = new Set(found.map((digits) => digits.toLowerCase()))
  if (first === undefined || found.some((digits) => digits.toLowerCase() !== first)) return undefined
  if (/[\p{L}\p{N}]/u.test(found.reduce((left, digits) => left.replace(digits, ''), core))) return undefined
  const address = parseAddress(first)
  return address === undefined || found.some(hasBadChecksum)
    ? { kind: 'mistyped' }
    : { kind: 'address', address }
}

/** True if the capitals contradict EIP-55; single-case text has no checksum. */
function hasBadChecksum(text: string): boolean {
  const digits = text.slice(2)
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase() && !isAddress(`0x${digits}`)
}

/** Keeps invisible characters, which may belong to emoji. */
function readName(text: string): TypedAddress | undefined {
  const link = linkForm.exec(text.trim())?.groups
  if (link?.target !== undefined) {
    const amount = toAmount(link)
    return isName(link.target) ? { kind: 'name', name: link.target, ...named(link.id), ...amount } : undefined
  }
  let left = text.trim()
  let network: string | undefined
  for (let turn = 0; turn < 5; turn++) {
    if (isName(left) && !noName.test(left)) return { kind: 'name', name: left, ...named(network) }
    const bare = left.replace(/^(?:[\s"'“”„«»‹›`<>()[\]{}•,;]|[-–—*]\s)+|[\s"'“”„«»‹›`<>()[\]{},;.!]+$/gu, '')
    const next: Prefixed | undefined = bare === left ? withoutPrefix(left) : { rest: bare }
    if (next === undefined) break
    left = next.rest
    network = next.network ?? network
  }
  return isName(text) ? { kind: 'name', name: text.trim() } : undefined
}

const noName = /["“”„«»‹›`<>()[\]{}:/,;=]/u

type Prefixed = { rest: string; network?: string }

/** Removes a label or ordinal; a network's short name gives `network`, its chain id. */
function withoutPrefix(core: string): Prefixed | undefined {
  const ordinal = /^(?:n[or]\.? ?|#)?\d{1,3}(?:st|nd|rd|th)?[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/iu.exec(core)?.[0]
  if (ordinal !== undefined) return { rest: core.slice(ordinal.length) }
  const [all, label = '', mark = ''] = /^(\p{L}[^:=/@?\n]{0,60}?)\s*([:=\n]\s*)(?=\S)/u.exec(core) ?? []
  const plain = label.toLowerCase()
  if (all === undefined) {
    const [word] = /^\p{L}+\s+(?=0x)/iu.exec(core) ?? []
    return word && labelWords.has(word.trim().toLowerCase()) ? { rest: core.slice(word.length) } : undefined
  }
  const chainId = shortNames.get(plain)
  if (chainId !== undefined) return { rest: core.slice(all.length), network: String(chainId) }
  // May be a network prefix or a scheme.
  const isScheme = mark === ':' && /^[a-z\d-]{1,32}$/.test(plain) && !labelWords.has(plain)
  return isScheme || plain === 'eip155' ? undefined : { rest: core.slice(all.length) }
}

const labelWords: ReadonlySet<string> = new Set(
  'address addr wallet account recipient receiver to adresse konto empfänger an dirección direccion cuenta destinatario para a compte destinataire pour à 地址 收款人 至 العنوان المستلم إلى'.split(
    ' ',
  ),
)

/** Returns undefined for an address of another network than `chainId`. */
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

const linkForm =
  /^ethereum:(?:pay-)?(?<target>[^@/?\s]+)(?:@(?<id>0x[\da-f]{1,13}|\d{1,15}))?(?:\/(?<call>[^?]+)?)?(?:\?(?<query>.*))?$/i

function toAmount(link: { query?: string } | undefined): { asksAmount?: true } {
  return /(?:^|&)value=/i.test(link?.query ?? '') ? { asksAmount: true } : {}
}

/** From github.com/ethereum-lists/chains. */
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
