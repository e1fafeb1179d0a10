import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/ErrorMessage.tsx'
import { Switch } from '../components/Switch.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { AutoLock } from './AutoLock.tsx'
import { LinkRow } from './LinkRow.tsx'
import { StrictChecksNote, StrictChecksSheet } from './StrictChecksSheet.tsx'

export function SecuritySettings({ settings: { autoLockMinutes, strictCalldata } }: ScreenProps) {
  const { account, router, settings } = useStores()
  const seeds = useStore(account, (now) => (now.step === 'open' ? now.seeds : none))
  const [isAsking, setAsking] = useState(false)
  const save = useMutation(settings.save)
  return (
    <>
      <div class="panel group">
        {seeds.map(({ id, backedUp }, index) => (
          <LinkRow
            key={id}
            title={
              seeds.length > 1 ? t('Recovery phrase {number}', { number: index + 1 }) : t('Recovery phrase')
            }
            value={backedUp ? t('Backed up') : <span class="warn">{t('Not backed up')}</span>}
            onOpen={() => router.go('phrase', id)}
          />
        ))}
        <LinkRow title={t('Change password')} onOpen={() => router.go('password')} />
        <AutoLock minutes={autoLockMinutes} />
      </div>
      <div class="panel group">
        <LinkRow title={t('Token allowances')} onOpen={() => router.go('allowances')} />
        <Switch
          label={t('Strict transaction checks')}
          hint={t(
            'Sluice only signs swaps whose calldata states the token, amount, recipient and minimum received, and checks them all.',
          )}
          isOn={strictCalldata}
          onTurn={(isOn) => (isOn ? save.run({ strictCalldata: true }) : setAsking(true))}
        />
        {strictCalldata || (
          <div class="group-field">
            <StrictChecksNote />
          </div>
        )}
      </div>
      {save.error && <ErrorMessage error={save.error} />}
      <div class="panel group">
        <LinkRow title={t('Reset wallet')} onOpen={() => router.go('reset')} />
      </div>
      {isAsking && <StrictChecksSheet onClose={() => setAsking(false)} />}
    </>
  )
}

const none: never[] = []
