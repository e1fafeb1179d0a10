import { browser } from 'wxt/browser'
import type { Activity } from '../domain/activity/activity.ts'
import type { SettingsStore } from './settings.ts'

/**
 * Notifies of outcomes while no view is open. The texts name no amounts or accounts, as others may see them.
 */
export function createNotifications(settings: Pick<SettingsStore, 'get'>) {
  // Undefined without the permission.
  browser.notifications?.onClicked.addListener((id) => {
    browser.tabs.create({ url: browser.runtime.getURL(`/popup.html#/entry/${id}`) })
  })

  async function tell({ intent, outcome }: Activity): Promise<void> {
    const { notices } = await settings.get()
    const { status } = outcome
    const message = status === 'working' ? undefined : (notices?.[status] ?? notices?.failed)
    const isWanted = status !== 'failed' || outcome.code !== 'cancelled'
    if (message === undefined || !isWanted) return
    // Rejects if no view is open.
    await browser.runtime.sendMessage('').catch(() =>
      browser.notifications?.create(intent.id, {
        type: 'basic',
        iconUrl: browser.runtime.getURL('/icon/128.png'),
        title: 'Sluice',
        message,
      }),
    )
  }

  // A failure must not affect the transaction.
  return (one: Activity): Promise<void> => tell(one).catch(() => undefined)
}
