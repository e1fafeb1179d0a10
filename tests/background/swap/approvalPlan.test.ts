import { describe, expect, it } from 'vitest'
import { type ApprovalRequest, agreedPlan, planApprovals } from '../../../src/background/swap/approvalPlan.ts'
import { approval } from '../../../src/background/tokens/approvalCalls.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'
import type { PermitInfo } from '../../../src/evm/permits.ts'

const account: Address = '0xa11ce00000000000000000000000000000000001'
const router: Address = '0x8ad8b1139664ea2000ba0a30993588ac6ea6e7ac'
const publicRouter: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const trade: Trade = { chainId: 1, sell: dai, buy: weth, amount: 60n }
const separator: Hex = `0x${'5e'.repeat(32)}`

function nodeWith(allowance: bigint, style: PermitInfo['style'] = 'eip2612'): Chain {
  return {
    position: async () => ({ balance: 1_000n, allowance, native: 10n ** 18n }),
    permit: async () => ({ style, separator, nonce: 0n }),
    permit2: async () => ({ permit2, separator, allowance: 0n, amount: 0n, expiration: 0n, nonce: 0n }),
    needsReset: async () => false,
  } as unknown as Chain
}

const api = { permitKinds: ['permit', 'permit2'] as const }
const ask: ApprovalRequest = { account, trade, router, hasPermit: true }
const stale = { code: 'stale-review' }

describe('approval methods of a router', () => {
  it('offers permits with the built-in router and with a pinned one', async () => {
    const pinned: Address = '0x9999999999999999999999999999999999999999'
    for (const each of [router, pinned]) {
      const { offers, permission } = await planApprovals(nodeWith(0n), api, { ...ask, router: each })
      expect(offers.map(({ via }) => via)).toEqual(['approve', 'permit', 'permit2'])
      expect(permission).toEqual({ via: 'permit' })
    }
  })

  it('offers only an approval with the public router, and rejects permits', async () => {
    const asked = { ...ask, router: publicRouter }
    const { offers, permission, steps } = await planApprovals(nodeWith(0n), api, asked)
    expect(offers).toEqual([{ via: 'approve', isUnlimited: false }])
    expect([permission, steps]).toEqual([{ via: 'approve', amount: 60n }, ['approve', 'swap']])
    for (const via of ['permit', 'permit2'] as const) {
      const permission = via === 'permit' ? { via } : { via, amount: 60n }
      await expect(planApprovals(nodeWith(0n), api, { ...asked, permission })).rejects.toMatchObject({
        code: 'invalid-input',
      })
    }
  })
})

describe('default approval method', () => {
  it('prefers an approval when the token list knows of no permit, but still offers the permit', async () => {
    const { offers, permission } = await planApprovals(nodeWith(0n), api, { ...ask, hasPermit: false })
    expect(permission).toEqual({ via: 'approve', amount: 60n })
    expect(offers).toContainEqual({ via: 'permit', isUnlimited: false })
  })
})

describe('unlimited permit', () => {
  const dais = nodeWith(0n, 'dai')

  it('uses an unlimited permit when the user accepted it', async () => {
    const way = await agreedPlan(dais, api, { ...ask, permission: { via: 'permit', isUnlimited: true } })
    expect(way).toMatchObject({ steps: ['swap'], isUnlimited: true })
    expect(way.standIns).toEqual([approval(dai, router, 2n ** 256n - 1n)])
  })

  it('rejects an unlimited permit when the user accepted one for the amount', async () => {
    await expect(agreedPlan(dais, api, { ...ask, permission: { via: 'permit' } })).rejects.toMatchObject(
      stale,
    )
    await expect(planApprovals(dais, api, { ...ask, permission: { via: 'permit' } })).rejects.toMatchObject(
      stale,
    )
  })
})

describe('accepted approval method', () => {
  it('rejects a swap accepted without an approval when the allowance has shrunk', async () => {
    expect(await agreedPlan(nodeWith(60n), api, ask)).toMatchObject({ steps: ['swap'], before: [] })
    await expect(agreedPlan(nodeWith(59n), api, ask)).rejects.toMatchObject(stale)
    await expect(agreedPlan(nodeWith(59n), { permitKinds: [] }, ask)).rejects.toMatchObject(stale)
  })

  it('skips the accepted approval once the allowance suffices', async () => {
    const permission = { via: 'approve', amount: 60n } as const
    expect((await agreedPlan(nodeWith(0n), api, { ...ask, permission })).steps).toEqual(['approve', 'swap'])
    expect((await agreedPlan(nodeWith(60n), api, { ...ask, permission })).steps).toEqual(['swap'])
  })
})
