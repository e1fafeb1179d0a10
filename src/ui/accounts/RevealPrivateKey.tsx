import '../style/lazy/secret.css'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { onlyWhileVisible, onPageHidden, useHideOnBlur } from '../hooks/useHideOnBlur.ts'
import type { ScreenProps } from '../screenProps.ts'
import { CopySecret } from '../secrets/CopySecret.tsx'
import { PasswordGate } from '../secrets/PasswordGate.tsx'
import { WithAccount } from './WithAccount.tsx'

export function RevealPrivateKey({ of }: Pick<ScreenProps, 'of'>) {
  return <WithAccount of={of}>{(one) => <Key one={one} />}</WithAccount>
}

function Key({ one }: { one: OwnAccount }) {
  const { account, router } = useStores()
  const [key, setKey] = useState<string | undefined>()
  useEffect(() => onPageHidden(() => setKey(undefined)), [])
  const name = accountName(one)
  if (key === undefined) {
    return (
      <PasswordGate
        title={t('Private key')}
        act={t('Hold to show key')}
        pressed={t('Show key')}
        onBack={router.back}
        onProve={async (password) =>
          setKey(await onlyWhileVisible(() => account.revealKey(password, one.address)))
        }
      >
        <Warning>
          {t(
            'Anyone with the private key of {name} can take all its funds. Never share it: no legitimate person or service will ever ask for it.',
            {
              name,
            },
          )}
        </Warning>
      </PasswordGate>
    )
  }
  return (
    <Page title={t('Private key of {name}', { name })} onBack={router.back}>
      <Warning>{t('Anyone who sees this key can take this account’s funds.')}</Warning>
      <KeyText text={key} />
      <CopySecret text={key} />
    </Page>
  )
}

/** A private key, covered while the window has not the focus. */
function KeyText({ text }: { text: string }) {
  const [isCovered, setCovered] = useHideOnBlur()
  return (
    <>
      <section class="secret-text" aria-label={t('Private key')}>
        {isCovered ? '•'.repeat(text.length) : text}
      </section>
      {isCovered && (
        <button type="button" class="second" onClick={() => setCovered(false)}>
          {t('Show key')}
        </button>
      )}
    </>
  )
}
