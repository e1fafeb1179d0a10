import { changeSettings, type SettingsChanges } from '../../src/domain/network/network.ts'
import { createSettings } from '../../src/state/settings.ts'
import { settings, standInWallet } from './standIns.ts'

/**
 * The settings' store, what it gave the worker to save, and what the browser was asked for: it says `answer`. `elsewhere` is what another
 * window saves.
 */
export function standInSettings(answer = true) {
  const saved: SettingsChanges[] = []
  let stored = settings
  const asked: string[] = []
  const one = createSettings(
    standInWallet({
      settings: async () => stored,
      async saveSettings(next) {
        saved.push(next)
        stored = changeSettings(stored, next)
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
  const elsewhere = (changes: SettingsChanges) => {
    stored = changeSettings(stored, changes)
  }
  return { one, saved, asked, elsewhere }
}
