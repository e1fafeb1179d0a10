import { describe, expect, it } from 'vitest'
import { currentNetwork } from '../../src/state/settings.ts'
import { standInSettings } from './standInSettings.ts'
import { local, settings } from './standIns.ts'

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
    const { one, saved, asked } = standInSettings()
    await one.load()
    const notices = { done: 'Done.', failed: 'Failed.', 'needs-unlock': 'Unlock.' }
    expect(await one.setNotices(notices)).toBe(true)
    expect(one.getState().settings?.notices).toEqual(notices)
    expect(await one.setNotices(undefined)).toBe(true)
    expect(one.getState().settings).not.toHaveProperty('notices')
    expect(saved).toEqual([{ notices }, { notices: null }])
    expect(asked).toEqual(['notifications', 'no notifications'])
  })

  it('stay silent where the browser says no', async () => {
    const { one, saved } = standInSettings(false)
    await one.load()
    expect(await one.setNotices({ done: 'a', failed: 'b', 'needs-unlock': 'c' })).toBe(false)
    expect(saved).toEqual([])
  })
})
