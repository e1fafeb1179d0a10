import { describe, expect, it } from 'vitest'
import type { SettingsChanges } from '../../src/domain/network.ts'
import { createSettings, currentNetwork } from '../../src/state/settings.ts'
import { local, settings, standInWallet } from './standIns.ts'

function store(answer = true) {
  const saved: SettingsChanges[] = []
  const asked: string[] = []
  const one = createSettings(
    standInWallet({
      settings: async () => settings,
      async saveSettings(next) {
        saved.push(next)
      },
    }),
    async (url) => {
      asked.push(url)
      return answer
    },
  )
  return { one, saved, asked }
}

describe('settings', () => {
  it('name the network of the form', async () => {
    const { one } = store()
    expect(currentNetwork(one.getState())).toBeUndefined()
    await one.load()
    expect(currentNetwork(one.getState())).toEqual(local)
  })

  it('are changed one at a time and kept by the worker', async () => {
    const { one, saved } = store()
    await one.load()
    await one.save({ slippageBps: 100 })
    expect(saved).toEqual([{ slippageBps: 100 }])
    expect(one.getState().settings?.slippageBps).toBe(100)
  })

  it('keep what was heard while a change was on its way', async () => {
    const { one } = store()
    await one.load()
    const saving = one.save({ slippageBps: 100 })
    one.heard({ ...settings, autoLockMinutes: 3 })
    await saving
    expect(one.getState().settings).toMatchObject({ slippageBps: 100, autoLockMinutes: 3 })
  })

  it('ask the browser for each named host before a network is saved', async () => {
    const { one, saved, asked } = store()
    await one.load()
    const spareRpcUrl = 'https://spare.example'
    const changed = { ...local, serviceUrl: 'https://swap.example', rpcUrl: '', spareRpcUrl }
    await one.changeNetwork(local.chainId, () => changed)
    expect(asked).toEqual(['https://swap.example', spareRpcUrl])
    expect(saved).toEqual([{ networks: [changed] }])
    expect(currentNetwork(one.getState())).toEqual(changed)
  })

  it('change of a network what was edited, and keep what came while the browser asked', async () => {
    const { one, saved } = store()
    await one.load()
    const router = `0x${'ab'.repeat(20)}` as const
    const saving = one.changeNetwork(local.chainId, (network) => ({ ...network, name: 'Mine' }))
    one.heard({ ...settings, networks: [{ ...local, router }] })
    await saving
    expect(saved).toEqual([{ networks: [{ ...local, name: 'Mine', router }] }])
  })

  it('save no network whose host the browser does not allow', async () => {
    const { one, saved } = store(false)
    await one.load()
    await expect(one.changeNetwork(local.chainId, (network) => network)).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(saved).toEqual([])
  })

  it('ask the browser before anything is awaited, while the click still counts', () => {
    const { one, asked } = store()
    one.allow(['https://rpc.example', ''])
    expect(asked).toEqual(['https://rpc.example'])
  })
})
