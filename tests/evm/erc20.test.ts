import { encodeAbiParameters, encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeLabel, toName, toSymbol } from '../../service/tokens/sanitizeName.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { allowanceData, approvalData, balanceData, readToken } from '../../src/evm/erc20.ts'

const spender: Address = `0x${'5b'.repeat(20)}`

describe('token calldata', () => {
  it('matches EIP-20', () => {
    const args = [spender, 5n] as const
    expect(approvalData(...args)).toBe(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    expect(approvalData(spender, 5n)).toBe(`0x095ea7b3${'0'.repeat(24)}${'5b'.repeat(20)}${'0'.repeat(63)}5`)
    expect(balanceData(spender)).toBe(`0x70a08231${'0'.repeat(24)}${'5b'.repeat(20)}`)
    expect(allowanceData(spender, spender)).toMatch(/^0xdd62ed3e0{24}(5b){20}0{24}(5b){20}$/)
  })
})

describe('token labels', () => {
  const read = (symbol: string, name: string) => {
    const [one, two] = [symbol, name].map((text) => encodeAbiParameters([{ type: 'string' }], [text]))
    const number = encodeAbiParameters([{ type: 'uint256' }], [18n])
    const wallet = readToken(`0x${'12'.repeat(20)}`, [one, two, number, number, undefined])
    return {
      wallet: [wallet?.symbol, wallet?.name],
      service: [toSymbol(decodeLabel(one!)), toName(decodeLabel(two!))],
    }
  }

  it('limits symbol and name to the same length in the wallet and the service', () => {
    for (const length of [1, 11, 20, 21, 31, 32, 33, 60, 61, 64, 65, 100]) {
      const { wallet, service } = read('S'.repeat(length), 'N'.repeat(length))
      expect(wallet).toEqual(service)
      expect(wallet).toEqual(['S'.repeat(Math.min(length, 32)), 'N'.repeat(Math.min(length, 64))])
    }
  })
})
