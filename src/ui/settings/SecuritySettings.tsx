import { useState } from 'preact/hooks'
import { plainDigits } from '../../domain/token/plainDigits.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Field } from '../components/fields/Field.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useIsMounted } from '../hooks/useIsMounted.ts'
import type { ScreenProps } from '../screenProps.ts'
import { PasswordForm } from '../secrets/PasswordForm.tsx'
import { LinkRow } from './LinkRow.tsx'

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
          onChange={(isOn) => (isOn ? save.run({ strictCalldata: true }) : setAsking(true))}
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

/** Takes the password: swaps are less safe without strict calldata checks. */
function StrictChecksSheet({ onClose }: { onClose(): void }) {
  const { account, settings } = useStores()
  const isHere = useIsMounted()
  const turnOff = async (password: string) => {
    await account.unlock(password)
    if (!isHere()) return
    await settings.save({ strictCalldata: false })
    onClose()
  }
  return (
    <Sheet title={t('Allow swaps without strict checks?')} onClose={onClose}>
      <StrictChecksNote />
      <PasswordForm act={t('Allow')} acting={t('Checking…')} isFirst onPassword={turnOff} />
    </Sheet>
  )
}

function StrictChecksNote() {
  return (
    <Warning>
      {t(
        'Short router calls don’t state every detail of a swap. Sluice then has to rely on your RPC alone for what a swap does.',
      )}
    </Warning>
  )
}

const longestMinutes = 60

function AutoLock({ minutes }: { minutes: number }) {
  const { settings } = useStores()
  const range = t('Enter a whole number from {least} to {most}', { least: 1, most: longestMinutes })
  const [text, setText] = useState(String(minutes))
  const digits = plainDigits(text)
  const typed = /^\d+$/.test(digits) ? Number(digits) : 0
  const isValid = typed >= 1 && typed <= longestMinutes
  const save = useMutation(settings.save)
  const keep = () => {
    if (isValid && typed !== minutes) save.run({ autoLockMinutes: typed })
  }
  return (
    <div class="group-field beside">
      <Field
        label={t('Auto-lock (minutes)')}
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onInput={setText}
        onChange={keep}
        fault={isValid ? undefined : range}
        hint={range}
      />
      {save.error && (
        <ErrorMessage error={save.error}>
          <button type="button" class="link" onClick={keep}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      )}
    </div>
  )
}
