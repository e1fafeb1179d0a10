import { describe, expect, it } from 'vitest'
import { requireKnownRouter } from '../../../src/background/swap/verifyRouter.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'

const thief: Address = '0xbad0000000000000000000000000000000000002'

describe('requireKnownRouter', () => {
  const v6: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
  const ours: Address = '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3'
  const ofEthereum: Address = '0x8ad8b1139664ea2000ba0a30993588ac6ea6e7ac'
  const refuse = (named: Address, network: { chainId: number; router?: Address }) => {
    try {
      requireKnownRouter(named, network)
    } catch (error) {
      if (error instanceof WalletError) return error
      throw error
    }
    return undefined
  }

  it('accepts the known routers of the chain', () => {
    expect(refuse(ours, { chainId: 31337 })).toBeUndefined()
    expect(refuse(ofEthereum, { chainId: 1 })).toBeUndefined()
    expect(refuse(v6, { chainId: 8453 })).toBeUndefined()
  })

  it('accepts only the pinned router when one is pinned', () => {
    expect(refuse(thief, { chainId: 1, router: thief })).toBeUndefined()
    expect(refuse(v6, { chainId: 1, router: thief })).toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'router', expected: thief, found: v6 },
    })
  })

  it('reports an unknown router as unknown-router', () => {
    expect(refuse(thief, { chainId: 1 })).toMatchObject({
      code: 'unknown-router',
      facts: { router: thief, chainId: '1' },
    })
  })

  it('rejects a router of another chain', () => {
    for (const [named, chainId] of [
      [ofEthereum, 31337],
      [v6, 324],
      [ours, 1],
    ] as const) {
      expect(refuse(named, { chainId })).toMatchObject({
        code: 'unsafe-transaction',
        facts: { fact: 'chain', found: named },
      })
    }
  })
})
