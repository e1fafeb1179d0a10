import { useEffect } from 'preact/hooks'
import type { Token } from '../../../domain/token/token.ts'
import { toUsd } from '../../../domain/value/price.ts'
import { formatValue } from '../../format/value.ts'
import { useStore, useStores } from './useStore.ts'

/** `usd` has eight decimals; `text` is in the chosen currency. */
export type Value = { usd: bigint; text: string }

/**
 * Returns an amount's value, and keeps the token's price up to date. Undefined without a price, or when
 * values are off. `chainId` defaults to the network shown.
 */
export function useValue(
  token: Pick<Token, 'address'> | undefined,
  amount: bigint | undefined,
  chainId?: number,
): Value | undefined {
  const { prices, tokens } = useStores()
  const shown = useStore(tokens, (state) => state.chainId)
  const chain = chainId ?? shown
  const address = token?.address
  const isShown = useStore(prices, (state) => state.isShown)
  const rate = useStore(prices, (state) => state.rate)
  const price = useStore(prices, ({ chains }) =>
    chain === undefined || address === undefined ? undefined : chains[chain]?.prices[address],
  )
  useEffect(() => {
    if (chain !== undefined && address !== undefined && isShown) prices.track(chain, [address])
  })
  if (!isShown || price === undefined || amount === undefined) return undefined
  const usd = toUsd(amount, price)
  return { usd, text: formatValue(usd, rate) }
}
