import { beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '../../../src/domain/dapp/approval.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { dataKey } from '../../helpers/background/worker.ts'
import { createWalletStage, open, site, stranger, type WalletStage } from './walletStage.ts'

let stage: WalletStage
let wallet: WalletApi
let account: Address
let calls: unknown[][]

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet, account, calls } = stage)
})

describe('dapp requests', () => {
  const refused = { code: 'invalid-input' }

  it('lists, previews and shows pending requests', async () => {
    expect(await wallet.approvals()).toEqual([open])
    expect(await wallet.previewCalls(open.id)).toMatchObject({ simulation: { reason: open.id } })
    await expect(wallet.previewCalls('cd'.repeat(16))).rejects.toMatchObject({
      ...refused,
      message: 'This request is no longer open.',
    })
    await wallet.showApprovals()
    expect(calls).toEqual([['show']])
  })

  it('forwards complete decisions for wallet accounts and rejects all others', async () => {
    const connect: Decision = { kind: 'connect', accounts: [account], chainId: 1 }
    await wallet.approve(open.id, connect)
    await wallet.approve(open.id, { kind: 'send', feeCap: 5n, mayFail: false })
    await wallet.reject(open.id)
    await wallet.rejectAll()
    const done = [
      ['approve', open.id, connect],
      ['approve', open.id, { kind: 'send', feeCap: 5n, mayFail: false }],
      ['reject', open.id],
      ['rejectAll'],
    ]
    expect(calls).toEqual(done)
    for (const odd of [
      undefined,
      { kind: 'send' },
      { kind: 'send', feeCap: 5n },
      { kind: 'send', feeCap: 5, mayFail: true },
      { kind: 'send', feeCap: -1n, mayFail: true },
      { kind: 'no such' },
      { kind: 'swap', intent: {} },
      { ...connect, accounts: [] },
      { ...connect, accounts: [account.toUpperCase()] },
      { ...connect, accounts: [account, stranger] },
    ]) {
      await expect(wallet.approve(open.id, odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.reject(7 as never)).rejects.toMatchObject(refused)
    expect(calls).toEqual(done)
  })

  it('rejects approvals while locked, but allows rejections and disconnects', async () => {
    await wallet.lock()
    const locked = { code: 'locked' }
    await expect(wallet.approve(open.id, { kind: 'sign-message' })).rejects.toMatchObject(locked)
    await expect(wallet.updateSite(site([account]))).rejects.toMatchObject(locked)
    await wallet.reject(open.id)
    await wallet.disconnect('https://a.example')
    expect(calls).toEqual([
      ['reject', open.id],
      ['disconnect', 'https://a.example'],
      ['withdrawSite', 'https://a.example'],
    ])
  })

  it('extends the auto-lock when requests are answered', async () => {
    const acts = [
      () => wallet.approve(open.id, { kind: 'sign-message' }),
      () => wallet.reject(open.id),
      () => wallet.rejectAll(),
      () => wallet.updateSite(site([account])),
      () => wallet.disconnect('https://a.example'),
      () => wallet.addAccount(),
    ]
    for (const act of acts) {
      stage.clock += 14 * 60_000
      await act()
      expect((await wallet.status()).vault).toBe('unlocked')
    }
    stage.clock += 15 * 60_000
    expect((await wallet.status()).vault).toBe('locked')
    await wallet.unlock(dataKey)
  })
})

describe('site connections', () => {
  it('rejects foreign accounts and malformed connections', async () => {
    for (const odd of [site([stranger]), { ...site([account]), chainId: '1' }, undefined]) {
      await expect(wallet.updateSite(odd as never)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(calls).toEqual([])
  })
})
