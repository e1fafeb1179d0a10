import { useState } from 'preact/hooks'
import { calendarAt } from '../../domain/calendar.ts'
import { plural, t } from '../../i18n/translate.ts'
import {
  createBackup,
  type ImportPlan,
  isEmptyPlan,
  planHosts,
  toImportChange,
  weakensSafety,
} from '../../state/backup/backup.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { Icon } from '../components/Icon.tsx'
import { saveFile } from '../downloadFile.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useIsMounted } from '../hooks/useIsMounted.ts'
import { lazy } from '../lazy/lazy.tsx'
import { type ChangeRow, contactRows, importRisks, networkRows, preferenceRows } from '../messages/backup.ts'
import type { ScreenProps } from '../screenProps.ts'
import { PasswordForm } from '../secrets/PasswordForm.tsx'

const ContactWarnings = lazy(() =>
  import('../lazy/transfersChunk.ts').then(({ ContactWarnings }) => ContactWarnings),
)

const maxBytes = 2_000_000

export function Backup(props: ScreenProps) {
  return (
    <>
      <Export {...props} />
      <Import {...props} />
    </>
  )
}

function Export({ settings }: ScreenProps) {
  const backup = useStores().get(createBackup)
  const [withKeys, setWithKeys] = useState(false)
  const [leftOut, setLeftOut] = useState<number | undefined>()
  const save = useMutation(async () => {
    const file = await backup.write(settings, withKeys)
    saveFile(`sluice-settings-${calendarAt()(Date.now())}.json`, 'application/json', file.text)
    setLeftOut(file.leftOut)
  })
  return (
    <section class="stack" aria-label={t('Export')}>
      <p class="dim">
        {t(
          'Includes your preferences, networks, favorites and contacts. Never includes recovery phrases, private keys or your addresses: back up phrases and keys separately.',
        )}
      </p>
      <div class="panel group">
        <Switch label={t('Include API keys')} isOn={withKeys} onChange={setWithKeys} />
      </div>
      {withKeys && <Warning>{t('Anyone with this file can use your API keys.')}</Warning>}
      <button type="button" class="second" disabled={save.isRunning} onClick={() => save.run()}>
        {t('Export')}
      </button>
      {leftOut !== undefined && (
        <p class="line" role="status">
          {leftOut === 0
            ? t('Saved')
            : plural(
                leftOut,
                'Saved. {count} API key was left out.',
                'Saved. {count} API keys were left out.',
              )}
        </p>
      )}
      {save.error && <ErrorMessage error={save.error} />}
    </section>
  )
}

function Import(props: ScreenProps) {
  const backup = useStores().get(createBackup)
  const [plan, setPlan] = useState<ImportPlan | 'done' | undefined>()
  const read = useMutation(async (file: File) => {
    setPlan(undefined)
    const text = file.size > maxBytes ? '' : await file.text()
    setPlan(await backup.plan(text, props.settings))
  })
  return (
    <section class="stack" aria-label={t('Import settings')}>
      <h2 class="part">{t('Import settings')}</h2>
      <label class="second choose-file">
        {t('Choose a file')}
        <input
          type="file"
          accept="application/json,.json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            // Choosing the same file must fire `change` again.
            event.currentTarget.value = ''
            if (file) read.run(file)
          }}
        />
      </label>
      {read.error && <ErrorMessage error={read.error} />}
      {plan === 'done' && (
        <p class="line" role="status">
          {t('Settings imported')}
        </p>
      )}
      {typeof plan === 'object' && (
        <Preview {...props} plan={plan} onDone={() => setPlan('done')} onLeave={() => setPlan(undefined)} />
      )}
    </section>
  )
}

type PreviewProps = ScreenProps & { plan: ImportPlan; onDone(): void; onLeave(): void }

function Preview({ plan, settings, onDone, onLeave }: PreviewProps) {
  const stores = useStores()
  const isHere = useIsMounted()
  const [isProven, setProven] = useState(false)
  const carryOut = async (isPermitted = false) => {
    await stores.settings.permit(toImportChange(plan, settings), planHosts(plan), { isPermitted })
    onDone()
  }
  const prove = async (password: string) => {
    await stores.account.unlock(password)
    // Browsers grant host permissions only within a click, and the password's is over.
    const isPermitted = await stores.settings.isPermitted(planHosts(plan))
    if (!isHere()) return
    if (isPermitted) await carryOut(isPermitted)
    else setProven(true)
  }
  const apply = useMutation(() => carryOut())
  if (isEmptyPlan(plan)) {
    return (
      <p class="line" role="status">
        {t('This file doesn’t change any settings.')}
      </p>
    )
  }
  const nameOf = (chainId: number) =>
    [...plan.networks.map(({ after }) => after), ...settings.networks].find((one) => one.chainId === chainId)
      ?.name ?? String(chainId)
  return (
    <section class="stack" aria-label={t('Changes to apply')}>
      <h3>{t('Changes to apply')}</h3>
      <Changes rows={preferenceRows(plan, settings)} />
      {plan.networks.map(({ before, after }) => (
        <Changes
          key={after.chainId}
          title={before ? after.name : t('New network: {name}', { name: after.name })}
          rows={networkRows(before, after)}
        />
      ))}
      {plan.favourites.map(({ chainId, tokens }) => (
        <p key={chainId} class="line">
          {plural(tokens.length, '{count} favorite on {network}', '{count} favorites on {network}', {
            network: nameOf(chainId),
          })}
        </p>
      ))}
      {plan.contacts.map(({ address, name }) => (
        <div key={address} class="stack">
          <Changes title={address} rows={contactRows({ address, name }, settings)} />
          <ContactWarnings contact={{ address, name }} contacts={[...settings.contacts, ...plan.contacts]} />
        </div>
      ))}
      {importRisks(plan).map((risk) => (
        <Warning key={risk}>{risk}</Warning>
      ))}
      {apply.error && <ErrorMessage error={apply.error} />}
      {weakensSafety(plan) && !isProven ? (
        <>
          <PasswordForm act={t('Apply')} acting={t('Checking…')} onPassword={prove} />
          <button type="button" class="plain" onClick={onLeave}>
            {t('Cancel')}
          </button>
        </>
      ) : (
        <div class="request-acts changes-acts">
          <button type="button" class="second" disabled={apply.isRunning} onClick={onLeave}>
            {t('Cancel')}
          </button>
          <button type="button" class="main" disabled={apply.isRunning} onClick={() => apply.run()}>
            {t('Apply')}
          </button>
        </div>
      )}
    </section>
  )
}

function Changes({ title, rows }: { title?: string; rows: ChangeRow[] }) {
  if (rows.length === 0) return null
  return (
    <div class="panel changes">
      {title && <strong>{title}</strong>}
      <dl>
        {rows.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="dim">{before}</span> <Icon name="next" size={14} />{' '}
              <span class="unseen">{t('changes to')}</span> <strong>{after}</strong>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
