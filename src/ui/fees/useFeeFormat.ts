import { useEffect } from 'preact/hooks'
import type { NetworkFee } from '../../domain/network/networkFee.ts'
import { roundDownToDigits, roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { nativeTokenAddress } from '../../domain/token/token.ts'
import { toUsd } from '../../domain/value/price.ts'
import { t } from '../../i18n/translate.ts'
import { formatAmount } from '../format/numbers.ts'
import { formatMaxValue, formatValue } from '../format/value.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

/**
 * A fee in the chosen currency, in the native token without a price; `native` always names the amounts.
 * `max`: "Max 0.00028 ETH" where `text` has a maximum in the currency only, which a false price may belittle.
 */
export type FeeText = { text: string; native: string; max?: string }

/**
 * Returns formatters of network fees: `of` for "≈ $0.48, max $1.15", `cap` for one maximum of wei. Without
 * a maximum, as in the swap form, only "≈ $0.48". `hasValues`: in the currency;
 * `awaitsValues`: its price is being read.
 */
export function useFeeFormat(coin: string, chainId: number) {
  const { prices } = useStores()
  const isShown = useStore(prices, (state) => state.isShown)
  const rate = useStore(prices, (state) => state.rate)
  const known = useStore(prices, ({ chains }) => chains[chainId]?.prices[nativeTokenAddress])
  // A fee must not look small because the swap service says so.
  const isRead = useStore(prices, ({ chains }) => chains[chainId]?.readAt[nativeTokenAddress] !== undefined)
  const price = isShown && known?.source !== 'service' ? known : undefined
  useEffect(() => {
    if (isShown) prices.track(chainId, [nativeTokenAddress])
  })
  const toValue = (wei: bigint) => price && formatValue(toUsd(wei, price), rate)
  const toMaxValue = (wei: bigint) => price && formatMaxValue(wei, price, rate)
  const toNative = (wei: bigint) => `${formatAmount(wei, 18)} ${coin}`
  const toMaxNative = (wei: bigint) => toNative(roundUpToDigits(wei, shortDigits))

  return {
    hasValues: price !== undefined,
    awaitsValues: isShown && price === undefined && !isRead,

    cap(wei: bigint): string {
      const value = toMaxValue(wei)
      return value === undefined ? toMaxNative(wei) : `${value} (${toMaxNative(wei)})`
    },

    of({ expectedFee, feeCap }: Partial<NetworkFee>): FeeText {
      const join = (ofExpected: Format, ofCap: Format) =>
        joinFee(
          expectedFee === undefined ? undefined : ofExpected(expectedFee),
          feeCap === undefined ? undefined : ofCap(feeCap),
        )
      // One symbol for both amounts.
      const first = feeCap === undefined ? toNative : (wei: bigint) => formatAmount(wei, 18)
      const native = join(first, toNative)
      if (price === undefined) return { text: join((wei) => first(toNearest(wei)), toMaxNative), native }
      return {
        text: join(toValue, toMaxValue),
        native,
        ...(feeCap !== undefined && { max: t('Max {amount}', { amount: toMaxNative(feeCap) }) }),
      }
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
  const isBound = expected.startsWith('<')
  if (cap === undefined) return isBound ? expected : t('≈ {amount}', { amount: expected })
  return isBound
    ? t('{amount}, max {max}', { amount: expected, max: cap })
    : t('≈ {amount}, max {max}', { amount: expected, max: cap })
}
