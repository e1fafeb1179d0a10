import fc from 'fast-check'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { allowanceData, approvalData, balanceData, decodeApproval } from '../../src/chain/erc20.ts'
import type { Address, Hex } from '../../src/domain/token.ts'

const spender: Address = `0x${'5b'.repeat(20)}`
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)

describe('the calldata of a token', () => {
  it('is what EIP-20 says', () => {
    const args = [spender, 5n] as const
    expect(approvalData(...args)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    expect(approvalData(spender, 5n)).toBe(`0x095ea7b3${'0'.repeat(24)}${'5b'.repeat(20)}${'0'.repeat(63)}5`)
    expect(balanceData(spender)).toBe(`0x70a08231${'0'.repeat(24)}${'5b'.repeat(20)}`)
    expect(allowanceData(spender, spender)).toMatch(/^0xdd62ed3e0{24}(5b){20}0{24}(5b){20}$/)
  })
})

describe('decodeApproval', () => {
  it('reads back every approval', () => {
    fc.assert(
      fc.property(address, fc.bigInt(0n, 2n ** 256n - 1n), (spender, amount) => {
        expect(decodeApproval(approvalData(spender, amount))).toEqual({ spender, amount })
      }),
    )
  })

  it('reads upper-case hex', () => {
    const upper = `0x${approvalData(spender, 10n).slice(2).toUpperCase()}` as Hex
    expect(decodeApproval(upper)).toEqual({ spender, amount: 10n })
  })

  it('reads nothing that is not exactly an approval', () => {
    const good = approvalData(spender, 5n)
    const bad = [
      '0x',
      '0x095ea7b3',
      `${good}00`,
      `${good}${'0'.repeat(64)}`,
      good.slice(0, -2),
      // A dirty byte before the address, which a token may well ignore.
      good.replace('0x095ea7b3000000', '0x095ea7b3010000'),
      good.replace('0x095ea7b3', '0xa9059cbb'),
      balanceData(spender),
    ]
    for (const data of bad) expect(decodeApproval(data as Hex), data).toBeUndefined()
  })

  it('reads what it accepts as the only meaning of those bytes', () => {
    fc.assert(
      fc.property(fc.nat(67), fc.integer({ min: 1, max: 255 }), (position, flip) => {
        const bytes = Buffer.from(approvalData(spender, 5n).slice(2), 'hex')
        bytes[position] = bytes[position]! ^ flip
        const changed: Hex = `0x${bytes.toString('hex')}`
        const read = decodeApproval(changed)
        if (read !== undefined) expect(approvalData(read.spender, read.amount)).toBe(changed)
        expect(read).not.toEqual({ spender, amount: 5n })
      }),
    )
  })
})
