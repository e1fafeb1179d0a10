import { beforeEach, describe, expect, it } from 'vitest'
import type { WalletApi } from '../../../src/protocol.ts'
import { createWalletStage, type WalletStage } from './walletStage.ts'

let stage: WalletStage
let wallet: WalletApi

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet } = stage)
})

describe('network settings', () => {
  const custom = {
    chainId: 777,
    name: 'Mine',
    coin: { symbol: 'MINE', name: 'Mine' },
    serviceUrl: '',
    rpcUrl: 'https://node.example',
    confirmations: 3,
    quoteEveryMs: 6_000,
  }
  const ids = async () => (await wallet.settings()).networks.map(({ chainId }) => chainId)

  it('adds and removes a custom network', async () => {
    await wallet.saveSettings({ added: [custom] })
    expect(await ids()).toContain(777)
    await wallet.saveSettings({ chainId: 777 })
    await wallet.saveSettings({ chainId: 31337, removed: [777] })
    expect(await ids()).not.toContain(777)
  })

  it('keeps a network that is selected or has activity in progress', async () => {
    await wallet.saveSettings({ added: [custom], chainId: 777 })
    const needed = (why: string) => ({ code: 'network-needed', facts: { why } })
    await expect(wallet.saveSettings({ removed: [777] })).rejects.toMatchObject(needed('chosen'))
    stage.busy = [777]
    await expect(wallet.saveSettings({ chainId: 1, removed: [777] })).rejects.toMatchObject(needed('busy'))
    expect((await wallet.settings()).chainId).toBe(777)
    expect(await ids()).toContain(777)
    stage.busy = [1]
    await wallet.saveSettings({ chainId: 1, removed: [777] })
  })

  it('keeps built-in networks, but accepts empty URLs for them', async () => {
    await expect(wallet.saveSettings({ removed: [56] })).rejects.toMatchObject({
      code: 'network-needed',
      facts: { why: 'built-in' },
    })
    await wallet.saveSettings({ chainId: 1 })
    const { networks } = await wallet.settings()
    const local = networks.find(({ chainId }) => chainId === 31337)!
    await wallet.saveSettings({ networks: [{ ...local, rpcUrl: '', serviceUrl: '' }] })
    expect((await wallet.settings()).networks[0]).toMatchObject({
      chainId: 31337,
      rpcUrl: '',
      serviceUrl: '',
    })
  })

  it('requests nothing for the health of a network without URLs', async () => {
    expect(await wallet.health(1)).toEqual({ nodes: [], service: undefined })
    await expect(wallet.health(5)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('rejects malformed and insecure RPC URLs when it reads a chain id', async () => {
    for (const url of ['http://node.example', 'ftp://node.example', 'node', '', 5]) {
      await expect(wallet.readChainId(url as never)).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })
})
