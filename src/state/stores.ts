import type { Network } from '../domain/network.ts'
import { native, type Token } from '../domain/token.ts'
import type { Draft, Events, Wallet } from '../protocol.ts'
import { createAccount, type Keys } from './account.ts'
import type { Clock } from './clock.ts'
import { createQuote } from './quote.ts'
import { type AskHost, createSettings, currentNetwork, isReady } from './settings.ts'
import { createSwap, isOpen } from './swap.ts'
import { createTokens } from './tokens.ts'
import { createTrade, tradeOf } from './trade.ts'

export type World = { keys: Keys; askHost: AskHost; clock: Clock; decimalMark: '.' | ',' }

const quoteEveryMs = 12_000

/** All stores, tied together: the form's trade is the one that is priced, a swap's events renew the balances. */
export function createStores(wallet: Wallet, { keys, askHost, clock, decimalMark }: World) {
  const account = createAccount(wallet, keys)
  const settings = createSettings(wallet, askHost)
  const tokens = createTokens(wallet, clock)
  const trade = createTrade(wallet, decimalMark)
  const quote = createQuote(wallet, {
    clock,
    random: Math.random,
    everyMs: (chainId) =>
      settings.getState().settings?.networks.find((one) => one.chainId === chainId)?.quoteEveryMs ??
      quoteEveryMs,
  })
  const swap = createSwap(wallet, clock)

  const isAccountOpen = () => account.getState().step === 'open'

  /** Opens the form on the network of the settings: as it was left, or the coin against the main stable. */
  async function openForm(): Promise<void> {
    const network = currentNetwork(settings.getState())
    if (network === undefined || !isAccountOpen()) return
    const { chainId } = network
    const known = tokens.getState().chainId === chainId
    if (!known) trade.start({ ...blank, chainId })
    const draft = known ? undefined : await wallet.draft().catch(() => undefined)
    if (!isReady(network)) return
    await tokens.open(network)
    if (!known) await fill(network, draft?.chainId === chainId ? draft : undefined)
  }

  async function fill(network: Network, draft: Draft | undefined): Promise<void> {
    const read = (address: Token['address'] | undefined) =>
      address === undefined ? undefined : tokens.read(network.chainId, address).catch(() => undefined)
    const [sell, buy] = await Promise.all([read(draft?.sell ?? native), read(draft?.buy ?? network.stable)])
    const now = trade.getState()
    if (now.chainId !== network.chainId) return
    // Whoever was quicker than the reads keeps what they chose.
    trade.start({
      chainId: network.chainId,
      sell: now.sell ?? sell,
      buy: now.buy ?? buy,
      text: now.text || (draft?.amount ?? ''),
      slippageBps: now.slippageBps ?? draft?.slippageBps,
    })
  }

  const ties = [
    trade.subscribe((state) => quote.watch(tradeOf(state))),
    settings.subscribe((now, before) => {
      if (!isSameNetwork(currentNetwork(now), currentNetwork(before))) openForm()
    }),
    account.subscribe(({ step }, before) => {
      if (step === before.step) return
      if (step === 'open') {
        openForm()
        quote.watch(tradeOf(trade.getState()))
        swap.load().catch(() => undefined)
      } else {
        tokens.stop()
        quote.watch(undefined)
        swap.leave()
      }
    }),
    swap.subscribe(({ stage }) => quote.setReviewing(stage.at !== 'form')),
  ]

  /** What to do with what the worker tells. */
  const events: Events = {
    status: account.heard,
    settings: settings.heard,
    swap(one) {
      swap.heard(one)
      if (!isOpen(one) || one.steps.some(({ state }) => state === 'mined')) tokens.refresh()
    },
  }

  return {
    account,
    settings,
    tokens,
    trade,
    quote,
    swap,
    events,

    /** The first questions to the worker. */
    async load(): Promise<void> {
      await Promise.all([account.load(), settings.load()])
    },

    /** Test funds for a fresh account of the local world. */
    async fund(): Promise<void> {
      const network = currentNetwork(settings.getState())
      if (network === undefined) return
      await wallet.fund(network.chainId)
      await tokens.refresh()
    },

    stop(): void {
      for (const untie of ties) untie()
      tokens.stop()
      quote.watch(undefined)
    },
  }
}

export type Stores = ReturnType<typeof createStores>

function isSameNetwork(one: Network | undefined, other: Network | undefined): boolean {
  return (
    one?.chainId === other?.chainId &&
    one?.serviceUrl === other?.serviceUrl &&
    one?.serviceKey === other?.serviceKey &&
    one?.rpcUrl === other?.rpcUrl
  )
}

const blank = { sell: undefined, buy: undefined, text: '', slippageBps: undefined }
