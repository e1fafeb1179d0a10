import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SettingsChanges } from '../../../src/domain/network/network.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Draft } from '../../../src/protocol.ts'
import { repeatSwap } from '../../../src/state/swap/repeat.ts'
import { dai, local, settings, standInBar, usdc } from '../../helpers/state/fakes.ts'
import { popup } from '../../helpers/state/popup.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('repeatSwap', () => {
  const other = { ...local, chainId: 10, name: 'Other' }
  const both = { ...settings, networks: [local, other] }
  const left: Draft = {
    chainId: 10,
    sell: usdc.address,
    buy: nativeTokenAddress,
    amount: '7',
    side: 'sell',
    receiver: dai.address,
  }

  it.each([
    ['on the network of the form', 31337],
    ['on another one, whatever was left there', 10],
  ])('fills the form %s', async (_where, chainId) => {
    const saved: SettingsChanges[] = []
    const stores = await popup(
      {
        settings: async () => both,
        draft: async () => (saved.length === 0 ? undefined : left),
        token: async (_chainId, address) => (address === dai.address ? dai : usdc),
        async saveSettings(changes) {
          saved.push(changes)
        },
      },
      'form',
      standInBar('#/entry/01'),
    )
    stores.trade.setReceiver(usdc.address)
    const trade = { chainId, sell: dai.address, buy: usdc.address, amount: 15n * 10n ** 17n }
    await repeatSwap(stores, { trade })
    await vi.advanceTimersByTimeAsync(0)
    expect(stores.trade.getState()).toMatchObject({
      chainId,
      sell: dai,
      buy: usdc,
      text: '1.5',
      side: 'sell',
    })
    expect(stores.trade.getState().receiver).toBeUndefined()
    expect(stores.router.getState()).toEqual({ at: 'swap' })
    expect(stores.tokens.getState().chainId).toBe(chainId)
    expect(stores.settings.getState().settings?.chainId).toBe(chainId)
    expect(saved).toEqual(chainId === 10 ? [{ chainId }] : [])
  })

  it('restores the recipient, and leaves the form unchanged when a token cannot be read', async () => {
    const stores = await popup()
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: usdc.address, amount: 1n }
    await repeatSwap(stores, { trade, receiver: dai.address })
    expect(stores.trade.getState()).toMatchObject({ receiver: dai.address, text: '0.000000000000000001' })
    const before = stores.trade.getState()
    await expect(repeatSwap(stores, { trade: { ...trade, chainId: 10, sell: dai.address } })).rejects.toThrow(
      'The test did not expect token',
    )
    expect(stores.trade.getState()).toBe(before)
  })
})
