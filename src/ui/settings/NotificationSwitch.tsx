import { useState } from 'preact/hooks'
import type { Settings } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/ErrorMessage.tsx'
import { Switch } from '../components/Switch.tsx'
import { Warning } from '../components/Warning.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'
import { notificationText } from '../notifications.ts'

/** Stays off until the browser grants the permission. */
export function NotificationSwitch({ settings: { notices } }: { settings: Settings }) {
  const { settings } = useStores()
  const [isRefused, setRefused] = useState(false)
  const [wanted, setWanted] = useState(false)
  const save = useMutation(async (isOn: boolean) => {
    setRefused(!(await settings.setNotices(isOn ? notificationText() : undefined)))
  })
  const turn = (isOn: boolean) => {
    setWanted(isOn)
    save.run(isOn)
  }
  return (
    <>
      <Switch
        label={t('Transaction notifications')}
        hint={t('Sent while Sluice is closed, without amounts or names.')}
        isOn={save.isRunning ? wanted : notices !== undefined}
        onTurn={turn}
      />
      {isRefused && <Warning>{t('Your browser blocked notifications. Nothing was changed.')}</Warning>}
      {save.error && <ErrorMessage error={save.error} />}
    </>
  )
}
