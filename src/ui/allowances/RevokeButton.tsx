import { useEffect, useState } from 'preact/hooks'
import { getFeeLimits, warnFee } from '../../domain/network/feeLimits.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import type { RevokeRequest } from '../../protocol.ts'
import { allowanceKey } from '../../state/allowances.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Checkbox } from '../components/fields/Checkbox.tsx'
import { ConfirmButton } from '../components/fields/ConfirmButton.tsx'
import { FeeValue } from '../fees/FeeValue.tsx'
import { useIsWatchOnly } from '../hooks/data/useIsWatchOnly.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore } from '../hooks/data/useStore.ts'
import { formatFeeWarning } from '../messages/feeWarnings.ts'
import { useAllowances } from './useAllowances.ts'
import '../style/lazy/revoke.css'

const words = {
  pricing: defineMessage('Revoke'),
  priced: defineMessage('Revoke'),
  sending: defineMessage('Revoking…'),
  'needs-unlock': defineMessage('Unlock to continue'),
}

export function RevokeButton({ ask }: { ask: RevokeRequest }) {
  const allowances = useAllowances()
  const key = allowanceKey(ask)
  const revocation = useStore(allowances, ({ revocations }) => revocations[key])
  const network = useNetwork(ask.chainId)
  const isWatched = useIsWatchOnly(ask.account)
  const [ticked, setTicked] = useState('')
  const isNew = revocation === undefined && !isWatched
  useEffect(() => {
    if (isNew) allowances.price(ask)
  }, [allowances, key, isNew])
  if (isWatched) {
    return (
      <p class="dim small">{t('This account is watch-only. Import its key to revoke allowances here.')}</p>
    )
  }
  if (revocation?.at === 'failed') {
    return (
      <ErrorMessage error={revocation.error}>
        <button type="button" class="link" onClick={() => allowances.price(ask)}>
          {t('Try again')}
        </button>
      </ErrorMessage>
    )
  }
  const fee = revocation?.at === 'priced' ? revocation.fee : undefined
  const doubt = fee !== undefined && network ? warnFee({ fee: fee.feeCap }, getFeeLimits(network)) : undefined
  const risk = doubt ? formatFeeWarning(doubt, network?.coin.symbol ?? '') : ''
  const hint = revocation?.at === 'sending' ? t('Waiting for confirmation') : '\u00a0'
  return (
    <>
      {risk !== '' && (
        <Checkbox
          label={risk}
          isTicked={ticked === risk}
          onTick={(isTicked) => setTicked(isTicked ? risk : '')}
        />
      )}
      <ConfirmButton
        class="second revoke"
        content={`${fee?.feeCap} ${ticked === risk}`}
        isDisabled={fee === undefined || ticked !== risk}
        onPress={() => allowances.revoke(ask)}
      >
        {t(words[revocation?.at ?? 'pricing'])}
        <span class="dim small num revoke-fee">
          {fee === undefined ? (
            hint
          ) : (
            <FeeValue fee={fee} coin={network?.coin.symbol ?? ''} chainId={ask.chainId} />
          )}
        </span>
      </ConfirmButton>
    </>
  )
}
