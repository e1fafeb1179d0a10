import type { CallBatchKind } from '../../domain/activity/callBatch.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { formatExact } from '../../domain/token/amount.ts'
import type { Address } from '../../domain/token/token.ts'
import type { Send } from '../send/send.ts'
import type { Stores } from '../stores.ts'

/**
 * Fills the form to repeat a swap: only its recipient is kept of its options. Throws when tokens or network
 * are unavailable.
 */
export async function repeatSwap(
  { settings, tokens, trade, place }: Pick<Stores, 'settings' | 'tokens' | 'trade' | 'place'>,
  { trade: { chainId, sell, buy, amount }, receiver }: Pick<SwapIntent, 'trade' | 'receiver'>,
): Promise<void> {
  const [sold, bought] = await Promise.all([tokens.peek(chainId, sell), tokens.peek(chainId, buy)])
  if (settings.getState().settings?.chainId !== chainId) await settings.save({ chainId })
  trade.fill({ chainId, sell: sold, buy: bought, amount, receiver })
  const network = settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  if (network !== undefined) tokens.open(network)
  // They may be unlisted.
  for (const token of [sold, bought]) tokens.add(token)
  place.go('swap')
}

type Transfer = Extract<CallBatchKind, { kind: 'transfer' }>
type By = { chainId: number; account: Address; decimalMark: '.' | ',' }

/** Fills the send form to repeat a transfer from `account`. */
export async function repeatTransfer(
  { settings, tokens, place }: Pick<Stores, 'settings' | 'tokens' | 'place'>,
  send: Pick<Send, 'fill'>,
  { token: address, amount, to }: Transfer,
  { chainId, account, decimalMark }: By,
): Promise<void> {
  const token = await tokens.peek(chainId, address)
  if (settings.getState().settings?.chainId !== chainId) await settings.save({ chainId })
  send.fill({ chainId, account, token, text: formatExact(amount, token.decimals, decimalMark), to })
  place.go('send')
}
