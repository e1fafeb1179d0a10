import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { allowanceData, approvalData, balanceData } from '../../src/chain/erc20.ts'
import type { Address } from '../../src/domain/token/token.ts'

const spender: Address = `0x${'5b'.repeat(20)}`

describe('the calldata of a token', () => {
  it('is what EIP-20 says', () => {
    const args = [spender, 5n] as const
    expect(approvalData(...args)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    expect(approvalData(spender, 5n)).toBe(`0x095ea7b3${'0'.repeat(24)}${'5b'.repeat(20)}${'0'.repeat(63)}5`)
    expect(balanceData(spender)).toBe(`0x70a08231${'0'.repeat(24)}${'5b'.repeat(20)}`)
    expect(allowanceData(spender, spender)).toMatch(/^0xdd62ed3e0{24}(5b){20}0{24}(5b){20}$/)
  })
})
