import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { approval, permit2Approval } from '../../../src/background/tokens/approvalCalls.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

describe('approval', () => {
  it('encodes the call as specified by EIP-20', () => {
    expect(approval(dai, router, 255n)).toEqual({
      to: dai,
      data: `0x095ea7b3${'0'.repeat(24)}${router.slice(2)}${'0'.repeat(62)}ff`,
      value: 0n,
    })
  })
})

describe('permit2Approval', () => {
  it('approves the amount with the maximum expiration', () => {
    const words = encodeAbiParameters(parseAbiParameters('address, address, uint160, uint48'), [
      dai,
      router,
      5n,
      2 ** 48 - 1,
    ])
    const data = `0x87517c45${words.slice(2)}`
    expect(permit2Approval(dai, router, 5n)).toEqual({ to: permit2, data, value: 0n })
  })
  it('sets amount and expiration to zero to revoke', () => {
    expect(permit2Approval(dai, router, 0n).data).toBe(
      `0x87517c45${[dai, router].map((word) => word.slice(2).padStart(64, '0')).join('')}${'0'.repeat(128)}`,
    )
  })
})
