import { expect, it } from 'vitest'
import { createOnboardingTab } from '../../src/background/onboardingTab.ts'

async function opened(reason: string, vault: 'none' | 'locked' | 'unlocked'): Promise<string[]> {
  const tabs: string[] = []
  const open = createOnboardingTab({
    vault: { status: async () => vault },
    openTab: async (hash) => tabs.push(hash),
  })
  await open({ reason })
  return tabs
}

it('opens onboarding in a tab after installation', async () => {
  expect(await opened('install', 'none')).toEqual(['#/begin'])
})

it.each(['update', 'chrome_update', 'shared_module_update'])('opens no tab after %s', async (reason) => {
  expect(await opened(reason, 'none')).toEqual([])
})

it('opens no tab when a wallet exists already', async () => {
  expect([await opened('install', 'locked'), await opened('install', 'unlocked')]).toEqual([[], []])
})
