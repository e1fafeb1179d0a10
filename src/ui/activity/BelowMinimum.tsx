import { minReturnFor } from '../../domain/swap/minimum.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import type { Token } from '../../domain/token/token.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { isForOther } from '../messages/activity.ts'

/** Alert for a mined swap that paid less than its minimum. */
export function BelowMinimum({ swap, buy }: { swap: Swap; buy: Token | undefined }) {
  const { intent, outcome } = swap
  if (outcome.status !== 'below-minimum') return null
  const { received, spent = intent.trade.amount } = outcome
  const amounts = buy && {
    received: <Amount amount={received} token={buy} />,
    minimum: <Amount amount={minReturnFor(intent, spent)} token={buy} />,
  }
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>
          {amounts === undefined
            ? t('The swap paid out less than its minimum.')
            : isForOther(swap)
              ? tx('The recipient received {received}, less than the minimum of {minimum}.', amounts)
              : tx('You received {received}, less than the minimum of {minimum}.', amounts)}
        </strong>{' '}
        {t(
          'Don’t repeat this swap. Stop using this swap service, and revoke its router’s remaining allowances.',
        )}
      </p>
    </div>
  )
}
