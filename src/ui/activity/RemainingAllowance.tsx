import { useEffect } from 'preact/hooks'
import { permit2 } from '../../domain/signing/permit2.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import { isNative, type Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { RevokeRequest } from '../../protocol.ts'
import { allowanceKey } from '../../state/allowances.ts'
import { RevokeButton } from '../allowances/RevokeButton.tsx'
import { useAllowances } from '../allowances/useAllowances.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore } from '../hooks/data/useStore.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'

/** Allowance left after a swap. */
export function RemainingAllowance({ swap: { intent, outcome }, sell }: { swap: Swap; sell: Token }) {
  const allowances = useAllowances()
  const { account, trade, permission, router } = intent
  const isForPermit2 = permission?.via === 'permit2'
  const spender = isForPermit2 ? permit2 : router
  const ask: RevokeRequest = { chainId: trade.chainId, account, token: trade.sell, spender }
  const key = allowanceKey(ask)
  const amount = useStore(allowances, ({ named }) => named[key])
  const look = useMutation(() => allowances.look(ask))
  useEffect(() => {
    if (!isNative(trade.sell)) look.run()
  }, [key])
  if (isNative(trade.sell)) return null
  if (look.error) {
    return (
      <ErrorMessage error={look.error}>
        <p>{t('The remaining allowance is unknown.')}</p>
        <button type="button" class="link" onClick={() => look.run()}>
          {t('Try again')}
        </button>
      </ErrorMessage>
    )
  }
  return (
    <section class="panel remains" aria-live="polite">
      <p>
        {isForPermit2 ? t('Remaining Permit2 allowance:') : t('Remaining router allowance:')}{' '}
        <strong>
          {amount === undefined ? (
            <span class="bone" />
          ) : (
            <TokenAmount amount={amount} address={sell.address} token={sell} />
          )}
        </strong>
      </p>
      {outcome.status === 'failed' && permission !== undefined && permission.via !== 'approve' && (
        <p class="dim small">
          {t('If you already signed a permit for this swap, it expires 10 minutes after you signed it.')}
        </p>
      )}
      {amount !== undefined && amount > 0n && <RevokeButton ask={ask} />}
    </section>
  )
}
