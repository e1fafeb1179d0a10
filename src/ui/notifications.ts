import { encode } from '../domain/json.ts'
import type { NotificationSettings } from '../domain/network/network.ts'
import { t } from '../i18n/translate.ts'
import type { createSettings } from '../state/settings.ts'

/** What the browser says while no view is open. Whoever looks over the shoulder learns nothing from it. */
export function noticeWords(): NotificationSettings {
  return {
    done: t('Transaction confirmed'),
    'below-minimum': t('A swap returned less than its minimum. Open Sluice for details.'),
    failed: t('Transaction failed'),
    'needs-unlock': t('Unlock Sluice to continue your transaction'),
  }
}

/** Writes them anew where another language is spoken by now. */
export async function syncNotifications(settings: ReturnType<typeof createSettings>): Promise<void> {
  const { notices } = settings.getState().settings ?? {}
  const now = noticeWords()
  if (notices !== undefined && encode(notices) !== encode(now)) await settings.save({ notices: now })
}
