import type { Activity } from '../domain/activity/activity.ts'
import { hasOutcome } from '../domain/activity/intent.ts'
import { getService, type Network } from '../domain/network/network.ts'
import type { Address } from '../domain/token/token.ts'
import type { WalletApi, WalletEvents } from '../protocol.ts'
import { createAccount, type KeyCrypto } from './account.ts'
import { createActivity } from './activity/activity.ts'
import { createApprovals } from './approvals.ts'
import type { BrowserApi } from './browserApi.ts'
import type { Clock } from './clock.ts'
import { createPrices } from './prices.ts'
import { randomId } from './randomId.ts'
import { createRouter, type PopupRoute, routeHref } from './router.ts'
import type { Session } from './session.ts'
import { createSettings, currentNetwork, isReadyFor } from './settings.ts'
import { createSites } from './sites.ts'
import { allowedSlippage, createDappSwapRequest } from './swap/dappSwapRequest.ts'
import { createSwapForm } from './swap/initSwapForm.ts'
import { createQuote } from './swap/quote.ts'
import { createPercentage } from './swap/setPercentage.ts'
import { createSwapFlow, type SwapStage } from './swap/swapFlow.ts'
import { createSwapFormStore, effectiveSlippage, toQuoteIntent } from './swap/swapForm.ts'
import { createTokens } from './tokens/tokens.ts'

export type StoreDeps = {
  keys: KeyCrypto
  clock: Clock
  decimalMark: '.' | ','
  purpose: WindowKind
  browserApi: BrowserApi
}

/** Reports to stores that `get` creates. */
type MadeStore = { lock?(): void; leaveAccount?(): void; setHidden?(hidden: boolean): void; touch?(): void }

export type WindowKind = 'form' | 'requests'

const quoteEveryMs = 12_000

export function createStores(
  wallet: WalletApi,
  { keys, clock, decimalMark, purpose, browserApi }: StoreDeps,
) {
  const router = createRouter(browserApi.bar)
  const account = createAccount(wallet, keys, clock)
  const settings = createSettings(wallet, browserApi)
  const tokens = createTokens(wallet, clock)
  const prices = createPrices(wallet, clock)
  // A dapp's proposal must not overwrite the user's draft.
  const trade = createSwapFormStore(
    purpose === 'form' ? wallet : { saveDraft: async () => undefined },
    decimalMark,
  )
  const networkOf = (chainId: number | undefined) =>
    settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  const quote = createQuote(wallet, {
    clock,
    random: Math.random,
    everyMs: (chainId) => networkOf(chainId)?.quoteEveryMs ?? quoteEveryMs,
  })
  const swap = createSwapFlow(wallet, clock, randomId, prices)
  const approvals = createApprovals(wallet, clock)
  const sites = createSites(wallet)
  const activity = createActivity(wallet, clock)
  const dappSwapRequest = createDappSwapRequest({ wallet, tokens, trade })

  const swapForm = createSwapForm(wallet, settings, tokens, trade, swap)
  const setPercentage = createPercentage(wallet, tokens, quote, trade)

  const isAccountOpen = () => account.getState().step === 'open'

  /** Limited by the dapp's request. */
  function slippage(): number {
    const bps = effectiveSlippage(trade.getState(), settings.getState().settings)
    const proposed = dappSwapRequest.getState()
    return proposed.status === 'none' ? bps : allowedSlippage(bps, proposed.request)
  }

  function openForm(): void {
    if (purpose === 'form' && isAccountOpen()) swapForm.open()
  }

  function watchForm(): void {
    const form = trade.getState()
    const network = networkOf(form.chainId)
    const want = toQuoteIntent(form, slippage(), network)
    const { at } = router.getState()
    const isShown = purpose === 'requests' || at === 'swap' || (at === 'overview' && isFormBeside)
    const isSeen = isAccountOpen() && isShown
    quote.watch(want && network && isReadyFor(network, want) && isSeen ? want : undefined)
  }

  let isFormBeside = false
  /** Last report of visibility. */
  let isHidden = false
  const made = new Map<unknown, MadeStore>()
  const attentive = (): MadeStore[] => [quote, swap, tokens, ...made.values()]

  const ties = [
    trade.subscribe(watchForm),
    // Values on screen follow the balances' pace.
    tokens.subscribe(({ readAt }, before) => {
      if (readAt !== before.readAt) prices.renew()
    }),
    dappSwapRequest.subscribe(watchForm),
    router.subscribe(watchForm),
    settings.subscribe((now, before) => {
      watchForm()
      account.prefer(now.settings?.account)
      if (now.settings) prices.setDisplay(now.settings.currency, now.settings.showValues)
      if (!isSameNetwork(currentNetwork(now), currentNetwork(before))) openForm()
    }),
    account.subscribe((now, before) => {
      // A request names its own account.
      if (purpose === 'form' && now.step === 'open') tokens.setAccount(now.account.address)
      if (now.step === 'open' && before.step === 'open' && now.account.address !== before.account.address)
        for (const store of made.values()) store.leaveAccount?.()
      if (now.step === before.step) return
      if (now.step === 'open') {
        openForm()
        // Balances were not read while locked.
        if (purpose === 'requests') tokens.refresh()
        watchForm()
        // A running swap must not hide a request.
        const look = purpose === 'form' ? swap.load : swap.learn
        look().catch(() => undefined)
      } else {
        tokens.stop()
        quote.watch(undefined)
        swap.leave()
        for (const store of made.values()) store.lock?.()
        if (now.step === 'locked') swap.learn().catch(() => undefined)
      }
    }),
    swap.subscribe(({ stage }, { stage: before }) => {
      quote.setReviewing(stage.at !== 'form')
      // It may complete after this view closes.
      if (stage !== before && stage.at === 'confirming') trade.setSwap(stage.intent.id)
      swapForm.clearIfDone()
      const [is, was] = [handedOver(stage), handedOver(before)]
      if (is !== undefined) approvals.hold(is)
      else if (was !== undefined && stage.at === 'progress') approvals.drop(was)
      else if (was !== undefined) approvals.release(was)
    }),
    approvals.subscribe(({ open }) => {
      const { stage } = swap.getState()
      const request = 'plan' in stage ? stage.plan.request : undefined
      if (request === undefined || stage.at === 'confirming') return
      if (open.every(({ id }) => id !== request.id)) swap.leave()
    }),
  ]

  function heard(one: Activity): void {
    activity.heard(one)
    if (!isAccountOpen()) return
    if (hasOutcome(one) || one.steps.some(({ state }) => state === 'mined')) tokens.refresh()
  }

  const events: WalletEvents = {
    status: account.heard,
    settings: settings.heard,
    swap(one) {
      swap.heard(one)
      heard(one)
    },
    callBatch: heard,
    incoming: activity.heard,
    approvals: approvals.heard,
    sites: sites.heard,
  }

  return {
    purpose,
    router,
    account,
    settings,
    tokens,
    prices,
    trade,
    quote,
    swap,
    approvals,
    sites,
    dappSwapRequest,
    activity,
    events,
    browserApi,
    setPercentage,
    /** False when this page is a tab already. */
    openTab: (place: PopupRoute) => browserApi.openTab(routeHref(place)),

    /** Creates a store on first use, and calls what it has of `MadeStore`. */
    get<Store extends object>(create: (wallet: WalletApi, clock: Clock, session: Session) => Store): Store {
      const known = made.get(create)
      if (known !== undefined) return known as Store
      const store: Store & MadeStore = create(wallet, clock, browserApi.session)
      made.set(create, store)
      if (isHidden) store.setHidden?.(true)
      return store
    },

    /** Stops reads for a view that is not seen. */
    setHidden(hidden: boolean): void {
      isHidden = hidden
      for (const store of attentive()) store.setHidden?.(hidden)
    },

    /** Reports user activity. */
    touch(): void {
      for (const store of attentive()) store.touch?.()
    },

    /** A wide view shows the swap form beside the home screen. */
    setFormBeside(isBeside: boolean): void {
      isFormBeside = isBeside
      watchForm()
    },

    async load(): Promise<void> {
      await Promise.all([account.load(), settings.load(), approvals.load()])
    },

    async fund(chainId: number, account: Address): Promise<void> {
      await wallet.requestTestFunds(chainId, account)
      await tokens.refresh()
    },

    stop(): void {
      for (const untie of ties) untie()
      tokens.stop()
      prices.stop()
      quote.watch(undefined)
    },
  }
}

export type Stores = ReturnType<typeof createStores>

function handedOver(stage: SwapStage): string | undefined {
  return stage.at === 'confirming' ? stage.plan.request?.id : undefined
}

function isSameNetwork(one: Network | undefined, other: Network | undefined): boolean {
  return (
    (one && getService(one)) === (other && getService(other)) &&
    one?.serviceKey === other?.serviceKey &&
    one?.rpcUrl === other?.rpcUrl
  )
}
