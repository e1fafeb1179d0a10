import { beforeEach, describe, expect, it } from 'vitest'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Draft, ReviewRequest, WalletApi } from '../../../src/protocol.ts'
import { createWalletStage, stranger, type WalletStage } from './walletStage.ts'

const trade = { chainId: 1, sell: nativeTokenAddress, buy: stranger, amount: 4n }
const refused = { code: 'invalid-input' }

let stage: WalletStage
let wallet: WalletApi
let account: Address
let calls: unknown[][]

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet, account, calls } = stage)
})

describe('findSellAmount', () => {
  it('requires two different tokens and a positive amount', async () => {
    const wanted = { chainId: 1, sell: nativeTokenAddress, buy: stranger, returns: 4n }
    expect(await wallet.findSellAmount(wanted, 'form')).toBe(8n)
    expect(calls).toEqual([['sellFor', wanted, 'form']])
    await expect(wallet.findSellAmount(wanted, 7 as never)).rejects.toMatchObject({ code: 'invalid-input' })
    for (const odd of [
      { ...wanted, buy: nativeTokenAddress },
      { ...wanted, returns: 0n },
      { ...wanted, chainId: 0 },
    ]) {
      await expect(wallet.findSellAmount(odd)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})

describe('quotes and price impact', () => {
  it('forwards the route options and the caller of a request', async () => {
    const ask = { trade, options: { parts: 5, feeBps: 30, referrer: stranger } }
    await wallet.quote(ask, 'form')
    await wallet.quote({ trade, isComparison: true })
    expect(await wallet.priceImpact(ask, 8n, 'form')).toBe(7)
    await wallet.dropQuote('form')
    expect(calls).toEqual([
      ['quote', ask, 'form'],
      ['quote', { trade, isComparison: true }, undefined],
      ['impact', ask, 8n, 'form'],
      ['dropQuote', 'form'],
    ])
    expect(await wallet.liquiditySources(5)).toEqual([{ id: 'SOURCE_5', title: 'Source' }])
  })

  it('rejects malformed quote, price impact and gas reserve requests', async () => {
    for (const odd of [
      trade,
      { trade: { ...trade, amount: 0n } },
      { trade: { ...trade, buy: nativeTokenAddress } },
      { trade, isComparison: false },
      { trade, options: { parts: 51 } },
      { trade, options: { feeBps: 30 } },
      { trade, options: { protocols: ['A&x=1,B'] } },
    ]) {
      await expect(wallet.quote(odd as never)).rejects.toMatchObject(refused)
      await expect(wallet.priceImpact(odd as never, 8n)).rejects.toMatchObject(refused)
    }
    await expect(wallet.priceImpact({ trade }, 0n)).rejects.toMatchObject(refused)
    await expect(wallet.dropQuote(5 as never)).rejects.toMatchObject(refused)
    await expect(wallet.gasReserve(0)).rejects.toMatchObject(refused)
    await expect(wallet.gasReserve(31337, 0n)).rejects.toMatchObject(refused)
    expect(calls).toEqual([])
  })
})

describe('reviews', () => {
  const id = 'ab'.repeat(16)

  it('forwards all options for a wallet account and rejects malformed requests', async () => {
    const ask: ReviewRequest = {
      id,
      trade,
      account,
      slippageBps: 50,
      atLeast: 3n,
      options: { excludedProtocols: ['A'] },
      receiver: stranger,
      allowPartialFill: true,
      permission: { via: 'permit2', amount: 8n },
      speed: { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n },
    }
    await wallet.review(ask)
    expect(calls).toEqual([['review', ask]])
    for (const odd of [
      { ...ask, account: stranger },
      { ...ask, id: '../settings' },
      { ...ask, slippageBps: 0 },
      { ...ask, receiver: '0x12' },
      { ...ask, permission: { via: 'approve' } },
      { ...ask, permission: { via: 'trust' } },
      { ...ask, speed: 'warp' },
      { ...ask, speed: { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n } },
    ]) {
      await expect(wallet.review(odd as never)).rejects.toMatchObject(refused)
    }
    expect(calls).toHaveLength(1)
  })

  it('extends the auto-lock for reviews by the user, but not for unattended ones', async () => {
    const ask: ReviewRequest = { id, trade, account, slippageBps: 50 }
    stage.clock += 14 * 60_000
    await wallet.review(ask)
    for (let minutes = 0; minutes < 14; minutes++) {
      stage.clock += 60_000
      await wallet.review({ ...ask, unattended: true })
    }
    stage.clock += 60_000
    expect((await wallet.status()).vault).toBe('locked')
  })

  it('repeats a simulation by id without extending the auto-lock', async () => {
    stage.clock += 14 * 60_000
    expect(await wallet.resimulate(id)).toMatchObject({ status: 'unknown' })
    await expect(wallet.resimulate('7')).rejects.toMatchObject(refused)
    stage.clock += 60_000
    expect((await wallet.status()).vault).toBe('locked')
  })
})

describe('swap draft', () => {
  it('returns the draft of the selected network and resets its amount after a switch', async () => {
    const draft: Draft = { chainId: 31337, sell: nativeTokenAddress, buy: stranger, amount: '5', side: 'buy' }
    await wallet.saveDraft(draft)
    expect(await wallet.draft()).toEqual(draft)
    await wallet.saveSettings({ chainId: 1 })
    expect(await wallet.draft()).toBeUndefined()
    await wallet.saveDraft({ ...draft, chainId: 1 })
    await wallet.saveSettings({ chainId: 31337 })
    expect(await wallet.draft()).toEqual({ ...draft, amount: '', side: 'sell' })
  })
})
