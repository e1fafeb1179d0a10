import type { Activity } from '../domain/activity.ts'
import { type Network, serviceOf } from '../domain/network.ts'
import { mainStable } from '../domain/pegs.ts'
import { type Address, isNative, native, type Token } from '../domain/token.ts'
import type { Draft, Events, Wallet } from '../protocol.ts'
import { createAccount, type Keys } from './account.ts'
import { createActivity } from './activity.ts'
import { createApprovals } from './approvals.ts'
import type { Clock } from './clock.ts'
import { createPreview } from './preview.ts'
import { allowedSlippage, createProposal } from './proposal.ts'
import { createQuote } from './quote.ts'
import { type AskHost, createSettings, currentNetwork, isReachable, isReady, isReadyFor } from './settings.ts'
import { createSites } from './sites.ts'
import { createSwap, isOpen, type SwapStage } from './swap.ts'
import { createTokens } from './tokens.ts'
import { blank, createTrade, slippageOf, wantOf } from './trade.ts'

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

/** Of the coin, in wei: 400,000 gas at 25 gwei, on the safe side of an approval and a long route. */
const usualReserve = 400_000n * 25n * 10n ** 9n

/** All stores, tied together: the form's trade is the one that is priced, a swap's events renew the balances. */
export function createStores(wallet: Wallet, { keys, askHost, clock, decimalMark, purpose }: World) {
  const account = createAccount(wallet, keys)
  const settings = createSettings(wallet, askHost)
  const tokens = createTokens(wallet, clock)
  // What a page proposes is not what the user left in the form.
  const trade = createTrade(purpose === 'form' ? wallet : { saveDraft: async () => undefined }, decimalMark)
  const networkOf = (chainId: number | undefined) =>
    settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  const quote = createQuote(wallet, {
    clock,
    random: Math.random,
    everyMs: (chainId) => networkOf(chainId)?.quoteEveryMs ?? quoteEveryMs,
  })
  const swap = createSwap(wallet, clock)
  const approvals = createApprovals(wallet, clock)
  const sites = createSites(wallet)
  const preview = createPreview(wallet, clock)
  const activity = createActivity(wallet, clock)
  const proposal = createProposal({ wallet, tokens, trade })

  const isAccountOpen = () => account.getState().step === 'open'

  /** Opens the form on the network of the settings: as it was left, or the coin against the main stable. */
  async function openForm(): Promise<void> {
    const network = currentNetwork(settings.getState())
    if (purpose !== 'form' || network === undefined || !isAccountOpen()) return
    const { chainId } = network
    const known = tokens.getState().chainId === chainId
    if (!known) trade.start({ ...blank, chainId })
    const draft = known ? undefined : await wallet.draft().catch(() => undefined)
    if (!isReachable(network)) return
    await tokens.open(network)
    if (!known) await fill(network, draft?.chainId === chainId ? draft : undefined)
    clearIfDone()
  }

  /** A form whose swap is done is no draft of the next one. */
  function clearIfDone(): void {
    const { swapId } = trade.getState()
    const made = swap.getState().swaps.find(({ intent }) => intent.id === swapId)
    if (made?.outcome.status === 'done') trade.clear(made.intent.id)
  }

  async function fill(network: Network, draft: Draft | undefined): Promise<void> {
    const read = (address: Token['address'] | undefined) =>
      address === undefined ? undefined : tokens.read(network.chainId, address).catch(() => undefined)
    // Without a service the coin can still be wrapped.
    const usual = isReady(network) ? mainStable(network) : network.wrapped
    const [sell, buy] = await Promise.all([read(draft?.sell ?? native), read(draft?.buy ?? usual)])
    const now = trade.getState()
    if (now.chainId !== network.chainId) return
    // Whoever was quicker than the reads keeps what they chose.
    trade.start({
      chainId: network.chainId,
      sell: now.sell ?? sell,
      buy: now.buy ?? buy,
      text: now.text || (draft?.amount ?? ''),
      side: now.text ? now.side : (draft?.side ?? 'sell'),
      kept: undefined,
      swapId: now.text ? now.swapId : draft?.swapId,
      slippageBps: now.slippageBps ?? draft?.slippageBps,
      receiver: now.receiver ?? draft?.receiver,
      excluded: now.excluded.length > 0 ? now.excluded : (draft?.excluded ?? []),
      allowPartialFill: now.allowPartialFill || (draft?.allowPartialFill ?? false),
    })
  }

  /** What the form's swap may lose on the way: never more than the page allows that asks for it. */
  function slippage(): number {
    const bps = slippageOf(trade.getState(), settings.getState().settings)
    const proposed = proposal.getState()
    return proposed.status === 'none' ? bps : allowedSlippage(bps, proposed.request)
  }

  function watchForm(): void {
    const form = trade.getState()
    const network = networkOf(form.chainId)
    const want = wantOf(form, slippage(), network)
    quote.watch(want && network && isReadyFor(network, want) && isAccountOpen() ? want : undefined)
  }

  /** The newest press of a share. */
  let sharing = 0

  /** Of the coin so much has to stay that the swap can be paid for. A node that does not answer leaves a careful guess. */
  async function setShare(percent: number): Promise<void> {
    const form = trade.getState()
    const { chainId, sell } = form
    if (chainId === undefined || sell === undefined) return
    sharing += 1
    const mine = sharing
    const balance = tokens.getState().balances[sell.address]
    const price = quote.getState()
    const gas = price.status === 'ready' ? price.quote.gas : undefined
    const reserve =
      isNative(sell.address) && balance ? await wallet.reserve(chainId, gas).catch(() => usualReserve) : 0n
    // Whoever touched the form meanwhile, or pressed another share, wants that.
    if (mine === sharing && trade.getState() === form) trade.setShare(percent, balance, reserve)
  }

  const opened = new Map<unknown, unknown>()

  const ties = [
    trade.subscribe(watchForm),
    proposal.subscribe(watchForm),
    settings.subscribe((now, before) => {
      watchForm()
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
        watchForm()
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
      // From here on it may be done, whether this view lives to see it or not.
      if (stage !== before && stage.at === 'confirming') trade.setSwap(stage.intent.id)
      clearIfDone()
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

  /** What is mined, or over, has moved balances. */
  function heard(one: Activity): void {
    activity.heard(one)
    if (!isOpen(one) || one.steps.some(({ state }) => state === 'mined')) tokens.refresh()
  }

  /** What to do with what the worker tells. */
  const events: Events = {
    status: account.heard,
    settings: settings.heard,
    swap(one) {
      swap.heard(one)
      heard(one)
    },
    sending: heard,
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
    activity,
    events,
    setShare,

    /** A store that only a later screen needs: its code comes with that screen. Made once. */
    open<Store>(create: (wallet: Wallet, clock: Clock) => Store): Store {
      const made = opened.get(create) ?? create(wallet, clock)
      opened.set(create, made)
      return made as Store
    },

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
    (one && serviceOf(one)) === (other && serviceOf(other)) &&
    one?.serviceKey === other?.serviceKey &&
    one?.rpcUrl === other?.rpcUrl
  )
}
