import { decodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { revokeFee, revokeIntent } from '../../../src/background/tokens/revoke.ts'
import { builtInFeeLimits } from '../../../src/domain/network/feeLimits.ts'
import type { Chain } from '../../../src/evm/client.ts'
import type { RevokeRequest } from '../../../src/protocol.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const account = `0x${'11'.repeat(20)}` as const
const token = `0x${'22'.repeat(20)}` as const
const spender = `0x${'33'.repeat(20)}` as const
const ask: RevokeRequest = { chainId: 1, account, token, spender }
const id = 'ab'.repeat(16)

describe('revocation', () => {
  it('encodes one approval of zero to the spender that may not fail, with the fee cap shown', () => {
    const { calls, ...intent } = revokeIntent({ ...ask, id, feeCap: 7n })
    expect(intent).toEqual({
      id,
      account,
      chainId: 1,
      feeCap: 7n,
      mayFail: false,
      purpose: { kind: 'revoke', token, spender },
    })
    expect(calls).toMatchObject([{ to: token, value: 0n }])
    expect(decodeFunctionData({ abi, data: calls[0]!.data })).toEqual({
      functionName: 'approve',
      args: [spender, 0n],
    })
  })

  it('revokes a Permit2 allowance by a call to Permit2', () => {
    const { calls } = revokeIntent({ ...ask, via: 'permit2', id, feeCap: 7n })
    expect(calls).toMatchObject([{ to: '0x000000000022d473030f116ddee9f6b43ac78ba3', value: 0n }])
    const { args } = decodeFunctionData({ abi, data: calls[0]!.data })
    expect(args).toEqual([token, spender, 0n, 0])
  })

  it('names the likely fee, and as its maximum the gas with a margin and the L1 fee, plus 50%', async () => {
    const sized: number[] = []
    const chain = {
      feeLimits: builtInFeeLimits(1),
      estimateGas: async () => 50_000n,
      blockGasLimit: async () => 30_000_000n,
      feesBySpeed: async () => () => ({ baseFeePerGas: 1n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }),
      async l1Fee(bytes: number) {
        sized.push(bytes)
        return 1_000n
      },
    } as unknown as Chain
    expect(await revokeFee(chain, ask)).toEqual({
      expectedFee: 50_000n * 2n + 800n,
      feeCap: ((60_000n * 10n + 1_000n) * 3n) / 2n,
    })
    expect(sized).toEqual([218])
  })
})
