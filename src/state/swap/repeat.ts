import type { CallBatchKind } from '../../domain/activity/callBatch.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { formatExact } from '../../domain/token/amount.ts'
import type { Address } from '../../domain/token/token.ts'
import type { Send } from '../send/send.ts'
import type { Stores } from '../stores.ts'

/** Fills the form with a past swap, keeping only the recipient of its options. */
export async function repeatSwap(
  { settings, tokens, trade, router }: Pick<Stores, 'settings' | 'tokens' | 'trade' | 'router'>,
  { trade: { chainId, sell, buy, amount }, receiver }: Pick<SwapIntent, 'trade' | 'receiver'>,
): Promise<void> {
  const [sold, bought] = await Promise.all([tokens.peek(chainId, sell), tokens.peek(chainId, buy)])
  if (settings.getState().settings?.chainId !== chainId) await settings.save({ chainId })
  trade.fill({ chainId, sell: sold, buy: bought, amount, receiver })
  const network = settings.getState().settings?.networks.find((one) => one.chainId === chainId)
  if (network !== undefined) tokens.open(network)
  // They may be unlisted.
  for (const token of [sold, bought]) tokens.add(token)
  router.go('swap')
}

type Transfer = Extract<CallBatchKind, { kind: 'transfer' }>
type By = { chainId: number; account: Address; decimalMark: '.' | ',' }

export async function repeatTransfer(
  { settings, tokens, router }: Pick<Stores, 'settings' | 'tokens' | 'router'>,
  send: Pick<Send, 'fill'>,
  { token: address, amount, to }: Transfer,
  { chainId, account, decimalMark }: By,
): Promise<void> {
  const token = await tokens.peek(chainId, address)
  if (settings.getState().settings?.chainId !== chainId) await settings.save({ chainId })
  send.fill({ chainId, account, token, text: formatExact(amount, token.decimals, decimalMark), to })
  router.go('send')
}
