import { type ComponentChild, h } from 'preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { createPrices } from '../../../src/state/prices.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { FeeRow } from '../../../src/ui/fees/FeeRow.tsx'
import { FeeValue } from '../../../src/ui/fees/FeeValue.tsx'
import { SpeedRow } from '../../../src/ui/fees/SpeedRow.tsx'
import { useFeeFormat } from '../../../src/ui/fees/useFeeFormat.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const chainId = 1
const fee = { expectedFee: 133_000_000_000_000n, feeCap: 280_100_000_000_000n }
const oracle: TokenPrice = { usd: 300_000_000_000n, per: 10n ** 18n, source: 'oracle' }
const row = { speed: 'normal', coin: 'ETH', chainId, onPress: () => undefined } as const

describe('a network fee that is accepted', () => {
  it('names its maximum in the native token too, in text', async () => {
    const native = 'Max 0.00029 ETH'
    expect(textOf(await at(oracle, h(FeeRow, { ...row, cost: fee })))).toContain(`≈ $0.40, max $0.85`)
    expect(textOf(await at(oracle, h(FeeRow, { ...row, cost: fee })))).toContain(native)
    expect(textOf(await at(oracle, h(FeeValue, { fee, coin: 'ETH', chainId })))).toContain(native)
    expect(textOf(await at(oracle, h(SpeedProbe, {})))).toContain(native)
    expect(textOf(await at(oracle, h(CapProbe, { wei: fee.feeCap })))).toBe('$0.85 (0.00029 ETH)')
  })

  it('shows a false price’s small value beside the true maximum', async () => {
    const falsePrice: TokenPrice = { ...oracle, usd: 100_000_000n }
    const place = await at(
      falsePrice,
      h(FeeValue, { fee: { feeCap: 3n * 10n ** 17n }, coin: 'ETH', chainId }),
    )
    expect(textOf(place)).toBe('Max $0.30 Max 0.3 ETH')
  })

  it('is in the native token alone at a price that only the swap service knows', async () => {
    const place = await at({ ...oracle, source: 'service' }, h(FeeRow, { ...row, cost: fee }))
    expect(textOf(place)).toContain('≈ 0.00013, max 0.00029 ETH')
    expect(textOf(place)).not.toContain('$')
    expect(textOf(place)).not.toContain('Max 0.00029 ETH')
  })

  it('rounds a maximum up in the currency, and the expected fee to nearest', async () => {
    const same = { expectedFee: 3_333_333_333_333n, feeCap: 3_333_333_333_334n }
    const place = await at(oracle, h(FeeValue, { fee: same, coin: 'ETH', chainId }))
    expect(textOf(place)).toBe('≈ $0.01, max $0.02 Max 0.0000034 ETH')
    const least = await at(
      oracle,
      h(FeeValue, { fee: { expectedFee: 10n ** 9n, feeCap: 10n ** 9n }, coin: 'ETH', chainId }),
    )
    expect(textOf(least)).toContain('<$0.01, max $0.01')
  })

  it('has room for both lines before it is known', async () => {
    const place = await at(oracle, h(FeeRow, { ...row, cost: undefined }))
    expect(place.text).toContain('\u00a0')
  })
})

it('shows an estimate, which nobody accepts, without a maximum', async () => {
  const place = await at(oracle, h(FeeValue, { fee: { expectedFee: fee.expectedFee }, coin: 'ETH', chainId }))
  expect(textOf(place)).toBe('≈ $0.40')
})

function at(price: TokenPrice, child: ComponentChild): Promise<Node> {
  const unread = {
    prices: async () => ({ prices: {}, rate: { currency: 'USD', usd: 100_000_000n } as const }),
  }
  const prices = createPrices(unread, { now: () => 0, after: () => () => undefined })
  const readAt = { [nativeTokenAddress]: 0 }
  prices.setState({ chains: { [chainId]: { prices: { [nativeTokenAddress]: price }, old: {}, readAt } } })
  // Reads would replace the price.
  const stores = { prices: { ...prices, track: () => undefined } } as unknown as Stores
  return draw(h(StoresProvider, { value: stores, children: child }))
}

function SpeedProbe() {
  const cost = useFeeFormat('ETH', chainId).of(fee)
  return h(SpeedRow, { name: 'Normal', gwei: '1', cost, isChosen: false, onChoose: () => undefined })
}

function CapProbe({ wei }: { wei: bigint }) {
  return useFeeFormat('ETH', chainId).cap(wei)
}

function textOf({ text }: Node): string {
  return text.trim().replace(/ +/g, ' ')
}
