import { describe, expect, it } from 'vitest'
import type { Quote } from '../../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { formatDifference } from '../../../../src/ui/swap/quote/OtherSource.tsx'
import { dai, local, usdc } from '../../../helpers/state/fakes.ts'

const wrapped: Address = `0x${'c'.repeat(40)}`
const network = { ...local, wrapped }
const ether = 10n ** 18n
const milli = 10n ** 15n

function quote(buy: Address, returns: bigint, networkFee?: bigint): Quote {
  const trade = { chainId: local.chainId, sell: usdc.address, buy, amount: 1n }
  return { trade, returns, gas: 150_000n, route: [], ...(networkFee !== undefined && { networkFee }) }
}

function difference(buy: Address, inUse: [bigint, bigint?], other: [bigint, bigint?]): string {
  return formatDifference(quote(buy, ...inUse), quote(buy, ...other), network)
}

describe('the difference of two swap sources', () => {
  it('is net of network fees when the native or the wrapped token is bought', () => {
    for (const buy of [nativeTokenAddress, wrapped]) {
      // Returns 0.2 % more for a fee of 0.5 % more.
      const said = difference(buy, [ether, 0n], [ether + 2n * milli, 5n * milli])
      expect(said).toBe('−0.3% net')
      expect(difference(buy, [ether, milli], [ether + milli, 2n * milli])).toBe('same price')
    }
  })

  it('names the difference of the network fees for other tokens', () => {
    const inUse: [bigint, bigint] = [3_000_000n, milli]
    expect(difference(dai.address, inUse, [3_003_600n, (milli * 13n) / 10n])).toBe('+0.12%, fee +0.0003 ETH')
    expect(difference(dai.address, inUse, [3_000_000n, (milli * 7n) / 10n])).toBe(
      'same price, fee −0.0003 ETH',
    )
  })

  it('leaves out fees that differ by one percent at most, by too little to show, or are unknown', () => {
    expect(difference(dai.address, [3_000_000n, milli], [3_003_600n, milli + milli / 100n])).toBe('+0.12%')
    expect(difference(dai.address, [3_000_000n, 10n], [2_996_400n, 1_000n])).toBe('−0.12%')
    expect(difference(dai.address, [3_000_000n], [3_003_600n, milli])).toBe('+0.12%')
    expect(difference(wrapped, [ether], [ether + 2n * milli, 5n * milli])).toBe('+0.2%')
  })

  it('compares returns when the fee exceeds what is bought', () => {
    expect(difference(wrapped, [milli, 2n * milli], [milli * 2n, 3n * milli])).toBe('+100%, fee +0.001 ETH')
    expect(difference(dai.address, [0n], [1n])).toBe('same price')
  })
})
