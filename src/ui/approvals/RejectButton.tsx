import { t } from '../../i18n/translate.ts'

type Props = { isDisabled: boolean; onPress(): void }

/** First button of the foot, at the same place on every request. */
export function RejectButton({ isDisabled, onPress }: Props) {
  return (
    <button type="button" class="second" disabled={isDisabled} onClick={onPress}>
      {t('Reject')}
    </button>
  )
}
