import { useEffect, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { Page } from '../components/Page.tsx'
import { Note } from '../components/Warning.tsx'
import { accountName } from '../format/accountName.ts'
import { onlyWhileVisible, onPageHidden } from '../hooks/useHideOnBlur.ts'
import { useStores } from '../hooks/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { CopySecret } from '../secrets/CopySecret.tsx'
import { KeyText } from '../secrets/KeyText.tsx'
import { Prove } from '../secrets/PasswordGate.tsx'
import { OfAccount } from './WithAccount.tsx'

/** The private key of one account, as `Reveal` shows a phrase. */
export function RevealKey({ of }: Pick<ScreenProps, 'of'>) {
  return <OfAccount of={of}>{(one) => <Key one={one} />}</OfAccount>
}

function Key({ one }: { one: OwnAccount }) {
  const { account, place } = useStores()
  const [key, setKey] = useState<string | undefined>()
  useEffect(() => onPageHidden(() => setKey(undefined)), [])
  const name = accountName(one)
  if (key === undefined) {
    return (
      <Prove
        title={t('Private key')}
        act={t('Hold to show key')}
        pressed={t('Show key')}
        onBack={place.back}
        onProve={async (password) =>
          setKey(await onlyWhileVisible(() => account.revealKey(password, one.address)))
        }
      >
        <Note>
          {t(
            'Anyone with the private key of {name} can take all its funds. Never share it: no legitimate person or service will ever ask for it.',
            {
              name,
            },
          )}
        </Note>
      </Prove>
    )
  }
  return (
    <Page title={t('Private key of {name}', { name })} onBack={place.back}>
      <Note>{t('Anyone who sees this key can take this account’s funds.')}</Note>
      <KeyText text={key} />
      <CopySecret text={key} />
    </Page>
  )
}
