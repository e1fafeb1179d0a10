import type { Risk } from '../../../domain/dapp/risks/risk.ts'
import { t } from '../../../i18n/translate.ts'
import type { PreviewState } from '../../../state/approvals/callPreview.ts'
import { Alert } from '../../components/alerts/Alert.tsx'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { formatBareReason } from '../../messages/errors/revertReason.ts'
import { AlikeAddresses } from './AlikeAddresses.tsx'
import { getRejection } from './simulationStatus.ts'

type Props = { state: PreviewState; risks: Risk[]; say(risk: Risk): string }

/** Risks, grave ones first, or the reason for a rejection. */
export function SendWarnings({ state, risks, say }: Props) {
  const refusal = getRejection(state)
  const simulation = state.status === 'ready' ? state.preview.simulation : undefined
  const failing = risks.find(({ kind }) => kind === 'fails')
  const grave = risks.filter((one) => one.isGrave && one !== failing)
  return (
    <>
      {refusal && <ErrorMessage error={refusal} />}
      {simulation?.status === 'reverts' && (
        <Alert what={t('Transaction will likely fail')}>
          <p class="reason">{formatBareReason(simulation.reason)}</p>
          {failing && <p>{say(failing)}</p>}
        </Alert>
      )}
      {grave.length > 0 && (
        <Alert what={t('Proceed with caution')}>
          {[...new Set(grave.map(say))].map((words) => (
            <p key={words}>{words}</p>
          ))}
          <AlikeAddresses risks={grave} />
        </Alert>
      )}
      {[...new Set(risks.filter(isNoted).map(say))].map((words) => (
        <Warning key={words}>{words}</Warning>
      ))}
    </>
  )
}

/** First transfers are noted beside the recipient. */
function isNoted({ kind, isGrave }: Risk): boolean {
  return !isGrave && kind !== 'new-recipient'
}
