import { t } from '../../i18n/translate.ts'
import type { AccountChanges, OwnAccount } from '../../protocol.ts'
import { canSign } from '../../state/account.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Identicon } from '../components/address/Identicon.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Field } from '../components/fields/Field.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import type { ScreenProps } from '../screenProps.ts'
import { WithAccount } from './WithAccount.tsx'
import '../style/lazy/accounts.css'
import '../style/lazy/secret.css'

export function AccountPage({ of, account }: Pick<ScreenProps, 'of' | 'account'>) {
  return (
    <WithAccount of={of}>{(one) => <One one={one} isActing={one.address === account.address} />}</WithAccount>
  )
}

function One({ one, isActing }: { one: OwnAccount; isActing: boolean }) {
  const stores = useStores()
  const { router } = stores
  const { address, isHidden } = one
  const act = useMutation(() => stores.settings.save({ account: address }))
  return (
    <Page
      title={accountName(one)}
      onBack={router.back}
      foot={
        isHidden || isActing ? undefined : (
          <button type="button" class="second" disabled={act.isRunning} onClick={() => act.run()}>
            {t('Use this account')}
          </button>
        )
      }
    >
      <section class="panel who-address">
        <Identicon address={address} size={40} />
        <span class="grow">
          <AddressGroups address={address} />
          <span class="dim small origin-line">
            <Origin one={one} />
            {isActing && <span>{t('Active')}</span>}
          </span>
        </span>
        <CopyButton text={address} label={t('Copy address')} />
      </section>
      {act.error && <ErrorMessage error={act.error} />}
      <Name key={one.name} one={one} />
      <div class="panel group">
        <InView one={one} />
        {canSign(one) ? (
          <button type="button" class="list-row" onClick={() => router.go('key', address)}>
            <span class="grow">{t('Show private key')}</span>
            <Icon name="next" size={18} />
          </button>
        ) : (
          <button type="button" class="list-row" onClick={() => router.go('add')}>
            <span class="grow">
              {t('Import private key or phrase')}
              <span class="dim small switch-hint">{t('This account is watch-only until then.')}</span>
            </span>
            <Icon name="next" size={18} />
          </button>
        )}
        <button type="button" class="list-row" onClick={() => router.replace('remove', address)}>
          <span class="grow bad">{t('Remove')}</span>
          <Icon name="next" size={18} />
        </button>
      </div>
    </Page>
  )
}

function Origin({ one: { kind, secret, path } }: { one: OwnAccount }) {
  const { account } = useStores()
  const number = useStore(account, (now) =>
    now.step === 'open' ? now.seeds.findIndex(({ id }) => id === secret) + 1 : 0,
  )
  if (kind === 'watched') return <span>{t('Watch-only')}</span>
  if (kind === 'key') return <span>{t('From a private key')}</span>
  return <span>{t('From recovery phrase {number}, {path}', { number, path: path ?? '' })}</span>
}

const maxName = 32

function Name({ one }: { one: OwnAccount }) {
  const { account } = useStores()
  const { edits, edit, drop } = useUnsavedEdits<{ name: string }>(`account-${one.address}`)
  const text = edits.name ?? accountName(one)
  const rename = useMutation(async (name: string) => {
    await account.change(one.address, { name })
    drop(edits)
  })
  const name = text.trim()
  const isTooLong = [...name].length > maxName
  const isNew = name !== '' && name !== accountName(one) && !isTooLong
  const save = () => {
    if (isNew) rename.run(name)
  }
  const isRefused = rename.error?.code === 'invalid-input'
  return (
    <form
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div class="name-row">
        <Field
          label={t('Name')}
          autocomplete="off"
          value={text}
          onInput={(typed) => edit({ name: typed })}
          fault={isTooLong || isRefused || name === '' ? t('Enter 1 to 32 visible characters') : undefined}
        />
        <button class="second" type="submit" disabled={!isNew || rename.isRunning}>
          {t('Save')}
        </button>
      </div>
      {rename.error && !isRefused && <ErrorMessage error={rename.error} />}
    </form>
  )
}

/** One account always stays visible. */
function InView({ one: { address, isHidden } }: { one: OwnAccount }) {
  const { account } = useStores()
  const inView = useStore(account, (now) => (now.step === 'open' ? now.accounts.length : 0))
  const change = useMutation((changes: AccountChanges) => account.change(address, changes))
  const isLast = !isHidden && inView === 1
  if (isLast) {
    return (
      <p class="list-row">
        <span class="grow">
          {t('Visible')}
          <span class="dim small switch-hint">{t('At least one account must stay visible.')}</span>
        </span>
      </p>
    )
  }
  return (
    <>
      <Switch
        label={t('Visible')}
        hint={t('Hidden accounts can’t be selected, and sites can’t see them.')}
        isOn={!isHidden}
        onChange={(isOn) => change.run({ isHidden: !isOn })}
      />
      {change.error && <ErrorMessage error={change.error} />}
    </>
  )
}
