import { WalletError } from '../../errors.ts'
import { createRateLimiter, type RateLimiter } from '../../lib/async/rateLimiter.ts'
import type { PageRequest } from '../../protocol.ts'
import type { Requester } from '../approvals/store.ts'
import type { Sessions } from './ports/sessions.ts'

/** Method for pages. Must parse `params`. */
export type RpcHandler = (asker: Requester, params: unknown) => Promise<unknown>

export type RpcRouter = (
  asker: Requester,
  request: Pick<PageRequest, 'method' | 'params'>,
) => Promise<unknown>

type Deps = {
  /** From the manifest. */
  version: string
  documents: Pick<Sessions, 'view' | 'isOpen'>
  reads: Record<string, RpcHandler>
  groups: Record<string, RpcHandler>[]
  paces?: Record<'reads' | 'others', RateLimiter>
}

/** Limited like reads, so that connecting and leaving are not delayed. */
const light = new Set([
  'eth_accounts',
  'eth_chainId',
  'net_version',
  'wallet_revokePermissions',
  // Refused at once while one is open.
  'eth_requestAccounts',
  'wallet_requestPermissions',
])

/** Rate-limits each site. Throws `unknown-method`, or `unsupported-method`. */
export function createRpcRouter({
  version,
  documents,
  reads,
  groups,
  paces = { reads: createRateLimiter({ perSecond: 50 }), others: createRateLimiter({ perSecond: 10 }) },
}: Deps): RpcRouter {
  const own: Record<string, RpcHandler> = { web3_clientVersion: async () => `Sluice/${version}` }
  const methods = Object.assign(own, reads, ...groups) as Record<string, RpcHandler>

  async function wait({ origin, documentId }: Requester, method: string): Promise<void> {
    // Unknown methods are limited like reads.
    const isLight = light.has(method) || Object.hasOwn(reads, method) || !Object.hasOwn(methods, method)
    await (isLight ? paces.reads : paces.others)(origin)
    if (documents.isOpen(documentId)) return
    // A late request must not withdraw those of the tab's next page.
    throw new WalletError('rejected', 'The page went away before its turn.', { reason: 'withdrawn' })
  }

  return async (asker, { method, params }) => {
    // Sent by our relay (negative ids) after the browser's page cache.
    if (method === 'sluice_view' && asker.requestId < 0) return documents.view(asker)
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    await wait(asker, method)
    if (run !== undefined) return run(asker, params)
    const why = Object.hasOwn(refused, method) ? refused[method] : undefined
    if (why !== undefined) throw new WalletError('unsupported-method', why, { method })
    throw new WalletError('unknown-method', `The wallet has no method called ${method}.`, { method })
  }
}

const typedData = 'Sluice does not sign with it: use eth_signTypedData_v4.'
const encryption = 'Sluice does not read or write encrypted messages. To prove an account use personal_sign.'

const refused: Record<string, string> = {
  eth_sign: 'Sluice does not sign with eth_sign: use personal_sign.',
  eth_signTypedData: typedData,
  eth_signTypedData_v1: typedData,
  eth_signTypedData_v3: typedData,
  eth_decrypt: encryption,
  eth_getEncryptionPublicKey: encryption,
}
