import type { CallPreview } from '../domain/activity/callBatch.ts'
import type { Approval } from '../domain/dapp/approval.ts'
import type { Risk } from '../domain/dapp/risk.ts'
import { changeSettings, type Network, type SettingsChanges } from '../domain/network/network.ts'
import { type Address, isNative } from '../domain/token/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { fund } from '../evm/faucet.ts'
import { readChainId } from '../evm/node.ts'
import type { Status, WalletApi, WalletEvents } from '../protocol.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { Sites } from './dapp/permissions.ts'
import { gasReserve } from './fees/gasReserve.ts'
import type { Networks } from './networks/networks.ts'
import { requireRemovable } from './networks/removable.ts'
import type { PermittedChanges } from './permittedChanges.ts'
import type { ExactOutput } from './quotes/exactOutput.ts'
import type { Sources } from './quotes/liquiditySources.ts'
import type { PriceImpact } from './quotes/priceImpact.ts'
import type { Quotes } from './quotes/quotes.ts'
import { address, chainId, decision, intent, intentId, parse } from './schemas.ts'
import { type SettingsStore, urlSchema } from './settings.ts'
import type { DraftStore } from './swap/draft.ts'
import { readTradeMarket } from './swap/market.ts'
import type { Reviews } from './swap/reviewStore.ts'
import type { Allowances } from './tokens/allowances.ts'
import type { Assets } from './tokens/customTokens.ts'
import { type PickStore, picksChangeShape } from './tokens/favourites.ts'
import type { GetToken } from './tokens/getToken.ts'
import { revokeFee, revokeIntent } from './tokens/revoke.ts'
import type { Tokens } from './tokens/tokens.ts'
import { createTransactions, type TransactionDeps } from './transactions/api.ts'
import type { Intents } from './transactions/queue.ts'
import {
  accountChangesSchema,
  addressesSchema,
  amountSchema,
  exactOutputSchema,
  gasSchema,
  nameSchema,
  quoteRequestSchema,
  reviewRequestSchema,
  revokeRequestSchema,
  revokeSchema,
  seedIdSchema,
  settingsChangesSchema,
  siteSchema as siteShape,
  viewNameSchema,
} from './walletApiSchemas.ts'

type Deps = TransactionDeps & {
  vault: Vault
  settings: SettingsStore
  drafts: DraftStore
  changes: PermittedChanges
  networks: Networks
  tokens: Tokens
  /** When a network's list was had. */
  listedAt(network: Network): Promise<number | undefined>
  assets: Pick<Assets, 'list' | 'add' | 'forget'>
  picks: PickStore
  tokenOf: GetToken
  quote: Quotes
  impact: PriceImpact
  sellFor: ExactOutput
  sources: Sources
  reviews: Reviews
  allowances: Allowances
  intents: Pick<Intents, 'swap' | 'list' | 'openChains' | 'resume'>
  approvals: Approvals
  sites: Sites
  reset(): Promise<void>
  preview: (approval: Approval) => Promise<CallPreview>
  signRisks: (approval: Approval) => Promise<Risk[]>
  recipientRisks: (approval: Approval) => Promise<Risk[]>
  events: WalletEvents
}

/** What the popup asks of the worker, each a few words to the part that does it. Arguments are read here, once. */
export function createWallet(parts: Deps): WalletApi {
  const { vault, settings, drafts, networks, tokens, assets, picks, intents, approvals, sites, events } =
    parts

  async function status(): Promise<Status> {
    const state = await vault.status()
    if (state !== 'unlocked') return { vault: state }
    try {
      const overview = await vault.overview()
      const backedUp = overview.seeds.every((seed) => seed.backedUp)
      const isRestored = await vault.isRestored()
      return { vault: 'unlocked', ...overview, backedUp, ...(isRestored && { isRestored }) }
    } catch (error) {
      // Its time may be over between the questions.
      if (toWalletError(error).code === 'locked') return { vault: 'locked' }
      throw error
    }
  }

  /** Throws `locked`; `invalid-input` for accounts that are not the wallet's, or not for sites. */
  async function checkActing(wanted: Address[]): Promise<void> {
    checkAmong(await vault.accounts(), wanted)
  }

  async function ownAccount(asked: unknown): Promise<Address> {
    const account = parse(address, asked, 'account')
    checkAmong((await vault.overview()).accounts, [account])
    return account
  }

  /** A method of the vault that every view hears of, used by somebody who is there. The vault reads its secrets and names itself. */
  function told<Args extends unknown[], T>(change: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      await vault.extend()
      const answer = await change(...args)
      events.status(await status())
      return answer
    }
  }

  const unlock = told(vault.unlock)

  async function openRequest(id: string): Promise<Approval> {
    const approval = await approvals.find(parse(nameSchema, id, 'request'))
    if (approval === undefined) throw new WalletError('invalid-input', 'This request is no longer open.')
    return approval
  }

  return {
    status,
    passwordWrap: vault.passwordWrap,
    create: told(vault.create),
    importPhrase: told(vault.importPhrase),
    importKey: told(vault.importKey),
    importWatched: told(vault.importWatched),
    async unlock(dataKey) {
      await unlock(dataKey)
      await intents.resume()
    },
    rewrap: vault.rewrap,
    // Neither the settings nor the vault have to be readable for it.
    async lock() {
      await vault.lock()
      events.status({ vault: 'locked' })
    },
    reset: told(parts.reset),
    reveal: async (dataKey, seed) => vault.reveal(dataKey, parse(seedIdSchema, seed, 'phrase')),
    revealKey: async (dataKey, one) => vault.revealKey(dataKey, parse(address, one, 'account')),
    confirmBackup: told(async (seed) => vault.confirmBackup(parse(seedIdSchema, seed, 'phrase'))),
    confirmRestored: told(vault.confirmRestored),
    addAccount: told(async (seed) => vault.addAccount(parse(seedIdSchema, seed, 'phrase'))),
    addSeed: told(vault.addSeed),
    addPhrase: told(vault.addPhrase),
    addKey: told(vault.addKey),
    addWatched: told(vault.addWatched),
    changeAccount: told(async (one, changes) =>
      vault.changeAccount(parse(address, one, 'account'), parse(accountChangesSchema, changes, 'change')),
    ),
    orderAccounts: told(async (all) => vault.orderAccounts(parse(addressesSchema, all, 'order'))),
    removeAccount: told(async (one) => vault.removeAccount(parse(address, one, 'account'))),
    removeSeed: told(async (seed) => vault.removeSeed(parse(nameSchema, seed, 'phrase'))),

    settings: () => settings.get(),
    async saveSettings(asked) {
      const changes = parse(settingsChangesSchema, asked, 'settings') as SettingsChanges
      const busy = await intents.openChains()
      await settings.update((before) => {
        const after = changeSettings(before, changes)
        requireRemovable(changes.removed ?? [], after.chainId, busy)
        return after
      })
    },
    keepChange: parts.changes.keep,
    carryOutChange: async (id) => parts.changes.carryOut(parse(intentId, id, 'change')),
    dropChange: async (id) => parts.changes.drop(parse(intentId, id, 'change')),
    unreadChange: parts.changes.unread,
    chainAt: async (rpcUrl) => readChainId(parse(urlSchema, rpcUrl, 'node')),
    health: async (id) => networks.health(parse(chainId, id, 'network')),
    lacks: async (id) => networks.lacks(parse(chainId, id, 'network')),
    draft: async () => drafts.get((await settings.get()).chainId),
    async saveDraft(draft) {
      await vault.extend()
      await drafts.save(draft)
    },

    async tokens(id) {
      const network = await networks.network(parse(chainId, id, 'network'))
      // Where there is no service, there is no list to miss.
      const list = network.serviceUrl === '' ? [] : await tokens(network)
      const added = await assets.list(network.chainId)
      return [...list, ...added.filter((token) => list.every(({ address }) => address !== token.address))]
    },
    async importToken(id, asked) {
      const [chain, token] = [parse(chainId, id, 'network'), parse(address, asked, 'token')]
      const found = await parts.tokenOf(chain, token)
      if (!found.listed && !isNative(token)) await assets.add(chain, found, '')
      return found
    },
    forgetToken: async (id, token) =>
      assets.forget(parse(chainId, id, 'network'), parse(address, token, 'token')),
    async picks(id) {
      const network = await networks.network(parse(chainId, id, 'network'))
      return { ...(await picks.get(network.chainId)), listedAt: await parts.listedAt(network) }
    },
    changePicks: async (id, change) =>
      picks.change(
        parse(chainId, id, 'network'),
        parse(picksChangeShape, change, 'change of what is marked'),
      ),
    async token(id, token) {
      return parts.tokenOf(parse(chainId, id, 'network'), parse(address, token, 'token'))
    },
    async balances(id, account, asked) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const wanted = parse(addressesSchema, asked, 'list of tokens')
      const owner = await ownAccount(account)
      // Another chain's balances are not shown as this one's.
      const [balances] = await Promise.all([chain.balances(owner, wanted), chain.verify()])
      return balances
    },
    async fund(id, account) {
      const { faucetUrl, name } = await networks.network(parse(chainId, id, 'network'))
      if (faucetUrl === undefined) throw new WalletError('invalid-input', `${name} gives no test funds.`)
      await fund(faucetUrl, await ownAccount(account))
    },

    async quote(asked, view) {
      return parts.quote(parse(quoteRequestSchema, asked, 'trade'), parse(viewNameSchema, view, 'view'))
    },
    async impact(asked, returns, view) {
      const ask = parse(quoteRequestSchema, asked, 'trade')
      return parts.impact(ask, parse(amountSchema, returns, 'amount'), parse(viewNameSchema, view, 'view'))
    },
    async market(asked) {
      const ask = parse(quoteRequestSchema, asked, 'trade')
      const chain = await networks.chain(ask.trade.chainId)
      const [market] = await Promise.all([readTradeMarket(chain, ask), chain.verify()])
      return market
    },
    async sellFor(asked, view) {
      return parts.sellFor(parse(exactOutputSchema, asked, 'pair'), parse(viewNameSchema, view, 'view'))
    },
    async reserve(id, limit) {
      return gasReserve(await networks.chain(parse(chainId, id, 'network')), parse(gasSchema, limit, 'gas'))
    },
    sources: async (id) => parts.sources(parse(chainId, id, 'network')),

    async review(asked) {
      const wanted = parse(reviewRequestSchema, asked, 'trade')
      // Reviews renew themselves, also when nobody is there.
      if (!wanted.unattended) await vault.extend()
      await vault.requireKey(wanted.account)
      return parts.reviews.review(wanted)
    },
    recheck: async (id) => parts.reviews.recheck(parse(intentId, id, 'review')),
    async swap(asked) {
      const wanted = parse(intent, asked, 'swap')
      await vault.extend()
      return intents.swap(wanted)
    },
    swaps: () => intents.list(),

    async allowances(id, account) {
      return parts.allowances(parse(chainId, id, 'network'), await ownAccount(account))
    },
    async allowance(id, account, token, spender) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const [sold, taker] = [parse(address, token, 'token'), parse(address, spender, 'spender')]
      const owner = await ownAccount(account)
      const [{ allowance }] = await Promise.all([chain.position(owner, sold, taker), chain.verify()])
      return allowance
    },
    async revokeFee(asked) {
      const ask = parse(revokeRequestSchema, asked, 'permission')
      await vault.requireKey(ask.account)
      return revokeFee(await networks.chain(ask.chainId), ask)
    },
    async revoke(asked) {
      const wanted = parse(revokeSchema, asked, 'permission')
      await vault.extend()
      return intents.send(revokeIntent(wanted))
    },
    ...createTransactions(parts),

    approvals: () => approvals.list(),
    preview: async (id) => parts.preview(await openRequest(id)),
    signRisks: async (id) => parts.signRisks(await openRequest(id)),
    recipientRisks: async (id) => parts.recipientRisks(await openRequest(id)),
    async approve(id, asked) {
      const answer = parse(decision, asked, 'answer')
      await vault.extend()
      // Only who opened the wallet says yes, also where no key is needed.
      await checkActing(answer.kind === 'connect' ? answer.accounts : [])
      await approvals.approve(parse(nameSchema, id, 'request'), answer)
    },
    async reject(id) {
      await vault.extend()
      await approvals.reject(parse(nameSchema, id, 'request'))
    },
    async rejectAll() {
      await vault.extend()
      await approvals.rejectAll()
    },
    showApprovals: () => approvals.show(),
    sites: () => sites.list(),
    async saveSite(asked) {
      const site = parse(siteShape, asked, 'site')
      await vault.extend()
      await checkActing(site.accounts)
      await sites.change(site)
    },
    async disconnect(origin) {
      await vault.extend()
      const site = parse(nameSchema, origin, 'site')
      await sites.disconnect(site)
      await approvals.withdrawSite(site)
    },
  }
}

function checkAmong(own: { address: Address }[], wanted: Address[]): void {
  const stranger = wanted.find((one) => own.every((account) => account.address !== one))
  if (stranger !== undefined) {
    throw new WalletError('invalid-input', `The account ${stranger} is not one of this wallet.`)
  }
}
