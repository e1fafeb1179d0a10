import type { Ask } from '../domain/approval.ts'
import { encode } from '../domain/json.ts'
import { WalletError } from '../errors.ts'
import type { OpenRecord } from './approvalRecords.ts'

/** How much may be open at once. The text is that of all asks together: the browser gives 10 MB to the whole session. */
const most = { ofOrigin: 5, ofAll: 50, text: 4_000_000 }

/** Kinds that may not queue: at most one of each group is open for an origin. */
const groups: Partial<Record<Ask['kind'], string>> = {
  connect: 'connect',
  swap: 'swap',
  'add-chain': 'chain',
  'switch-chain': 'chain',
  'watch-asset': 'asset',
}

/** Throws `request-open` or `throttled` where `ask` of `origin` finds no room beside those that are open. */
export function checkRoom(open: OpenRecord[], origin: string, ask: Ask): void {
  const own = open.filter(({ approval }) => approval.origin === origin)
  const group = groups[ask.kind]
  if (group !== undefined && own.some(({ approval }) => groups[approval.ask.kind] === group)) {
    throw new WalletError(
      'request-open',
      'A request of this kind is open already. The user has to answer it first.',
    )
  }
  if (own.length >= most.ofOrigin || open.length >= most.ofAll || !hasRoom(open, ask)) {
    throw new WalletError('throttled', 'Too many requests wait for the user.')
  }
}

function hasRoom(open: OpenRecord[], ask: Ask): boolean {
  const asks = [...open.map(({ approval }) => approval.ask), ask]
  return asks.reduce((sum, one) => sum + encode(one).length, 0) <= most.text
}
