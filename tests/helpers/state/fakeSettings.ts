import { changeSettings, type SettingsChanges } from '../../../src/domain/network/network.ts'
import type { WaitingChange } from '../../../src/domain/network/permittedChange.ts'
import { createSettings } from '../../../src/state/settings.ts'
import { settings, standInWallet } from './fakes.ts'

/**
 * Settings store with stubs. `answer`: reply to permission requests; `elsewhere`: saves from another window;
 * `calls`: worker and browser calls in order.
 */
export function standInSettings(answer = true) {
  const saved: SettingsChanges[] = []
  let stored = settings
  const asked: string[] = []
  const calls: string[] = []
  const changes: WaitingChange[] = []
  const worker = { carryOut: async (): Promise<number | undefined> => undefined }
  const one = createSettings(
    standInWallet({
      settings: async () => stored,
      async saveSettings(next) {
        saved.push(next)
        stored = changeSettings(stored, next)
      },
      async savePendingChange(waiting) {
        calls.push('keep')
        changes.push(waiting)
      },
      async applyPendingChange(id) {
        calls.push(id === changes.at(-1)?.id ? 'carry out' : 'another')
        return worker.carryOut()
      },
      async discardPendingChange(id) {
        calls.push(id === changes.at(-1)?.id ? 'drop' : 'another')
      },
    }),
    {
      async askHosts(urls) {
        calls.push('ask')
        asked.push(...urls)
        return answer
      },
      hasHosts: async () => answer,
      async askNotices(isOn) {
        calls.push(isOn ? 'ask' : 'give back')
        asked.push(isOn ? 'notifications' : 'no notifications')
        return answer
      },
    },
  )
  const elsewhere = (changes: SettingsChanges) => {
    stored = changeSettings(stored, changes)
  }
  return { one, saved, asked, elsewhere, calls, changes, worker }
}
