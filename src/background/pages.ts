import { WalletError } from '../errors.ts'
import type { PageRequest } from '../protocol.ts'
import type { Asker } from './approvals.ts'
import type { Documents } from './documents.ts'

/** One method that pages may call. `params` are as the page sent them: parsed by the method, once. */
export type PageMethod = (asker: Asker, params: unknown) => Promise<unknown>

export type Pages = (asker: Asker, request: Pick<PageRequest, 'method' | 'params'>) => Promise<unknown>

type Parts = {
  /** Of the wallet, as the manifest has it. */
  version: string
  documents: Pick<Documents, 'view'>
  groups: Record<string, PageMethod>[]
}

/** All that pages may call. Throws `unknown-method`, or `unsupported-method` for what the wallet knows and does not do. */
export function createPages({ version, documents, groups }: Parts): Pages {
  const own: Record<string, PageMethod> = {
    web3_clientVersion: async () => `Sluice/${version}`,
    // Our own provider's: what it knows when it begins, and after its page came back from the browser's page cache.
    sluice_view: (asker) => documents.view(asker),
  }
  const methods = Object.assign(own, ...groups) as Record<string, PageMethod>

  return async (asker, { method, params }) => {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (run !== undefined) return run(asker, params)
    const why = Object.hasOwn(refused, method) ? refused[method] : undefined
    if (why !== undefined) throw new WalletError('unsupported-method', why, { method })
    throw new WalletError('unknown-method', `The wallet has no method called ${method}.`, { method })
  }
}

const typedData = 'Sluice signs structured data only as EIP-712 has it now: use eth_signTypedData_v4.'
const encryption = 'Sluice does not read or write encrypted messages. To prove an account use personal_sign.'

/** Methods that pages know from other wallets, and why there is no answer. */
const refused: Record<string, string> = {
  eth_sign: 'Sluice does not sign with eth_sign, for what it signs may be a transaction: use personal_sign.',
  eth_signTypedData: typedData,
  eth_signTypedData_v1: typedData,
  eth_signTypedData_v3: typedData,
  eth_decrypt: encryption,
  eth_getEncryptionPublicKey: encryption,
}
