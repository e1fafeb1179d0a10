import * as z from 'zod/mini'
import { fund } from '../chain/faucet.ts'
import type { Address } from '../domain/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Events, Status, Wallet } from '../protocol.ts'
import type { Vault } from '../vault/vault.ts'
import { checkDecimals } from './decimals.ts'
import type { DraftStore } from './draft.ts'
import type { Networks } from './networks.ts'
import type { Quotes } from './quotes.ts'
import { makeReview } from './review.ts'
import type { SettingsStore } from './settings.ts'
import { address, chainId, intent, parse, slippage, trade } from './shapes.ts'
import type { Swaps } from './swaps.ts'
import type { createTokens } from './tokens.ts'

type Parts = {
  vault: Vault
  settings: SettingsStore
  drafts: DraftStore
  networks: Networks
  tokens: ReturnType<typeof createTokens>
  quote: Quotes
  swaps: Swaps
  events: Events
}

/** What the popup asks of the worker, each a few words to the part that does it. Arguments are read here, once. */
export function createWallet(parts: Parts): Wallet {
  const { vault, settings, drafts, networks, tokens, quote, swaps, events } = parts

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

  async function account(): Promise<Address> {
    const [first] = await vault.accounts()
    if (first === undefined) throw new WalletError('no-vault', 'The wallet has no account.')
    return first.address
  }

  async function tellStatus(): Promise<void> {
    events.status(await status())
  }

  return {
    status,
    passwordWrap: () => vault.passwordWrap(),
    async create(key, words) {
      const phrase = await vault.create(key, words)
      await tellStatus()
      return phrase
    },
    async importPhrase(key, phrase) {
      await vault.importPhrase(key, phrase)
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

    settings: () => settings.get(),
    async saveSettings(changed) {
      const saved = await settings.save(changed)
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
      return tokens(network.chainId, network.serviceUrl, await networks.api(network.chainId))
    },
    async token(id, token) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      return chain.token(parse(address, token, 'token'))
    },
    async balances(id, asked) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const wanted = parse(addresses, asked, 'list of tokens')
      // Another chain's balances are not shown as this one's.
      const [balances] = await Promise.all([chain.balances(await account(), wanted), chain.verify()])
      return balances
    },
    async fund(id) {
      const { faucetUrl, name } = await networks.network(parse(chainId, id, 'network'))
      if (faucetUrl === undefined) throw new WalletError('invalid-input', `${name} gives no test funds.`)
      await fund(faucetUrl, await account())
    },
    quote: async (asked) => quote(parse(trade, asked, 'trade')),
    async review(asked, slippageBps) {
      const wanted = parse(trade, asked, 'trade')
      const tolerance = parse(slippage, slippageBps, 'slippage')
      await vault.extend()
      const owner = await account()
      const api = await networks.api(wanted.chainId)
      const chain = await networks.chain(wanted.chainId)
      const { router, serviceUrl } = await networks.network(wanted.chainId)
      const list = await tokens(wanted.chainId, serviceUrl, api)
      const [review] = await Promise.all([
        makeReview(api, chain, owner, wanted, tolerance, router),
        checkDecimals(chain, list, [wanted.sell, wanted.buy]),
      ])
      return review
    },
    async swap(asked) {
      const wanted = parse(intent, asked, 'swap')
      await vault.extend()
      return swaps.swap(wanted)
    },
    swaps: () => swaps.list(),
  }
}

const addresses = z.array(address).check(z.maxLength(10_000))
