import * as v from 'valibot'
import type { Site } from '../../../domain/dapp/site.ts'
import type { Address } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'
import type { Vault } from '../../../vault/vault.ts'
import type { Approvals, Executor } from '../../approvals/approvals.ts'
import type { Requester } from '../../approvals/store.ts'
import { address } from '../../schemas.ts'
import type { SettingsStore } from '../../settings.ts'
import type { Sites } from '../connectedSites.ts'
import type { RpcHandler } from '../router.ts'
import { parseParams } from './params.ts'

type Deps = {
  sites: Pick<Sites, 'get' | 'view' | 'disconnect'>
  approvals: Pick<Approvals, 'ask' | 'list' | 'approve' | 'withdrawSite'>
}

export type AccountMethods = {
  methods: Record<string, RpcHandler>
  /** Answers sites that only waited for the unlock. */
  unlocked(): Promise<void>
}

/** Account methods (EIP-1102, EIP-2255, MIP-2). */
export function createAccountMethods({ sites, approvals }: Deps): AccountMethods {
  /** Origins with an open `eth_requestAccounts`, which does not ask for other accounts. */
  const waiting = new Map<string, number>()

  async function connect(asker: Requester): Promise<Address[]> {
    const [known, { chainId }] = await Promise.all([sites.get(asker.origin), sites.view(asker.origin)])
    const ask = { kind: 'connect', accounts: known?.accounts ?? [] } as const
    return v.parse(answerShape, await approvals.ask(asker, ask, { chainId }))
  }

  async function seen({ origin }: Requester): Promise<Address[]> {
    return (await sites.view(origin)).accounts
  }

  const methods: Record<string, RpcHandler> = {
    eth_accounts: seen,
    eth_coinbase: async (asker) => (await seen(asker))[0],
    async eth_requestAccounts(asker) {
      const { origin } = asker
      const accounts = await seen(asker)
      if (accounts.length > 0) return accounts
      waiting.set(origin, (waiting.get(origin) ?? 0) + 1)
      try {
        return await connect(asker)
      } finally {
        const left = (waiting.get(origin) ?? 0) - 1
        if (left > 0) waiting.set(origin, left)
        else waiting.delete(origin)
      }
    },
    async wallet_requestPermissions(asker, params) {
      parseParams(permissionParams, params)
      return permissions(asker.origin, await connect(asker), await sites.get(asker.origin))
    },
    async wallet_getPermissions(asker) {
      return permissions(asker.origin, await seen(asker), await sites.get(asker.origin))
    },
    async wallet_revokePermissions({ origin }, params) {
      parseParams(permissionParams, params)
      await sites.disconnect(origin)
      await approvals.withdrawSite(origin)
      return null
    },
  }

  return {
    methods,
    async unlocked() {
      const open = (await approvals.list()).filter(
        ({ ask, origin }) => ask.kind === 'connect' && waiting.has(origin),
      )
      for (const { id, origin } of open) {
        const { accounts, chainId } = await sites.view(origin)
        if (accounts.length > 0) await approvals.approve(id, { kind: 'connect', accounts, chainId })
      }
    },
  }
}

type ConnectParts = {
  vault: Pick<Vault, 'accounts'>
  settings: Pick<SettingsStore, 'get'>
  sites: Pick<Sites, 'get' | 'save'>
  now?(): number
}

export function createConnect({ vault, settings, sites, now = Date.now }: ConnectParts): Executor {
  return async ({ origin }, decision) => {
    if (decision.kind !== 'connect')
      throw new WalletError('invalid-input', 'This is no answer to the request.')
    const { chainId } = decision
    const accounts = [...new Set(decision.accounts)]
    if (accounts.length === 0) throw new WalletError('invalid-input', 'Choose an account for the site.')
    const ours = new Set((await vault.accounts()).map((account) => account.address))
    if (!accounts.every((account) => ours.has(account))) {
      throw new WalletError('invalid-input', 'One of these accounts is not in the wallet.')
    }
    const { networks } = await settings.get()
    if (!networks.some((network) => network.chainId === chainId)) {
      throw new WalletError('unknown-chain', `The wallet knows no network ${chainId}.`, {
        chainId: String(chainId),
      })
    }
    const before = await sites.get(origin)
    const connectedAt = before !== undefined && before.accounts.length > 0 ? before.connectedAt : now()
    await sites.save({ origin, accounts, chainId, connectedAt })
    return accounts
  }
}

/** EIP-2255 format. Clients read the first caveat. */
function permissions(invoker: string, accounts: Address[], site: Site | undefined): unknown[] {
  if (accounts.length === 0) return []
  return [
    {
      invoker,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: accounts }],
      ...(site === undefined ? {} : { date: site.connectedAt }),
    },
  ]
}

const answerShape = v.array(address)

/** The only permission; its value grants nothing more. */
const permissionParams = v.pipe(v.array(v.strictObject({ eth_accounts: v.looseObject({}) })), v.length(1))
