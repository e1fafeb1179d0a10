import { describe, expect, it } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { currentNetwork } from '../../src/state/settings.ts'
import { standInSettings } from '../helpers/state/fakeSettings.ts'
import { local, settings } from '../helpers/state/fakes.ts'

const change = { kind: 'find-chain', rpcUrl: 'https://rpc.example' } as const

describe('a change that needs a permission', () => {
  it('is with the worker before the browser asks, all in the turn of the click', () => {
    const { one, calls, changes } = standInSettings()
    one.permit(change, ['https://rpc.example', ''])
    expect(calls).toEqual(['keep', 'ask'])
    expect(changes).toMatchObject([{ urls: ['https://rpc.example'], change }])
  })

  it('is carried out by the worker once the browser allowed it, and read by this view alone', async () => {
    const { one, calls, worker } = standInSettings()
    worker.carryOut = async () => 5
    expect(await one.permit(change, ['https://rpc.example'])).toBe(5)
    expect(calls).toEqual(['keep', 'ask', 'carry out', 'drop'])
  })

  it('asks nothing where nothing is named, or all is permitted', async () => {
    const { one, calls } = standInSettings()
    await one.permit(change, [''])
    await one.permit(change, ['https://rpc.example'], { isPermitted: true })
    expect(calls).toEqual(['keep', 'carry out', 'drop', 'keep', 'carry out', 'drop'])
  })

  it('is dropped where the browser or the worker refuses it, and says why', async () => {
    const refused = standInSettings(false)
    await expect(refused.one.permit(change, ['https://rpc.example'])).rejects.toMatchObject({
      facts: { why: 'not-allowed' },
    })
    expect(refused.calls).toEqual(['keep', 'ask', 'drop'])
    const failed = standInSettings()
    failed.worker.carryOut = () => Promise.reject(new WalletError('node-timeout', 'No answer.'))
    await expect(failed.one.permit(change, [])).rejects.toMatchObject({ code: 'node-timeout' })
    expect(failed.calls).toEqual(['keep', 'carry out', 'drop'])
  })
})

describe('settings', () => {
  it('name the network of the form', async () => {
    const { one } = standInSettings()
    expect(currentNetwork(one.getState())).toBeUndefined()
    await one.load()
    expect(currentNetwork(one.getState())).toEqual(local)
  })

  it('are changed one at a time and kept by the worker', async () => {
    const { one, saved } = standInSettings()
    await one.load()
    await one.save({ slippageBps: 100 })
    expect(saved).toEqual([{ slippageBps: 100 }])
    expect(one.getState().settings?.slippageBps).toBe(100)
  })

  it('keep what was changed elsewhere while a change was on its way, whether it was heard or not', async () => {
    const { one, elsewhere } = standInSettings()
    await one.load()
    const saving = one.save({ slippageBps: 100 })
    elsewhere({ autoLockMinutes: 3 })
    one.heard({ ...settings, autoLockMinutes: 3 })
    elsewhere({ theme: 'dark' })
    await saving
    expect(one.getState().settings).toMatchObject({
      slippageBps: 100,
      autoLockMinutes: 3,
      theme: 'dark',
    })
  })

  it('ask the browser before anything is awaited, while the click still counts', () => {
    const { one, asked } = standInSettings()
    one.allow(['https://rpc.example', ''])
    expect(asked).toEqual(['https://rpc.example'])
  })

  it('are told in notifications once the browser allows them, and give that leave back', async () => {
    const { one, saved, asked, changes } = standInSettings()
    await one.load()
    const notices = { done: 'Done.', failed: 'Failed.', 'needs-unlock': 'Unlock.' }
    expect(await one.setNotices(notices)).toBe(true)
    expect(changes).toMatchObject([{ urls: [], change: { kind: 'set-notices', notices } }])
    expect(await one.setNotices(undefined)).toBe(true)
    expect(one.getState().settings).not.toHaveProperty('notices')
    expect(saved).toEqual([{ notices: null }])
    expect(asked).toEqual(['notifications', 'no notifications'])
  })

  it('stay silent where the browser says no', async () => {
    const { one, saved, calls } = standInSettings(false)
    await one.load()
    expect(await one.setNotices({ done: 'a', failed: 'b', 'needs-unlock': 'c' })).toBe(false)
    expect(saved).toEqual([])
    expect(calls).toEqual(['keep', 'ask', 'drop'])
  })
})
