import { useEffect } from 'preact/hooks'
import type { NetworkFee } from '../../domain/network/networkFee.ts'
import { roundDownToDigits, roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { nativeTokenAddress } from '../../domain/token/token.ts'
import { toUsd } from '../../domain/value/price.ts'
import { t } from '../../i18n/translate.ts'
import { formatAmount } from '../format/numbers.ts'
import { formatValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/** A fee in the chosen currency, in the native token without a price; `native` always names the amounts. */
export type FeeText = { text: string; native: string }

/**
 * Returns formatters of network fees: `of` for "≈ $0.48, max $1.15", `amount` for one amount of wei. Without
 * a maximum, as in the swap form, only "≈ $0.48".
 */
export function useFeeFormat(coin: string, chainId: number) {
  const { prices } = useStores()
  const isShown = useStore(prices, (state) => state.isShown)
  const rate = useStore(prices, (state) => state.rate)
  const price = useStore(prices, ({ chains }) => chains[chainId]?.prices[nativeTokenAddress])
  useEffect(() => {
    if (isShown) prices.track(chainId, [nativeTokenAddress])
  })
  const toValue = (wei: bigint) => (isShown && price ? formatValue(toUsd(wei, price), rate) : undefined)
  const toNative = (wei: bigint) => `${formatAmount(wei, 18)} ${coin}`

  return {
    amount: (wei: bigint): FeeText => ({ text: toValue(wei) ?? toNative(wei), native: toNative(wei) }),

    of({ expectedFee, feeCap }: Partial<NetworkFee>): FeeText {
      const join = (ofExpected: Format, ofCap: Format) =>
        joinFee(
          expectedFee === undefined ? undefined : ofExpected(expectedFee),
          feeCap === undefined ? undefined : ofCap(feeCap),
        )
      // One symbol for both amounts.
      const first = feeCap === undefined ? toNative : (wei: bigint) => formatAmount(wei, 18)
      const short = join(
        (wei) => first(toNearest(wei)),
        (wei) => toNative(roundUpToDigits(wei, shortDigits)),
      )
      return { text: join(toValue, toValue) || short, native: join(first, toNative) }
    },
  }
}

type Format = (wei: bigint) => string | undefined

/** Of native amounts beside each other. */
const shortDigits = 2

function toNearest(wei: bigint): bigint {
  const [down, up] = [roundDownToDigits(wei, shortDigits), roundUpToDigits(wei, shortDigits)]
  return wei - down < up - wei ? down : up
}

/** Joins formatted amounts. Empty without any. */
export function joinFee(expected: string | undefined, cap: string | undefined): string {
  if (expected === undefined) return cap === undefined ? '' : t('Max {amount}', { amount: cap })
  if (expected === cap) return expected
  const isBound = expected.startsWith('<')
  if (cap === undefined) return isBound ? expected : t('≈ {amount}', { amount: expected })
  return isBound
    ? t('{amount}, max {max}', { amount: expected, max: cap })
    : t('≈ {amount}, max {max}', { amount: expected, max: cap })
}
