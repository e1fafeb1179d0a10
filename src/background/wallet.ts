import * as z from 'zod/mini'
import { fund } from '../chain/faucet.ts'
import type { Approval } from '../domain/approval.ts'
import type { Preview } from '../domain/calls.ts'
import { changeSettings, type SettingsChanges } from '../domain/network.ts'
import type { Site } from '../domain/site.ts'
import type { Address } from '../domain/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Events, ReviewAsk, Status, Wallet } from '../protocol.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import type { Assets } from './assets.ts'
import { checkDecimals } from './decimals.ts'
import type { DraftStore } from './draft.ts'
import type { Intents } from './intents.ts'
import type { Networks } from './networks.ts'
import type { Quotes } from './quotes.ts'
import { makeReview } from './review.ts'
import type { SellFor, Wanted } from './sellFor.ts'
import type { SettingsStore } from './settings.ts'
import { address, chainId, decision, intent, parse, slippage, trade, uint256 } from './shapes.ts'
import type { Sites } from './sites.ts'
import type { TokenOf } from './tokenOf.ts'
import type { createTokens } from './tokens.ts'

type Parts = {
  vault: Vault
  settings: SettingsStore
  drafts: DraftStore
  networks: Networks
  tokens: ReturnType<typeof createTokens>
  assets: Pick<Assets, 'list'>
  tokenOf: TokenOf
  quote: Quotes
  sellFor: SellFor
  swaps: Pick<Intents, 'swap' | 'list' | 'resume'>
  approvals: Approvals
  sites: Sites
  preview: (approval: Approval) => Promise<Preview>
  events: Events
}

/** What the popup asks of the worker, each a few words to the part that does it. Arguments are read here, once. */
export function createWallet(parts: Parts): Wallet {
  const { vault, settings, drafts, networks, tokens, assets, quote, swaps, approvals, sites, events } = parts

  async function status(): Promise<Status> {
    const state = await vault.status()
    if (state !== 'unlocked') return { vault: state }
    try {
      return { vault: 'unlocked', accounts: await vault.accounts(), backedUp: await vault.backedUp() }
    } catch (error) {
      // Its time may be over between the questions.
      if (toWalletError(error).code === 'locked') return { vault: 'locked' }
      throw error
    }
  }

  /** Throws `locked`, and `invalid-input` where one of them is not the wallet's. */
  async function checkOwn(wanted: Address[]): Promise<void> {
    const own = await vault.accounts()
    const stranger = wanted.find((one) => own.every((account) => account.address !== one))
    if (stranger !== undefined) {
      throw new WalletError('invalid-input', `The account ${stranger} is not one of this wallet.`)
    }
  }

  async function ownAccount(asked: unknown): Promise<Address> {
    const account = parse(address, asked, 'account')
    await checkOwn([account])
    return account
  }

  async function tellStatus(): Promise<void> {
    events.status(await status())
  }

  return {
    status,
    passwordWrap: () => vault.passwordWrap(),
    async create(key, secret) {
      await vault.create(key, secret)
      await tellStatus()
    },
    async importPhrase(key, secret) {
      await vault.importPhrase(key, secret)
      await tellStatus()
    },
    async unlock(dataKey) {
      await vault.unlock(dataKey)
      await tellStatus()
      await swaps.resume()
    },
    rewrap: (key) => vault.rewrap(key),
    async lock() {
      await vault.lock()
      await tellStatus()
    },
    reveal: (dataKey) => vault.reveal(dataKey),
    async confirmBackup() {
      await vault.confirmBackup()
      await tellStatus()
    },
    async addAccount() {
      await vault.extend()
      const added = await vault.addAccount()
      await tellStatus()
      return added
    },

    settings: () => settings.get(),
    async saveSettings(changed) {
      const changes = parse(changesShape, changed, 'settings') as SettingsChanges
      const saved = await settings.update((before) => changeSettings(before, changes))
      await vault.setAutoLock(saved.autoLockMinutes)
      events.settings(saved)
    },
    draft: () => drafts.get(),
    async saveDraft(draft) {
      await vault.extend()
      await drafts.save(draft)
    },

    async tokens(id) {
      const network = await networks.network(parse(chainId, id, 'network'))
      const [list, added] = await Promise.all([
        tokens(network.chainId, network.serviceUrl, await networks.api(network.chainId)),
        assets.list(network.chainId),
      ])
      return [...list, ...added.filter((token) => list.every(({ address }) => address !== token.address))]
    },
    async token(id, token) {
      return parts.tokenOf(parse(chainId, id, 'network'), parse(address, token, 'token'))
    },
    async balances(id, account, asked) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const wanted = parse(addresses, asked, 'list of tokens')
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
    quote: async (asked, view) => quote(parse(trade, asked, 'trade'), parse(z.optional(name), view, 'view')),
    sellFor: async (asked) => parts.sellFor(parse(wanted, asked, 'pair')),
    async review(asked) {
      const { trade, slippageBps, account, atLeast } = parse(reviewAsk, asked, 'trade')
      await vault.extend()
      const owner = await ownAccount(account)
      const api = await networks.api(trade.chainId)
      const chain = await networks.chain(trade.chainId)
      const { router, serviceUrl } = await networks.network(trade.chainId)
      const list = await tokens(trade.chainId, serviceUrl, api)
      const [review] = await Promise.all([
        makeReview(api, chain, owner, trade, slippageBps, router, atLeast),
        checkDecimals(chain, list, [trade.sell, trade.buy]),
      ])
      return review
    },
    async swap(asked) {
      const wanted = parse(intent, asked, 'swap')
      await vault.extend()
      return swaps.swap(wanted)
    },
    swaps: () => swaps.list(),

    approvals: () => approvals.list(),
    async preview(id) {
      const approval = await approvals.find(parse(name, id, 'request'))
      if (approval === undefined) throw new WalletError('invalid-input', 'This request is no longer open.')
      return parts.preview(approval)
    },
    async approve(id, asked) {
      const answer = parse(decision, asked, 'answer')
      await vault.extend()
      // Only who opened the wallet says yes, also where no key is needed.
      await checkOwn(answer.kind === 'connect' ? answer.accounts : [])
      await approvals.approve(parse(name, id, 'request'), answer)
    },
    async reject(id) {
      await vault.extend()
      await approvals.reject(parse(name, id, 'request'))
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
      await checkOwn(site.accounts)
      await sites.change(site)
    },
    async disconnect(origin) {
      await vault.extend()
      const site = parse(name, origin, 'site')
      await sites.disconnect(site)
      await approvals.withdrawSite(site)
    },
  }
}

const name = z.string().check(z.maxLength(2_000))

const addresses = z.array(address).check(z.maxLength(10_000))

const wanted: z.ZodMiniType<Wanted> = z
  .object({ chainId, sell: address, buy: address, returns: uint256.check(z.positive()) })
  .check(z.refine(({ sell, buy }) => sell !== buy, 'sells and buys the same token'))

const reviewAsk: z.ZodMiniType<ReviewAsk> = z.object({
  trade,
  slippageBps: slippage,
  account: address,
  atLeast: z.exactOptional(uint256),
})

/** What is in them is for the settings' own shape to say. */
const changesShape = z.looseObject({
  networks: z.exactOptional(z.array(z.looseObject({ chainId }))),
})

const siteShape: z.ZodMiniType<Site> = z.object({
  origin: name,
  accounts: z.array(address),
  chainId,
  connectedAt: z.number(),
})
