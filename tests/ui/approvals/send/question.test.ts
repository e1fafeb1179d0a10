import { describe, expect, it } from 'vitest'
import type { DecodedCall, DecodedTokenCall } from '../../../../src/domain/calldata/decodedCall.ts'
import { maxUint256 } from '../../../../src/domain/token/amount.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../../src/domain/token/token.ts'
import { toQuestion } from '../../../../src/ui/approvals/send/question.ts'

const account: Address = `0x${'aa'.repeat(20)}`
const other: Address = `0x${'bb'.repeat(20)}`
const usdc: Token = {
  address: `0x${'cc'.repeat(20)}`,
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  listed: true,
  eip2612: true,
  taxed: false,
  tags: [],
}
const ether: Token = { ...usdc, address: nativeTokenAddress, symbol: 'ETH', name: 'Ether', decimals: 18 }
const tokenOf = (address: Address) => [usdc, ether].find((one) => one.address === address)

const ask = (words: DecodedTokenCall, context: { hasCode?: boolean; isItem?: boolean } = {}) =>
  toQuestion({ ...words, warnings: [] } as DecodedCall, { account, network: 'Base', tokenOf, ...context })

const approve = { kind: 'approve', token: usdc.address, spender: other, amount: 5n } as const
const send = { kind: 'transfer', token: nativeTokenAddress, to: other, amount: 5n * 10n ** 17n } as const

describe('toQuestion', () => {
  it('names what leaves the account by a transfer', () => {
    expect(ask(send)).toBe('Send 0.5 ETH?')
    expect(ask({ ...send, token: usdc.address, amount: 1_250_000n })).toBe('Send 1.25 USDC?')
  })

  it('names no amount that could be the number of an item, is unknown or has no end', () => {
    expect(ask({ ...send, token: other })).toBe('Send tokens?')
    expect(ask({ ...send, token: usdc.address, from: account })).toBe('Send tokens?')
    expect(ask({ ...send, token: usdc.address, amount: maxUint256 })).toBe('Send tokens?')
  })

  it('asks about another account’s tokens in words of its own', () => {
    expect(ask({ ...send, token: usdc.address, from: other })).toBe('Transfer tokens from another account?')
  })

  it('names the token of an approval, but not that of an item’s', () => {
    expect(ask(approve)).toBe('Approve USDC spending?')
    expect(ask({ ...approve, token: other })).toBe('Approve token spending?')
    expect(ask(approve, { isItem: true })).toBe('Approve token spending?')
  })

  it('distinguishes revocations from approvals', () => {
    expect(ask({ ...approve, amount: 0n })).toBe('Revoke approval?')
    expect(ask({ ...approve, amount: 0n, adds: true })).toBe('Approve USDC spending?')
    const all = { kind: 'approve-all', collection: other, operator: other } as const
    expect(ask({ ...all, approved: true })).toBe('Approve entire NFT collection?')
    expect(ask({ ...all, approved: false })).toBe('Revoke approval?')
  })

  it('names the network of a swap', () => {
    const swap = {
      kind: 'swap',
      router: other,
      sell: nativeTokenAddress,
      amount: 1n,
      floor: 1n,
      receiver: account,
      value: 1n,
    } as const
    expect(ask(swap)).toBe('Swap on Base?')
  })

  it('asks to confirm an unknown call, and to send data where no contract is', () => {
    const unknown = { kind: 'unknown', to: other, selector: '0x1a2b3c4d', bytes: 4, value: 0n } as const
    expect(ask(unknown)).toBe('Confirm this transaction?')
    expect(ask(unknown, { hasCode: false })).toBe('Send data?')
  })
})
