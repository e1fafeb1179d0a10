import { describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { readMissingFeatures } from '../../../src/evm/rpc/missingFeatures.ts'
import { createRpc } from '../../../src/evm/rpc/rpc.ts'
import { describeMissingFeatures } from '../../../src/ui/messages/missingFeatures.ts'

/** RPC of an empty chain that answers only the simplest methods. */
function bareRpc(block: object) {
  return createRpc(async (method, _params, read) => {
    if (method === 'eth_getBlockByNumber') return read({ result: { number: '0x9', ...block } })
    if (method === 'eth_getCode') return read({ result: '0x' })
    throw new WalletError('node-refused', 'Method not found')
  })
}

describe('describeMissingFeatures', () => {
  it.each([
    ['with a base fee', { baseFeePerGas: '0x1' }, 5],
    ['without a base fee', {}, 4],
  ])('has a sentence for each feature that an RPC %s can lack', async (_chain, block, count) => {
    const lacks = await readMissingFeatures(bareRpc(block))
    expect(lacks).toHaveLength(count)
    expect(describeMissingFeatures(lacks)).toHaveLength(count)
  })

  it('says what the wallet does without simulation, before lesser features', () => {
    expect(describeMissingFeatures(['eth_feeHistory', 'eth_simulateV1'])).toEqual([
      'This RPC can’t simulate transactions. Sluice checks their data alone, and refuses swaps it can’t verify that way.',
      'This RPC has no fee history. Sluice estimates network fees from the latest block.',
    ])
  })

  it('says nothing about an RPC with all features', () => {
    expect(describeMissingFeatures()).toEqual([])
  })
})
