import { useState } from 'preact/hooks'
import { newReturns } from '../../../domain/swap/newPrice.ts'
import { isNative, parseAddress } from '../../../domain/token/token.ts'
import type { ErrorCode, WalletError } from '../../../errors.ts'
import { t, tx } from '../../../i18n/translate.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { deductFee } from '../../../state/swap/swapForm.ts'
import { Amount } from '../../components/Amount.tsx'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useIsMounted } from '../../hooks/useIsMounted.ts'
import { useErrorMessage } from '../../messages/useMessages.ts'
import { PasswordForm } from '../../secrets/PasswordForm.tsx'
import { usePair } from '../../tokens/useTokens.ts'
import { SiteMinimum } from './simulation/SiteMinimum.tsx'

type Props = { error: WalletError; plan: Plan }

export function ReviewError({ error, plan }: Props) {
  const isBelow = error.code === 'below-floor'
  return (
    <ErrorMessage error={error} next={isBelow ? <NewPrice error={error} plan={plan} /> : undefined}>
      {error.code === 'unknown-router' && <TrustRouter facts={error.facts} plan={plan} />}
      {error.code === 'not-enough-gas' && <SellLess facts={error.facts} plan={plan} />}
      {isBelow && <SiteMinimum plan={plan} returns={newReturns(error)} />}
      {ofNode.has(error.code) && <OpenNetwork plan={plan} />}
    </ErrorMessage>
  )
}

const ofNode: ReadonlySet<ErrorCode> = new Set([
  'node-unreachable',
  'node-timeout',
  'node-refused',
  'wrong-chain',
  'fee-too-high',
])

type Facts = { facts: WalletError['facts']; plan: Plan }

/** Not in the approval window. */
function OpenNetwork({ plan: { trade } }: { plan: Plan }) {
  const { router, purpose, swap } = useStores()
  if (purpose !== 'form') return null
  const open = () => {
    swap.leave()
    router.go('network', String(trade.chainId))
  }
  return (
    <button type="button" class="link" onClick={open}>
      {t('Network settings')}
    </button>
  )
}

/** Takes the password: a malicious service could name its own router. */
function TrustRouter({ facts, plan }: Facts) {
  const { account, settings, swap } = useStores()
  const [isAsked, setAsked] = useState(false)
  const isHere = useIsMounted()
  const network = useNetwork(plan.trade.chainId)
  const router = parseAddress(facts.router ?? '')
  if (network === undefined || router === undefined) return null
  const trust = async (password: string) => {
    await account.unlock(password)
    if (!isHere()) return
    await settings.save({ networks: [{ ...network, router }] })
    await swap.prepare(plan)
  }
  return (
    <>
      <AddressGroups address={router} />
      {isAsked ? (
        <PasswordForm act={t('Trust router')} acting={t('Checking…')} isFirst onPassword={trust} />
      ) : (
        <button type="button" class="link" onClick={() => setAsked(true)}>
          {t('Trust this router on {network}', { network: network.name })}
        </button>
      )}
    </>
  )
}

/** Leaves the missing fee. */
function SellLess({ facts, plan: { trade } }: Facts) {
  const { trade: form, tokens, swap } = useStores()
  const state = useStore(form, (now) => now)
  const balance = useStore(tokens, ({ balances }) => balances[trade.sell])
  const missing = /^\d+$/.test(facts.missing ?? '') ? BigInt(facts.missing ?? '') : 0n
  if (!isNative(trade.sell) || missing === 0n || balance === undefined) return null
  const less = deductFee(state, trade.amount, missing, balance)
  if (less === undefined) return null
  const sell = () => {
    form.sellLess(less)
    swap.leave()
  }
  return (
    <button type="button" class="link" onClick={sell}>
      {t('Reduce amount')}
    </button>
  )
}

function NewPrice({ error, plan: { trade, atLeast } }: Props) {
  const pair = usePair(trade)
  const usual = useErrorMessage(error).next
  const returns = newReturns(error)
  if (returns === undefined || atLeast === undefined || pair === undefined) return <>{usual}</>
  return (
    <>
      {tx('The new price returns {returns}, less than the minimum of {minimum}. Nothing was signed.', {
        returns: <Amount amount={returns} token={pair.buy} />,
        minimum: <Amount amount={atLeast} token={pair.buy} />,
      })}
    </>
  )
}
