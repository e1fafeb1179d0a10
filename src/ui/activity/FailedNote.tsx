import { useMemo } from 'preact/hooks'
import type { Activity } from '../../domain/activity/activity.ts'
import { activityAmounts } from '../../domain/activity/activity.ts'
import { getChainId, isSwap } from '../../domain/activity/intent.ts'
import { returnedBy } from '../../domain/swap/simulationCheck.ts'
import { WalletError } from '../../errors.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { formatAmount, formatInteger } from '../format/numbers.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { adviceFor } from '../messages/errors/reverts.ts'
import type { Tokens } from '../tokens/useTokens.ts'

type Outcome = Extract<Activity['outcome'], { status: 'failed' }>
type Props = { entry: Activity; outcome: Outcome; tokens: Tokens }

/** Reason of a failure; for a revert also expected return and fee. */
export function FailedNote({ entry, outcome: { code, message, facts }, tokens }: Props) {
  const error = useMemo(() => new WalletError(code, message, facts), [code, message, facts])
  const network = useNetwork(getChainId(entry.intent))
  if (code !== 'reverted' || network === undefined) return <ErrorMessage error={error} />
  const { out, in: into } = activityAmounts(entry)
  // Earlier calls of a batch may have moved funds.
  const isKept = isSwap(entry) || entry.steps.length === 1
  const chainId = getChainId(entry.intent)
  const sold = out && tokens.tokenOf(chainId, out.token)
  const bought = into && tokens.tokenOf(chainId, into.token)
  const returned = isSwap(entry) && facts.step === 'swap' ? returnedBy(facts) : undefined
  const fee = `${formatAmount(entry.paid, 18)} ${network.coin.symbol}`
  const advice = adviceFor(facts)
  return (
    <ErrorMessage
      error={error}
      next={
        <>
          {returned !== undefined && into && bought && (
            <>
              {tx('The swap would have returned {returned}, less than your minimum of {minimum}.', {
                returned: <Amount amount={returned} token={bought} />,
                minimum: <Amount amount={into.amount} token={bought} />,
              })}{' '}
            </>
          )}
          {isKept && out && sold && (
            <>
              {tx('You still have your {amount}.', {
                amount: <Amount amount={out.amount} token={sold} isExact />,
              })}{' '}
            </>
          )}
          <span title={`${formatInteger(entry.paid, 18)} ${network.coin.symbol}`}>
            {t('The network fee of {fee} was still charged.', { fee })}
          </span>{' '}
          {advice}
        </>
      }
    />
  )
}
