import type { Network } from '../domain/network.ts'
import { type Address, native, type Token } from '../domain/token.ts'
import type { Draft, Events, Wallet } from '../protocol.ts'
import { createAccount, type Keys } from './account.ts'
import { createApprovals } from './approvals.ts'
import type { Clock } from './clock.ts'
import { createPreview } from './preview.ts'
import { createProposal } from './proposal.ts'
import { createQuote } from './quote.ts'
import { type AskHost, createSettings, currentNetwork, isReady } from './settings.ts'
import { createSites } from './sites.ts'
import { createSwap, isOpen, type SwapStage } from './swap.ts'
import { createTokens } from './tokens.ts'
import { blank, createTrade, tradeOf } from './trade.ts'

export type World = {
  keys: Keys
  askHost: AskHost
  clock: Clock
  decimalMark: '.' | ','
  purpose: Purpose
}

/** What the window is for: the swap form, or what pages ask. */
export type Purpose = 'form' | 'requests'

const quoteEveryMs = 12_000

/** All stores, tied together: the form's trade is the one that is priced, a swap's events renew the balances. */
export function createStores(wallet: Wallet, { keys, askHost, clock, decimalMark, purpose }: World) {
  const account = createAccount(wallet, keys)
  const settings = createSettings(wallet, askHost)
  const tokens = createTokens(wallet, clock)
  // What a page proposes is not what the user left in the form.
  const trade = createTrade(purpose === 'form' ? wallet : { saveDraft: async () => undefined }, decimalMark)
  const quote = createQuote(wallet, {
    clock,
    random: Math.random,
    everyMs: (chainId) =>
      settings.getState().settings?.networks.find((one) => one.chainId === chainId)?.quoteEveryMs ??
      quoteEveryMs,
  })
  const swap = createSwap(wallet, clock)
  const approvals = createApprovals(wallet, clock)
  const sites = createSites(wallet)
  const preview = createPreview(wallet, clock)
  const proposal = createProposal({ wallet, tokens, trade, decimalMark })

  const isAccountOpen = () => account.getState().step === 'open'

  /** Opens the form on the network of the settings: as it was left, or the coin against the main stable. */
  async function openForm(): Promise<void> {
    const network = currentNetwork(settings.getState())
    if (purpose !== 'form' || network === undefined || !isAccountOpen()) return
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
      account.prefer(now.settings?.account)
      if (!isSameNetwork(currentNetwork(now), currentNetwork(before))) openForm()
    }),
    account.subscribe((now, before) => {
      // A request names its own account.
      if (purpose === 'form' && now.step === 'open') tokens.setAccount(now.account.address)
      if (now.step === before.step) return
      if (now.step === 'open') {
        openForm()
        // The form of a request stays as it is; its balances stood still meanwhile.
        if (purpose === 'requests') tokens.refresh()
        quote.watch(tradeOf(trade.getState()))
        // A swap that was begun elsewhere does not stand in the way of a request.
        const look = purpose === 'form' ? swap.load : swap.learn
        look().catch(() => undefined)
      } else {
        tokens.stop()
        quote.watch(undefined)
        swap.leave()
      }
    }),
    swap.subscribe(({ stage }, { stage: before }) => {
      quote.setReviewing(stage.at !== 'form')
      const [is, was] = [handedOver(stage), handedOver(before)]
      if (is !== undefined) approvals.hold(is)
      else if (was !== undefined && stage.at === 'progress') approvals.drop(was)
      else if (was !== undefined) approvals.release(was)
    }),
    // Nothing is reviewed for a request that is over.
    approvals.subscribe(({ open }) => {
      const { stage } = swap.getState()
      const request = 'plan' in stage ? stage.plan.request : undefined
      if (request === undefined || stage.at === 'confirming') return
      if (open.every(({ id }) => id !== request.id)) swap.leave()
    }),
  ]

  /** What to do with what the worker tells. */
  const events: Events = {
    status: account.heard,
    settings: settings.heard,
    swap(one) {
      swap.heard(one)
      if (!isOpen(one) || one.steps.some(({ state }) => state === 'mined')) tokens.refresh()
    },
    approvals: approvals.heard,
    sites: sites.heard,
  }

  return {
    purpose,
    account,
    settings,
    tokens,
    trade,
    quote,
    swap,
    approvals,
    sites,
    preview,
    proposal,
    events,

    /** The first questions to the worker. */
    async load(): Promise<void> {
      await Promise.all([account.load(), settings.load(), approvals.load()])
    },

    /** Test funds for a fresh account of the local world. */
    async fund(chainId: number, account: Address): Promise<void> {
      await wallet.fund(chainId, account)
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

/** The request that a swap is being handed over for. */
function handedOver(stage: SwapStage): string | undefined {
  return stage.at === 'confirming' ? stage.plan.request?.id : undefined
}

function isSameNetwork(one: Network | undefined, other: Network | undefined): boolean {
  return (
    one?.chainId === other?.chainId &&
    one?.serviceUrl === other?.serviceUrl &&
    one?.serviceKey === other?.serviceKey &&
    one?.rpcUrl === other?.rpcUrl
  )
}
