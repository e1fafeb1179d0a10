import { browser } from 'wxt/browser'
import type { Activity } from '../domain/activity/activity.ts'
import type { SettingsStore } from './settings.ts'

/**
 * Tells how a transaction stands while no view is open, where the user wanted that. The words are the settings': they name no amount
 * and nobody, as others may see them.
 */
export function createNotifications(settings: Pick<SettingsStore, 'get'>) {
  // Undefined until the browser has allowed it.
  browser.notifications?.onClicked.addListener((id) => {
    browser.tabs.create({ url: browser.runtime.getURL(`/popup.html#/entry/${id}`) })
  })

  async function tell({ intent, outcome }: Activity): Promise<void> {
    const { notices } = await settings.get()
    const { status } = outcome
    const message = status === 'working' ? undefined : (notices?.[status] ?? notices?.failed)
    // Whoever cancelled it knows.
    const isWanted = status !== 'failed' || outcome.code !== 'cancelled'
    if (message === undefined || !isWanted) return
    // Views hear everything, and answer nothing: it fails where there is none.
    await browser.runtime.sendMessage('').catch(() =>
      browser.notifications?.create(intent.id, {
        type: 'basic',
        iconUrl: browser.runtime.getURL('/icon/128.png'),
        title: 'Sluice',
        message,
      }),
    )
  }

  // Nobody waits for a notice, and what it tells of goes on without it.
  return (one: Activity): Promise<void> => tell(one).catch(() => undefined)
}
