import type { Network } from '../../domain/network/network.ts'
import { mainStablecoin } from '../../domain/token/pegGroups.ts'
import { nativeTokenAddress, type Token } from '../../domain/token/token.ts'
import type { Draft, SettingsApi } from '../../protocol.ts'
import { type createSettings, currentNetwork, isReachable, isReady } from '../settings.ts'
import type { createTokens } from '../tokens/tokens.ts'
import type { createSwapFlow } from './swapFlow.ts'
import { type createSwapFormStore, emptyForm } from './swapForm.ts'

export function createSwapForm(
  wallet: Pick<SettingsApi, 'draft'>,
  settings: Pick<ReturnType<typeof createSettings>, 'getState'>,
  tokens: Pick<ReturnType<typeof createTokens>, 'getState' | 'open' | 'read'>,
  trade: Pick<ReturnType<typeof createSwapFormStore>, 'getState' | 'start' | 'clear'>,
  swap: Pick<ReturnType<typeof createSwapFlow>, 'getState'>,
) {
  /** Restores the draft, or selects the native token and main stablecoin. */
  async function open(): Promise<void> {
    const network = currentNetwork(settings.getState())
    if (network === undefined) return
    const { chainId } = network
    const known = tokens.getState().chainId === chainId
    if (!known) trade.start({ ...emptyForm, chainId })
    const draft = known ? undefined : await wallet.draft().catch(() => undefined)
    if (!isReachable(network)) return
    await tokens.open(network)
    if (!known) await fill(network, draft?.chainId === chainId ? draft : undefined)
    clearIfDone()
  }

  /** Completed swaps leave no draft. */
  function clearIfDone(): void {
    for (const { intent, outcome } of swap.getState().swaps) {
      if (outcome.status === 'done' || outcome.status === 'below-minimum') trade.clear(intent.id)
    }
  }

  async function fill(network: Network, draft: Draft | undefined): Promise<void> {
    const read = (address: Token['address'] | undefined) =>
      address === undefined ? undefined : tokens.read(network.chainId, address).catch(() => undefined)
    // Wrapping needs no service.
    const usual = isReady(network) ? mainStablecoin(network) : network.wrapped
    const [sell, buy] = await Promise.all([
      read(draft?.sell ?? nativeTokenAddress),
      read(draft?.buy ?? usual),
    ])
    const now = trade.getState()
    if (now.chainId !== network.chainId) return
    // Filled by the user meanwhile.
    if (now.sell && now.buy && now.text) return
    // The user's choices win. A chosen token is not traded for itself.
    const chosenSell = now.sell ?? sell
    const isSame = buy !== undefined && buy.address === chosenSell?.address
    trade.start({
      chainId: network.chainId,
      sell: chosenSell,
      buy: now.buy ?? (isSame ? sell : buy),
      text: now.text || (draft?.amount ?? ''),
      side: now.text ? now.side : (draft?.side ?? 'sell'),
      kept: undefined,
      swapId: now.text ? now.swapId : draft?.swapId,
      slippageBps: now.slippageBps ?? draft?.slippageBps,
      receiver: now.receiver ?? draft?.receiver,
      excluded: now.excluded.length > 0 ? now.excluded : (draft?.excluded ?? []),
      allowPartialFill: now.allowPartialFill || (draft?.allowPartialFill ?? false),
      source: now.source ?? draft?.source,
    })
  }

  return { open, clearIfDone }
}
