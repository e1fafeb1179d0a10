import { browser } from 'wxt/browser'
import type { DappRequest } from '../../domain/dapp/approval.ts'
import type { WalletEvents } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import { createApprovals, type Executor } from '../approvals/approvals.ts'
import { createApprovalWindow } from '../approvals/popupWindow.ts'
import type { Badge } from '../badge.ts'
import type { Networks } from '../networks/networks.ts'
import type { SettingsStore } from '../settings.ts'
import type { LocalStorage, StorageArea } from '../storage.ts'
import type { CustomTokens } from '../tokens/customTokens.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { createSignatures } from '../transactions/signMessage.ts'
import { withPermissionCheck } from './checkPermission.ts'
import { createConnectedSites } from './connectedSites.ts'
import { createAccountMethods, createConnect } from './methods/accountMethods.ts'
import { createCallIds } from './methods/callIds.ts'
import { createChainMethods, executeChainRequest } from './methods/chainMethods.ts'
import { createFilters } from './methods/filters.ts'
import { createReadMethods } from './methods/readMethods.ts'
import { createCallMethods } from './methods/sendCalls.ts'
import { createSendExecutor, createSendMethods } from './methods/sendTransaction.ts'
import { signMethods } from './methods/signMethods.ts'
import { addAsset, assetMethods } from './methods/watchAsset.ts'
import { createByteBudget } from './ports/byteBudget.ts'
import { serveDapps } from './ports/connections.ts'
import { createSessions } from './ports/sessions.ts'
import type { RiskChecks } from './riskChecks.ts'
import { createRpcRouter } from './router.ts'
import { createSwapExecutor } from './swap/execute.ts'
import { createSwapMethod } from './swap/method.ts'

type Deps = {
  local: LocalStorage
  session: StorageArea
  vault: Vault
  settings: SettingsStore
  networks: Networks
  tokens: Tokens
  assets: CustomTokens
  intents: TransactionQueue
  events: Pick<WalletEvents, 'approvals' | 'sites'>
  risks: Pick<RiskChecks, 'check'>
  badge: Badge
  wake(): Promise<void>
}

/** Wires the dapp side. Call in the worker's first turn. */
export function startDapps({
  local,
  session,
  vault,
  settings,
  networks,
  assets,
  intents,
  events,
  ...parts
}: Deps) {
  const sites = createConnectedSites({
    vault,
    settings,
    local,
    async onChange() {
      await documents.tell()
      events.sites(await sites.list())
    },
  })
  const documents = createSessions({ session, sites })
  const budget = createByteBudget()
  const ids = createCallIds(local, Date.now)
  const window = createApprovalWindow({
    session,
    windows: browser.windows,
    badge: parts.badge,
    runtime: browser.runtime,
    url: browser.runtime.getURL('/popup.html#requests'),
    now: Date.now,
    random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  })
  const approvals = createApprovals({
    session,
    window,
    perform: withPermissionCheck({ sites, settings, intents }, (approval, decision, at) =>
      executors[approval.ask.kind](approval, decision, at),
    ),
    check: parts.risks.check,
    onChange: events.approvals,
    isThere: documents.isOpen,
    now: Date.now,
  })

  const sign = createSignatures(vault)
  const executors: Record<DappRequest['kind'], Executor> = {
    connect: createConnect({ vault, settings, sites }),
    'sign-message': sign,
    'sign-typed-data': sign,
    send: createSendExecutor({ intents, networks }),
    ...executeChainRequest({ sites, settings, networks }),
    'watch-asset': addAsset(assets),
    swap: createSwapExecutor({ ids, swaps: intents }),
  }

  const accounts = createAccountMethods({ sites, approvals })
  const swap = createSwapMethod({
    approvals,
    sites,
    settings,
    networks,
    tokens: parts.tokens,
    ids,
    swaps: intents,
    receipt: async (chainId, hash) =>
      (await networks.passthrough(chainId))('eth_getTransactionReceipt', [hash]),
    tell: (documentId, event) => void documents.send(documentId, event),
  })
  const answer = createRpcRouter({
    version: browser.runtime.getManifest().version,
    documents,
    reads: createReadMethods({ sites, networks, filters: createFilters({ session }), budget }),
    groups: [
      accounts.methods,
      createChainMethods({ sites, settings, approvals }),
      signMethods({ sites, approvals }),
      createSendMethods({ sites, approvals, intents, networks }),
      createCallMethods({ sites, settings, networks, approvals, intents, ids }),
      assetMethods({ sites, approvals, networks, assets }),
      { wallet_swap: swap },
    ],
  })
  serveDapps({ answer, documents, budget, approvals, wake: parts.wake })

  return {
    approvals,
    sites,
    remembering: [sites, ids],
    /** Call after a lock, unlock, or change of accounts or networks. */
    async changed(): Promise<void> {
      await documents.tell()
      if ((await vault.status()) === 'unlocked') await accounts.unlocked()
    },
  }
}
