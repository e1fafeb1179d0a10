import { describe, expect, it } from 'vitest'
import { createRiskChecks } from '../../../../src/background/dapp/riskChecks.ts'
import type { CallPreview } from '../../../../src/domain/activity/callBatch.ts'
import type { Approval } from '../../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import { accepting } from '../../../helpers/background/sendStage.ts'
import { usdc } from '../../../helpers/state/fakes.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const approval: Approval = {
  id: 'ab'.repeat(16),
  origin: 'https://shop.example',
  chainId: 31337,
  createdAt: 0,
  expiresAt: 600_000,
  ask: { kind: 'send', account, calls: [{ to: account, data: '0x', value: 1n }] },
}

const previewOf = (amount: bigint): CallPreview => ({
  simulation: {
    status: 'succeeds',
    changes: [{ token: { ...usdc, address: nativeTokenAddress }, amount: -amount }],
    grants: [],
  },
  networkFee: 2n,
  expectedFee: 1n,
  feeCap: 3n,
  risks: [],
})

function createChecks() {
  const asked: { resolve(preview: CallPreview): void; reject(error: unknown): void }[] = []
  const clock = { now: 0 }
  const checks = createRiskChecks({
    people: async () => ({ own: [], contacts: [], earlier: [] }),
    networks: {
      chain: () => Promise.reject(new Error('no node')),
      network: () => Promise.reject(new Error('no network')),
    },
    preview: () => new Promise((resolve, reject) => void asked.push({ resolve, reject })),
    now: () => clock.now,
    waitMs: 60_000,
  })
  return { asked, clock, ...checks }
}

const stale = (accepted: string) => ({ code: 'stale-review', facts: { accepted } })

describe('overlapping previews of a request', () => {
  it('keeps the preview that started last, whichever ends last', async () => {
    const { asked, preview, check } = createChecks()
    const [older, newer] = [preview(approval), preview(approval)]
    asked[1]?.resolve(previewOf(5n))
    await newer
    asked[0]?.resolve(previewOf(900n))
    await older
    await check(approval, accepting(previewOf(5n)))
    await expect(check(approval, accepting(previewOf(900n)))).rejects.toMatchObject(stale('outcome'))
    expect(asked).toHaveLength(2)
  })

  it('keeps no preview when the one that started last failed', async () => {
    const { asked, preview, check } = createChecks()
    const [older, newer] = [preview(approval), preview(approval)]
    asked[1]?.reject(new WalletError('fee-too-high', 'Too high.'))
    await expect(newer).rejects.toMatchObject({ code: 'fee-too-high' })
    asked[0]?.resolve(previewOf(5n))
    await older
    const checking = check(approval, accepting(previewOf(5n)))
    expect(asked).toHaveLength(3)
    asked[2]?.reject(new WalletError('fee-too-high', 'Too high.'))
    await expect(checking).rejects.toMatchObject({ code: 'fee-too-high' })
  })

  it('measures the age of a preview from its start', async () => {
    const { asked, clock, preview, check } = createChecks()
    const slow = preview(approval)
    clock.now = 29_000
    asked[0]?.resolve(previewOf(5n))
    await slow
    await check(approval, accepting(previewOf(5n)))
    expect(asked).toHaveLength(1)
    clock.now = 31_000
    const checking = check(approval, accepting(previewOf(5n)))
    expect(asked).toHaveLength(2)
    asked[1]?.resolve(previewOf(900n))
    await checking
    await expect(check(approval, accepting(previewOf(1_000n)))).rejects.toMatchObject(stale('outcome'))
  })
})
