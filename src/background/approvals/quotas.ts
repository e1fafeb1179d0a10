import type { DappRequest } from '../../domain/dapp/approval.ts'
import { encode } from '../../domain/json.ts'
import { WalletError } from '../../errors.ts'
import type { OpenRecord } from './store.ts'

/** Bytes of encoded requests: session storage holds 10 MB. */
const most = { ofOrigin: 5, ofAll: 50, bytesOfOrigin: 1_000_000, bytesOfAll: 4_000_000 }

/** One open request per group and origin. */
const groups: Partial<Record<DappRequest['kind'], string>> = {
  connect: 'connect',
  swap: 'swap',
  'add-chain': 'chain',
  'switch-chain': 'chain',
  'watch-asset': 'asset',
}

/** Throws `request-open` at the origin's limit, `throttled` at the total. */
export function requireNoDuplicate(open: OpenRecord[], origin: string, kind: DappRequest['kind']): void {
  const own = ofSite(open, origin)
  const group = groups[kind]
  if (group !== undefined && own.some(({ approval }) => groups[approval.ask.kind] === group)) {
    throw new WalletError(
      'request-open',
      'A request of this kind is open already. The user has to answer it first.',
    )
  }
  if (own.length >= most.ofOrigin) throw tooMuch()
  if (open.length >= most.ofAll) throw tooMuchOfAll()
}

/** As `requireNoDuplicate`, by size; also `invalid-params`. */
export function requireQuota(open: OpenRecord[], origin: string, ask: DappRequest): void {
  const bytes = getBytes(ask)
  if (bytes > most.bytesOfOrigin) {
    throw new WalletError('invalid-params', `params: are ${bytes} bytes, more than ${most.bytesOfOrigin}.`)
  }
  if (bytes + bytesOfAll(ofSite(open, origin)) > most.bytesOfOrigin) throw tooMuch()
  if (bytes + bytesOfAll(open) > most.bytesOfAll) throw tooMuchOfAll()
}

function ofSite(open: OpenRecord[], origin: string): OpenRecord[] {
  return open.filter(({ approval }) => approval.origin === origin)
}

function tooMuch(): WalletError {
  return new WalletError('request-open', 'Too many requests of this site wait for the user.')
}

function tooMuchOfAll(): WalletError {
  return new WalletError('throttled', 'Too many requests wait for the user.')
}

function bytesOfAll(open: OpenRecord[]): number {
  return open.reduce((sum, { approval }) => sum + getBytes(approval.ask), 0)
}

/** Requests are immutable. */
const measured = new WeakMap<DappRequest, number>()

function getBytes(ask: DappRequest): number {
  const bytes = measured.get(ask) ?? new TextEncoder().encode(encode(ask)).length
  measured.set(ask, bytes)
  return bytes
}
