import { describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { formatHealth, validateNode } from '../../../src/ui/messages/network.ts'

it('formats the response time and the latest block of an endpoint', () => {
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

describe('validateNode', () => {
  const facts = { field: 'rpcUrl', expected: '137', found: '5' }

  it('names the actual and the expected chain', () => {
    expect(validateNode(new WalletError('wrong-chain', '', facts))).toEqual({
      field: 'rpcUrl',
      isSilent: false,
      says: 'This RPC is on chain 5, not 137. Nothing was saved. Use another RPC.',
    })
  })

  it('reports a timeout as no response', () => {
    const silent = validateNode(new WalletError('node-timeout', '', { field: 'spareRpcUrl' }))
    expect(silent).toMatchObject({ field: 'spareRpcUrl', isSilent: true })
    expect(silent?.says).toMatch(/isn’t responding/)
  })

  it('reports a response that does not come from an RPC endpoint', () => {
    const other = validateNode(new WalletError('node-refused', '', { field: 'rpcUrl' }))
    expect(other).toMatchObject({ isSilent: true, says: expect.stringMatching(/isn’t an RPC endpoint/) })
  })

  it('ignores errors that do not concern an RPC', () => {
    expect(validateNode(new WalletError('storage-failed', ''))).toBeUndefined()
  })
})
