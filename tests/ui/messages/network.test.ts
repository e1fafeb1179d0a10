import { describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { formatHealth, formatMissingFeatures, validateNode } from '../../../src/ui/messages/network.ts'

it('says how fast somebody answers, and at which block', () => {
  const now = 1_700_000_012_000
  const node = { part: 'node', isInUse: true } as const
  const block = { number: 1_234_567n, timestamp: 1_700_000_000 }
  expect(formatHealth({ ...node, ms: 45.2, block }, now)).toBe(
    'Connected · 45 ms · block 1,234,567, 12 seconds ago',
  )
  expect(formatHealth({ ...node, ms: undefined, block }, now)).toBe(
    'Connected · block 1,234,567, 12 seconds ago',
  )
  expect(formatHealth({ part: 'service', isInUse: true, ms: 1_240 }, now)).toBe('Connected · under 1.2 sec')
  expect(formatHealth({ part: 'service', isInUse: true, ms: 0 }, now)).toBe('Connected · under 1 ms')
})

it('names what an RPC does not offer', () => {
  expect(formatMissingFeatures({ lacks: ['eth_feeHistory', 'Multicall3'] })).toBe(
    'Not supported: eth_feeHistory, Multicall3',
  )
  expect(formatMissingFeatures({})).toBeUndefined()
})

describe('the fault of a node', () => {
  const facts = { field: 'rpcUrl', expected: '137', found: '5' }

  it('names both chains', () => {
    expect(validateNode(new WalletError('wrong-chain', '', facts))).toEqual({
      field: 'rpcUrl',
      isSilent: false,
      says: 'This RPC is on chain 5, not 137. Nothing was saved. Use another RPC.',
    })
  })

  it('is another one where it says nothing', () => {
    const silent = validateNode(new WalletError('node-timeout', '', { field: 'spareRpcUrl' }))
    expect(silent).toMatchObject({ field: 'spareRpcUrl', isSilent: true })
    expect(silent?.says).toMatch(/isn’t responding/)
  })

  it('is another one again where something answers that is no node', () => {
    const other = validateNode(new WalletError('node-refused', '', { field: 'rpcUrl' }))
    expect(other).toMatchObject({ isSilent: true, says: expect.stringMatching(/isn’t an RPC endpoint/) })
  })

  it('is none of an error that has nothing to do with nodes', () => {
    expect(validateNode(new WalletError('storage-failed', ''))).toBeUndefined()
  })
})
