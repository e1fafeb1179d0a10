import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../../src/config.ts'
import { changeSettings } from '../../../src/domain/network/network.ts'

describe('changeSettings', () => {
  const before = defaultSettings()
  const [first, ...others] = before.networks

  it('keeps settings that are not named', () => {
    expect(changeSettings(before, {})).toEqual(before)
    expect(changeSettings(before, { slippageBps: 77 })).toEqual({ ...before, slippageBps: 77 })
    const { slippageBps: _, ...auto } = before
    expect(changeSettings({ ...auto, slippageBps: 77 }, { slippageBps: null })).toEqual(auto)
    expect(changeSettings({ ...auto, slippageBps: 77 }, { pageSwaps: false }).slippageBps).toBe(77)
  })

  it('updates a network in place and appends a new one', () => {
    const changed = { ...first!, name: 'Mine' }
    const added = { ...first!, chainId: 777 }
    const after = changeSettings(before, { networks: [changed], added: [added] })
    expect(after.networks).toEqual([changed, ...others, added])
    expect(after).not.toHaveProperty('added')
  })

  it('does not restore a network that was removed meanwhile', () => {
    expect(changeSettings({ ...before, networks: others }, { networks: [first!] }).networks).toEqual(others)
  })

  it('removes a network', () => {
    expect(changeSettings(before, { removed: [first!.chainId, 5] }).networks).toEqual(others)
    const after = changeSettings(before, { removed: [first!.chainId] })
    expect(after).not.toHaveProperty('removed')
  })
})
