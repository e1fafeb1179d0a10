import { beforeEach, describe, expect, it } from 'vitest'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { createWalletStage, sendingOf, sent, stranger, type WalletStage } from './walletStage.ts'

const refused = { code: 'invalid-input' }

let stage: WalletStage
let wallet: WalletApi
let account: Address
let calls: unknown[][]

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet, account, calls } = stage)
})

describe('allowances', () => {
  const ask = { chainId: 31337, account: stranger, token: nativeTokenAddress, spender: stranger }

  it('revokes an allowance with one call that can be looked up, and rejects malformed requests', async () => {
    const revocation = { ...ask, account, id: sent.id, feeCap: 9n }
    expect(await wallet.revoke({ ...revocation, via: 'permit2' })).toMatchObject({
      outcome: { status: 'working' },
    })
    expect(calls).toMatchObject([
      ['send', { id: sent.id, account, feeCap: 9n, mayFail: false, calls: [{ value: 0n }] }],
    ])
    expect(await wallet.callBatch(sent.id)).toEqual(sendingOf(sent))
    expect(await wallet.callBatch('ef'.repeat(16))).toBeUndefined()
    for (const odd of [
      { ...revocation, id: '1' },
      { ...revocation, feeCap: -1n },
      { ...revocation, via: 'trust' },
    ]) {
      await expect(wallet.revoke(odd as never)).rejects.toMatchObject(refused)
    }
  })

  it('rejects allowance requests for foreign accounts and while locked', async () => {
    await expect(wallet.allowances(31337, stranger)).rejects.toMatchObject(refused)
    await expect(wallet.allowance(31337, stranger, nativeTokenAddress, stranger)).rejects.toMatchObject(
      refused,
    )
    await expect(wallet.revokeFee(ask)).rejects.toMatchObject(refused)
    await wallet.lock()
    await expect(wallet.allowances(31337, account)).rejects.toMatchObject({ code: 'locked' })
    await expect(wallet.revokeFee({ ...ask, account })).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('transfers', () => {
  const ask = { chainId: 31337, token: nativeTokenAddress, to: stranger, amount: 5n }

  it('previews a transfer and sends it as one call of a wallet account', async () => {
    const speed = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    await expect(wallet.previewTransfer({ ...ask, account })).rejects.toMatchObject({
      code: 'not-enough-gas',
    })
    await wallet.send({ ...ask, account, speed, id: sent.id, feeCap: 9n })
    const purpose = { kind: 'transfer', token: nativeTokenAddress, to: stranger, amount: 5n }
    expect(calls).toMatchObject([
      ['previewTransfer', { ...ask, account }],
      [
        'send',
        {
          id: sent.id,
          account,
          feeCap: 9n,
          speed,
          mayFail: false,
          purpose,
          calls: [{ to: stranger, value: 5n }],
        },
      ],
    ])
    expect(await wallet.callBatches()).toEqual([sendingOf(sent)])
  })

  it('rejects malformed transfers and foreign accounts', async () => {
    const whole = { ...ask, account, id: sent.id, feeCap: 9n }
    for (const odd of [
      { ...whole, amount: 0n },
      { ...whole, to: '0x12' },
      { ...whole, id: '7' },
      { ...whole, speed: 'warp' },
    ]) {
      await expect(wallet.send(odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.previewTransfer({ ...ask, account: stranger })).rejects.toMatchObject(refused)
    await expect(wallet.isContract(31337, '0x12' as never)).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
  })

  it('does not extend the auto-lock for repeated previews', async () => {
    for (let minutes = 0; minutes < 14; minutes++) {
      stage.clock += 60_000
      await expect(wallet.previewTransfer({ ...ask, account })).rejects.toMatchObject({
        code: 'not-enough-gas',
      })
    }
    stage.clock += 60_000
    expect(await stage.vault.status()).toBe('locked')
  })

  it('verifies the chain before a read-only contract call and rejects malformed calls', async () => {
    expect(await wallet.call(31337, stranger, '0x0178b8bf')).toBe('0x07')
    expect(calls).toEqual([
      ['verify'],
      ['proxyRequest', 'eth_call', [{ to: stranger, data: '0x0178b8bf' }, 'latest']],
    ])
    calls.length = 0
    for (const [to, data] of [
      ['0x12', '0x'],
      [stranger, '0x1'],
      [stranger, 'call'],
    ]) {
      await expect(wallet.call(31337, to as never, data as never)).rejects.toMatchObject(refused)
    }
    expect(calls.filter(([what]) => what !== 'verify')).toEqual([])
  })

  it('forwards valid replacement requests and rejects malformed ones', async () => {
    const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
    const replaces: Hex = `0x${'ab'.repeat(32)}`
    const feeCap = 9n
    await wallet.replacement(sent.id, 'faster')
    await wallet.replace({ id: sent.id, wish: 'cancel', replaces, fees, feeCap })
    expect(calls).toEqual([
      ['replacement', sent.id, 'faster'],
      ['replace', { id: sent.id, wish: 'cancel', replaces, fees, feeCap }],
    ])
    for (const odd of [
      { id: sent.id, wish: 'slower', replaces, fees, feeCap },
      { id: sent.id, wish: 'cancel', replaces: '0x12', fees, feeCap },
      { id: sent.id, wish: 'cancel', replaces, fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }, feeCap },
      { id: sent.id, wish: 'cancel', replaces, fees },
    ]) {
      await expect(wallet.replace(odd as never)).rejects.toMatchObject(refused)
    }
    await expect(wallet.replacement(sent.id, 'slower' as never)).rejects.toMatchObject(refused)
  })
})
