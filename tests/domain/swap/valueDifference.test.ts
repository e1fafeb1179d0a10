import { expect, it } from 'vitest'
import { splitValueDifference } from '../../../src/domain/swap/valueDifference.ts'

const usd = (cents: bigint) => cents * 1_000_000n

it('leaves to the price sources what impact and fees do not explain', () => {
  const values = { paid: usd(300_000n), received: usd(299_000n), impact: usd(225n), fees: usd(300n) }
  expect(splitValueDifference(values)).toEqual({
    total: usd(1_000n),
    impact: usd(225n),
    fees: usd(300n),
    sources: usd(475n),
  })
})

it('has a gain from price sources where more value is received than paid', () => {
  const values = { paid: usd(100n), received: usd(102n), impact: usd(1n), fees: 0n }
  expect(splitValueDifference(values)).toMatchObject({ total: usd(-2n), sources: usd(-3n) })
})
