import type { SettingsChanges } from '../../src/domain/network/network.ts'
import { createSettings } from '../../src/state/settings.ts'
import { settings, standInWallet } from './standIns.ts'

/** The settings' store, what the worker was given to save, and what the browser was asked for: it says `answer`. */
export function standInSettings(answer = true) {
  const saved: SettingsChanges[] = []
  const asked: string[] = []
  const one = createSettings(
    standInWallet({
      settings: async () => settings,
      async saveSettings(next) {
        saved.push(next)
      },
    }),
    {
      async askHosts(urls) {
        asked.push(...urls)
        return answer
      },
      async askNotices(isOn) {
        asked.push(isOn ? 'notifications' : 'no notifications')
        return answer
      },
    },
  )
  return { one, saved, asked }
}
