import { type Address, parseAddress } from '../token/token.ts'
import { isUriWithoutSite } from './siteName.ts'

/** EIP-4361 message. */
export type Siwe = {
  scheme?: string
  /** Authority (RFC 3986); absent when unreadable. */
  domain?: string
  address?: Address
  /** Absent unless the grammar matches exactly. */
  details?: SiweDetails
}

/** Times in milliseconds since 1970. */
export type SiweDetails = {
  statement?: string
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
  expiresAt?: number
  notBefore?: number
  requestId?: string
  resources: string[]
}

/**
 * `malformed` resembles EIP-4361. `domain`, `address`, `chain`, `uri`: mismatches. `delegation`: its URI may
 * act for the account (EIP-5573).
 */
export type SiweError =
  | 'malformed'
  | 'domain'
  | 'address'
  | 'chain'
  | 'uri'
  | 'delegation'
  | 'expired'
  | 'not-yet-valid'

/** Returns undefined for other messages. */
export function parseSiwe(text: string): Siwe | undefined {
  if (!resembling.test(text.replace(/\p{DI}/gu, ''))) return undefined
  const { scheme, domain, address = '' } = head.exec(text)?.groups ?? {}
  const account = parseAddress(address)
  const details = parseDetails(text)
  return {
    ...(scheme !== undefined && { scheme: scheme.toLowerCase() }),
    ...(domain !== undefined && { domain }),
    ...(account !== undefined && { address: account }),
    ...(details !== undefined && { details }),
  }
}

/** Returns all mismatches. `origin` comes from the browser. */
export function checkSiwe(
  siwe: Siwe,
  { origin, account, chainId, now }: { origin: string; account: Address; chainId: number; now: number },
): SiweError[] {
  const { address, details } = siwe
  const faults: [SiweError, boolean][] = [
    ['malformed', details === undefined],
    ['domain', !isSite(siwe, origin)],
    ['address', address !== undefined && address !== account.toLowerCase()],
    ['chain', details !== undefined && details.chainId !== chainId],
    ['uri', details !== undefined && !toIsUri(origin, details.uri)],
    ['delegation', details?.resources.some((each) => /^urn:recap:/i.test(each)) ?? false],
    ['expired', details?.expiresAt !== undefined && details.expiresAt <= now],
    ['not-yet-valid', details?.notBefore !== undefined && details.notBefore > now],
  ]
  return faults.filter(([, applies]) => applies).map(([fault]) => fault)
}

/** Exact except case; a browser origin never has userinfo (service.org@…). */
function isSite({ scheme, domain }: Siwe, origin: string): boolean {
  if (domain === undefined) return false
  const { protocol, host, port } = new URL(origin)
  if (scheme !== undefined && `${scheme}:` !== protocol) return false
  const usualPort = protocol === 'https:' ? 443 : 80
  const named = domain.toLowerCase()
  return named === host || (port === '' && named === `${host}:${usualPort}`)
}

/** EIP-4361 allows any URI; only another site's is reported. */
function toIsUri(origin: string, uri: string): boolean {
  if (!URL.canParse(uri)) return false
  return isUriWithoutSite(uri) || new URL(uri).origin.replace(/^ws/, 'http') === origin
}

function parseDetails(text: string): SiweDetails | undefined {
  const groups = whole.exec(text)?.groups
  if (groups === undefined) return undefined
  const { statement, uri = '', chain, nonce = '', issued = '', expires, begins, request, resources } = groups
  const times = [issued, expires, begins].map((time) => (time === undefined ? undefined : parseTime(time)))
  if (times.some(Number.isNaN)) return undefined
  const [issuedAt = Number.NaN, expiresAt, notBefore] = times
  return {
    ...(statement !== undefined && { statement }),
    uri,
    chainId: Number(chain),
    nonce,
    issuedAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(notBefore !== undefined && { notBefore }),
    ...(request !== undefined && { requestId: request }),
    resources: resources?.split('\n- ').slice(1) ?? [],
  }
}

/** `Date` would roll over a day that does not exist. */
function parseTime(text: string): number {
  const day = text.slice(0, 10)
  const time = Date.parse(text)
  return Number.isNaN(time) || !new Date(day).toISOString().startsWith(day) ? Number.NaN : time
}

// RFC 3986. The statement is wider than EIP-4361: sites use their own language.
const percent = '%[\\da-fA-F]{2}'
const pchar = `(?:[\\w.~!$&'()*+,;=:@-]|${percent})`
const userinfo = `(?:(?:[\\w.~!$&'()*+,;=:-]|${percent})*@)?`
const hostname = `(?:\\[[\\da-fA-F:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|${percent})+)`
const scheme = '[a-zA-Z][a-zA-Z\\d+.-]*'
const uri = `${scheme}:(?:[\\w.~:/?#[\\]@!$&'()*+,;=-]|${percent})*`
const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)'

/** Lenient, also for other chains (CAIP-122): a service may be. */
const resembling = /wants\s+you\s+to\s+sign\s+in\s+with\s+your\s+\w+\s+account/i

const opening =
  `^(?:(?<scheme>${scheme})://)?(?<domain>${userinfo}${hostname}(?::\\d*)?) ` +
  'wants you to sign in with your Ethereum account:\n'

const head = new RegExp(`${opening}(?:(?<address>0x[\\da-fA-F]{40})\n)?`)

const whole = new RegExp(
  `${opening}0x[\\da-fA-F]{40}\n\n(?:(?<statement>[^\n]+)\n)?\n` +
    `URI: (?<uri>${uri})\nVersion: 1\nChain ID: (?<chain>\\d+)\nNonce: (?<nonce>[a-zA-Z\\d]{8,})\nIssued At: (?<issued>${time})` +
    `(?:\nExpiration Time: (?<expires>${time}))?(?:\nNot Before: (?<begins>${time}))?` +
    `(?:\nRequest ID: (?<request>${pchar}*))?(?:\nResources:(?<resources>(?:\n- ${uri})*))?$`,
)
