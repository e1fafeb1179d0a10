import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { freshPhrase } from '../../state/router.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { RadioGroup } from '../components/fields/RadioGroup.tsx'
import { Page } from '../components/Page.tsx'
import { Stepper } from '../components/Stepper.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { onlyWhileVisible, onPageHidden } from '../hooks/useHideOnBlur.ts'
import { useOnboardingSteps } from '../onboarding/onboarding.ts'
import type { ScreenProps } from '../screenProps.ts'
import { CopySecret } from './CopySecret.tsx'
import { PasswordGate } from './PasswordGate.tsx'
import { PhraseGrid } from './PhraseGrid.tsx'
import { Quiz } from './Quiz.tsx'

/** Reveals the phrase `of`, or one not backed up. Drops it when the page is hidden. */
export function RevealPhrase({ of }: Pick<ScreenProps, 'of'>) {
  const { account, router } = useStores()
  const seeds = useStore(account, (now) => (now.step === 'open' ? now.seeds : none))
  const [chosen, setChosen] = useState(of)
  const leave = () => (of === freshPhrase ? router.replace('begin', 'create') : router.back())
  const { create } = useOnboardingSteps()
  const steps = of === freshPhrase ? create : undefined
  const [phrase, setPhrase] = useState<string | undefined>()
  const [isAsked, setAsked] = useState(false)
  useEffect(
    () =>
      onPageHidden(() => {
        setPhrase(undefined)
        setAsked(false)
      }),
    [],
  )

  const seed = seeds.find(({ id }) => id === chosen) ?? seeds.find(({ backedUp }) => !backedUp) ?? seeds[0]
  if (seed === undefined) {
    return (
      <Page title={t('Recovery phrase')} onBack={router.back}>
        <p class="nothing">
          {t('This wallet has no recovery phrase: its accounts were imported as private keys or addresses.')}
        </p>
      </Page>
    )
  }
  if (phrase === undefined) {
    return (
      <PasswordGate
        title={t('Recovery phrase')}
        act={t('Hold to show phrase')}
        pressed={t('Show phrase')}
        onBack={leave}
        onProve={async (password) =>
          setPhrase(await onlyWhileVisible(() => account.reveal(password, seed.id)))
        }
      >
        {steps !== undefined && <Stepper at={2} of={steps} />}
        <Warning>
          {t(
            'Make sure no one is watching your screen. Never share these words: no legitimate person or service will ever ask for them.',
          )}
        </Warning>
        {seeds.length > 1 && (
          <RadioGroup
            legend={t('Select a phrase')}
            options={seeds.map(({ id }, index) => ({
              value: id,
              label: t('Phrase {number}', { number: index + 1 }),
            }))}
            value={seed.id}
            onChange={(id) => setChosen(id)}
          />
        )}
      </PasswordGate>
    )
  }
  if (isAsked) {
    return (
      <Quiz
        phrase={phrase}
        step={steps === undefined ? undefined : { at: 3, of: steps }}
        onBack={() => setAsked(false)}
        onRight={async () => {
          await account.confirmBackup(seed.id)
          leave()
        }}
      />
    )
  }
  return (
    <Page
      title={t('Recovery phrase')}
      onBack={leave}
      foot={
        seed.backedUp ? undefined : (
          <button type="button" class="main" onClick={() => setAsked(true)}>
            {t('I’ve written it down')}
          </button>
        )
      }
    >
      {steps !== undefined && <Stepper at={2} of={steps} />}
      <Warning>{t('Anyone who sees these words can take your funds.')}</Warning>
      <PhraseGrid phrase={phrase} />
      <CopySecret text={phrase} />
    </Page>
  )
}

const none: never[] = []
