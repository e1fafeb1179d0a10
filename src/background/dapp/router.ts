import { WalletError } from '../../errors.ts'
import { createPace, type Pace } from '../../lib/async/rateLimiter.ts'
import type { PageRequest } from '../../protocol.ts'
import type { Requester } from '../approvals/approvals.ts'
import type { Sessions } from './sessions.ts'

/** One method that pages may call. `params` are as the page sent them: parsed by the method, once. */
export type RpcHandler = (asker: Requester, params: unknown) => Promise<unknown>

export type RpcRouter = (
  asker: Requester,
  request: Pick<PageRequest, 'method' | 'params'>,
) => Promise<unknown>

type Deps = {
  /** Of the wallet, as the manifest has it. */
  version: string
  documents: Pick<Sessions, 'view' | 'isOpen'>
  /** Questions to the node. */
  reads: Record<string, RpcHandler>
  groups: Record<string, RpcHandler>[]
  paces?: Record<'reads' | 'others', Pace>
}

/** How a site comes to its answers however often it asked for the user, and how it leaves: as often as it may read. */
const light = new Set([
  'eth_accounts',
  'eth_chainId',
  'net_version',
  'wallet_revokePermissions',
  // Refused at once while one is open.
  'eth_requestAccounts',
  'wallet_requestPermissions',
])

/**
 * All that pages may call. What a site asks too often waits; other sites' requests do not. Throws `unknown-method`, or
 * `unsupported-method` for what the wallet knows and does not do.
 */
export function createPages({
  version,
  documents,
  reads,
  groups,
  paces = { reads: createPace({ perSecond: 50 }), others: createPace({ perSecond: 10 }) },
}: Deps): RpcRouter {
  const own: Record<string, RpcHandler> = { web3_clientVersion: async () => `Sluice/${version}` }
  const methods = Object.assign(own, reads, ...groups) as Record<string, RpcHandler>

  async function wait({ origin, documentId }: Requester, method: string): Promise<void> {
    // What there is no method for is refused as often as one may read, and no faster.
    const isLight = light.has(method) || Object.hasOwn(reads, method) || !Object.hasOwn(methods, method)
    await (isLight ? paces.reads : paces.others)(origin)
    if (documents.isOpen(documentId)) return
    // It must not come before the user now, and take back what the next page of its tab asked. Nobody hears this.
    throw new WalletError('rejected', 'The page went away before its turn.', { reason: 'withdrawn' })
  }

  return async (asker, { method, params }) => {
    // Our own relay's, whose ids are below zero: what has changed while its page was in the browser's page cache.
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

/** Methods that pages know from other wallets, and why there is no answer. */
const refused: Record<string, string> = {
  eth_sign: 'Sluice does not sign with eth_sign: use personal_sign.',
  eth_signTypedData: typedData,
  eth_signTypedData_v1: typedData,
  eth_signTypedData_v3: typedData,
  eth_decrypt: encryption,
  eth_getEncryptionPublicKey: encryption,
}
