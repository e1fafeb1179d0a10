import { describe, expect, it } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { currentNetwork } from '../../src/state/settings.ts'
import { standInSettings } from '../helpers/state/fakeSettings.ts'
import { local, settings } from '../helpers/state/fakes.ts'

const change = { kind: 'find-chain', rpcUrl: 'https://rpc.example' } as const

describe('a change that needs a permission', () => {
  it('stores the change in the worker before it asks the browser, both synchronously', () => {
    const { one, calls, changes } = standInSettings()
    one.permit(change, ['https://rpc.example', ''])
    expect(calls).toEqual(['keep', 'ask'])
    expect(changes).toMatchObject([{ urls: ['https://rpc.example'], change }])
  })

  it('lets the worker apply the change once the browser permits it, and returns the result', async () => {
    const { one, calls, worker } = standInSettings()
    worker.carryOut = async () => 5
    expect(await one.permit(change, ['https://rpc.example'])).toBe(5)
    expect(calls).toEqual(['keep', 'ask', 'carry out', 'drop'])
  })

  it('does not ask the browser when no URL is given or all are permitted', async () => {
    const { one, calls } = standInSettings()
    await one.permit(change, [''])
    await one.permit(change, ['https://rpc.example'], { isPermitted: true })
    expect(calls).toEqual(['keep', 'carry out', 'drop', 'keep', 'carry out', 'drop'])
  })

  it('drops the change and reports why when the browser or the worker refuses it', async () => {
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

describe('settings store', () => {
  it('provides the current network once it is loaded', async () => {
    const { one } = standInSettings()
    expect(currentNetwork(one.getState())).toBeUndefined()
    await one.load()
    expect(currentNetwork(one.getState())).toEqual(local)
  })

  it('saves a single setting through the worker', async () => {
    const { one, saved } = standInSettings()
    await one.load()
    await one.save({ slippageBps: 100 })
    expect(saved).toEqual([{ slippageBps: 100 }])
    expect(one.getState().settings?.slippageBps).toBe(100)
  })

  it('keeps changes made elsewhere while a change is being saved', async () => {
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

  it('asks the browser synchronously, within the user gesture', () => {
    const { one, asked } = standInSettings()
    one.allow(['https://rpc.example', ''])
    expect(asked).toEqual(['https://rpc.example'])
  })

  it('enables notifications once the browser permits them, and removes the permission when disabled', async () => {
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

  it('leaves notifications off when the browser denies the permission', async () => {
    const { one, saved, calls } = standInSettings(false)
    await one.load()
    expect(await one.setNotices({ done: 'a', failed: 'b', 'needs-unlock': 'c' })).toBe(false)
    expect(saved).toEqual([])
    expect(calls).toEqual(['keep', 'ask', 'drop'])
  })
})
