import { encode } from '../domain/json.ts'
import type { NotificationSettings } from '../domain/network/network.ts'
import { t } from '../i18n/translate.ts'
import type { createSettings } from '../state/settings.ts'

/** Returns texts without amounts or addresses, as bystanders may see them. */
export function notificationText(): NotificationSettings {
  return {
    done: t('Transaction confirmed'),
    'below-minimum': t('A swap returned less than its minimum. Open Sluice for details.'),
    failed: t('Transaction failed'),
    'needs-unlock': t('Unlock Sluice to continue your transaction'),
  }
}

/** Updates the texts after a language change. */
export async function syncNotifications(settings: ReturnType<typeof createSettings>): Promise<void> {
  const { notices } = settings.getState().settings ?? {}
  const now = notificationText()
  if (notices !== undefined && encode(notices) !== encode(now)) await settings.save({ notices: now })
}
