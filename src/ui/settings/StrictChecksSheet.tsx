import { t } from '../../i18n/translate.ts'
import { Sheet } from '../components/Sheet.tsx'
import { Warning } from '../components/Warning.tsx'
import { useIsMounted } from '../hooks/useIsMounted.ts'
import { useStores } from '../hooks/useStore.ts'
import { PasswordForm } from '../secrets/PasswordForm.tsx'

/** Takes the password: swaps are less safe without strict calldata checks. */
export function StrictChecksSheet({ onClose }: { onClose(): void }) {
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

export function StrictChecksNote() {
  return (
    <Warning>
      {t(
        'Short router calls don’t state every detail of a swap. Sluice then has to rely on your RPC alone for what a swap does.',
      )}
    </Warning>
  )
}
