import { useState } from 'preact/hooks'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { FormPage } from '../components/FormPage.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { type WatchOnlyDraft, watchOnlyDraft } from '../onboarding/import/ImportAddress.tsx'
import { ImportForm } from '../onboarding/import/ImportForm.tsx'
import { ImportMethods } from '../onboarding/import/ImportMethods.tsx'
import type { ImportMethod } from '../onboarding/import/importMethods.ts'
import { PhraseLength, usePhraseLength } from '../secrets/PhraseLength.tsx'
import { Quiz } from '../secrets/Quiz.tsx'
import { WriteDownPhrase } from '../secrets/WriteDownPhrase.tsx'

export function AddAccountsScreen() {
  const { account, router } = useStores()
  const state = useStore(account, (now) => now)
  const [way, setWay] = useState<ImportMethod | 'new' | undefined>()
  const done = (address: Address) => router.replace('account', address)
  const derive = useMutation(async (seed: string) => done((await account.add(seed)).address))
  if (state.step !== 'open') return null
  const back = () => setWay(undefined)

  if (way === 'new') return <NewPhrase onBack={back} onDone={done} />
  if (way !== undefined) return <BringOne method={way} onBack={back} onDone={done} />
  return (
    <Page title={t('Add or import account')} onBack={router.back}>
      <div class="panel group">
        {state.seeds.map(({ id }, index) => (
          <button
            key={id}
            type="button"
            class="list-row"
            disabled={derive.isRunning}
            onClick={() => derive.run(id)}
          >
            <span class="grow">
              {state.seeds.length > 1
                ? t('Next account from phrase {number}', { number: index + 1 })
                : t('Next account from your phrase')}
            </span>
            <Icon name="plus" size={18} />
          </button>
        ))}
        <button type="button" class="list-row" onClick={() => setWay('new')}>
          <span class="grow">{t('New recovery phrase')}</span>
          <Icon name="next" size={18} />
        </button>
      </div>
      {derive.error && <ErrorMessage error={derive.error} />}
      <h2 class="part">{t('Import')}</h2>
      <ImportMethods onChoose={setWay} />
    </Page>
  )
}

type FormProps = { onBack(): void; onDone(address: Address): void }

function BringOne({ method, onBack, onDone }: FormProps & { method: ImportMethod }) {
  const { account } = useStores()
  const { edits, drop } = useUnsavedEdits<WatchOnlyDraft>(watchOnlyDraft)
  const bring = useMutation(async (...origin: Parameters<typeof account.bring>) => {
    const { address } = await account.bring(...origin)
    if (method === 'watched') drop(edits)
    onDone(address)
  })
  return (
    <ImportForm
      method={method}
      act={bring.isRunning ? t('Adding…') : t('Add')}
      isBusy={bring.isRunning}
      onBack={onBack}
      onBrought={bring.run}
      error={bring.error}
    />
  )
}

function NewPhrase({ onBack, onDone }: FormProps) {
  const { account } = useStores()
  const { words, setWords, dropWords } = usePhraseLength()
  const [made, setMade] = useState<Awaited<ReturnType<typeof account.addSeed>> | undefined>()
  const [isWritten, setWritten] = useState(false)
  const make = useMutation(async () => {
    setMade(await account.addSeed(words))
    dropWords()
  })
  if (made === undefined) {
    return (
      <FormPage
        title={t('New recovery phrase')}
        onBack={onBack}
        act={make.isRunning ? t('Creating…') : t('Create')}
        isReady={!make.isRunning}
        onSubmit={() => make.run()}
        error={make.error}
      >
        <p class="dim">{t('A new phrase creates separate accounts and needs its own backup.')}</p>
        <PhraseLength value={words} onChange={setWords} />
      </FormPage>
    )
  }
  const { phrase, added } = made
  const leave = () => onDone(added.address)
  if (!isWritten) {
    return <WriteDownPhrase phrase={phrase} onWritten={() => setWritten(true)} onLater={leave} />
  }
  const confirm = async () => {
    const state = account.getState()
    const own =
      state.step === 'open' ? state.owned.find(({ address }) => address === added.address) : undefined
    if (own !== undefined) await account.confirmBackup(own.secret)
    leave()
  }
  return <Quiz phrase={phrase} onBack={() => setWritten(false)} onRight={confirm} onLater={leave} />
}
