import { useEffect, useRef } from 'preact/hooks'
import { requestedMinReturn } from '../../../domain/dapp/swapRequest.ts'
import type { Settings } from '../../../domain/network/network.ts'
import type { Trade } from '../../../domain/swap/quote.ts'
import { t } from '../../../i18n/translate.ts'
import { isReachable, isReady } from '../../../state/settings.ts'
import { allowedSlippage } from '../../../state/swap/dappSwapRequest.ts'
import { effectiveSlippage, type FormQuote, toReviewRequest } from '../../../state/swap/swapForm.ts'
import { SiteOrigin } from '../../components/address/SiteOrigin.tsx'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { RetryScreen } from '../../components/alerts/RetryScreen.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useId } from '../../hooks/useId.ts'
import { lazy } from '../../lazy/lazy.tsx'
import { NetworkErrorBanner } from '../../networks/NetworkErrorBanner.tsx'
import { enteredSellAmount } from '../../swap/primaryAction.ts'
import { SwapForm } from '../../swap/SwapForm.tsx'
import { RejectButton } from '../RejectButton.tsx'
import type { ScreenProps } from '../Request.tsx'
import { RequestContext } from '../RequestContext.tsx'
import { RequestQueue } from '../RequestQueue.tsx'
import { SwapRequestNotes } from './SwapRequestNotes.tsx'

const ReviewScreen = lazy(() => import('../../lazy/reviewChunk.ts').then(({ ReviewScreen }) => ReviewScreen))

type Props = ScreenProps<'swap'> & { settings: Settings }

/** Swap form prefilled by a site. */
export function SwapRequest({ approval, ask: { request }, settings }: Props) {
  const { approvals, dappSwapRequest, trade, quote, swap, account } = useStores()
  const known = useNetwork(request.chainId)
  const network = known !== undefined && isReady(known) ? known : undefined
  const state = useStore(dappSwapRequest, (now) => now)
  const stage = useStore(swap, (now) => now.stage)
  const form = useStore(trade, (now) => now)
  const quoted = useStore(quote, (now) => now)
  const acting = useStore(account, (now) =>
    now.step === 'open' ? now.accounts.find(({ address }) => address === request.from) : undefined,
  )
  const reject = useMutation(() => approvals.reject(approval.id))
  const origin = useId()
  const heading = useRef<HTMLHeadingElement>(null)

  const fill = async () => {
    if (network !== undefined) await dappSwapRequest.open(approval, request, network, settings.slippageBps)
  }
  useEffect(() => {
    fill()
  }, [dappSwapRequest, approval.id, network?.chainId])
  const mine = 'approvalId' in state && state.approvalId === approval.id ? state : undefined
  const amount = mine?.status === 'filled' ? mine.amount : undefined
  const isFilled = amount !== undefined
  useEffect(() => {
    if (!isFilled) heading.current?.focus()
  }, [isFilled])

  const button = (
    <RejectButton isDisabled={reject.isRunning || stage.at === 'confirming'} onPress={() => reject.run()} />
  )
  const isForm = network !== undefined && amount !== undefined

  // Another swap's review must not appear under this origin.
  if ('plan' in stage && stage.plan.request?.id === approval.id && acting !== undefined) {
    return <ReviewScreen stage={stage} account={acting} origin={approval.origin} second={button} />
  }
  const slippageBps = allowedSlippage(effectiveSlippage(form, settings), request)
  const filled = amount?.filled
  const floorOf = (wanted: Trade) => requestedMinReturn(request, wanted, filled)
  const { sell, buy } = form
  const sold = enteredSellAmount({ trade: form, quote: quoted })
  const atLeast =
    sell && buy && sold !== undefined
      ? floorOf({ chainId: request.chainId, sell: sell.address, buy: buy.address, amount: sold })
      : undefined
  const prepare = (price: FormQuote) => {
    const floor = floorOf(price.trade)
    return swap.prepare({
      account: request.from,
      ...toReviewRequest(price, form, slippageBps, network, floor),
      request: {
        id: approval.id,
        ...(filled !== undefined && { filled }),
        ...(floor !== undefined && { floor }),
      },
    })
  }
  return (
    <div class="fill">
      <header class="request-head request-head-small">
        <RequestQueue approval={approval} />
        <SiteOrigin id={origin} origin={approval.origin} />
        <h1 ref={heading} tabIndex={-1} aria-describedby={origin}>
          {t('Swap on {network}?', {
            network: known?.name ?? t('Chain ID {chainId}', { chainId: request.chainId }),
          })}
        </h1>
        <RequestContext account={request.from} chainId={request.chainId} />
      </header>
      <main class="swap request-swap">
        {reject.error && <ErrorMessage error={reject.error} />}
        {network === undefined && (
          <Warning>
            {known === undefined
              ? t('The network for this request was removed from your wallet.')
              : isReachable(known)
                ? t('{name} needs a swap service. Add one in Settings.', { name: known.name })
                : t('{name} needs an RPC. Add one in Settings.', { name: known.name })}
          </Warning>
        )}
        {network !== undefined && mine?.status === 'failed' && (
          <RetryScreen error={mine.error} onRetry={fill} />
        )}
        {isForm && (
          <>
            {amount.error && (
              <ErrorMessage error={amount.error}>
                <p>{t('Couldn’t calculate the sell amount. Enter it manually.')}</p>
                <button type="button" class="link" onClick={fill}>
                  {t('Try again')}
                </button>
              </ErrorMessage>
            )}
            <SwapRequestNotes request={request} floor={atLeast} />
            <NetworkErrorBanner network={network} />
            <SwapForm
              network={network}
              account={request.from}
              slippageBps={slippageBps}
              atLeast={atLeast}
              second={button}
              onReview={prepare}
            />
          </>
        )}
        {network !== undefined && (mine === undefined || mine.status === 'filling') && (
          <p class="filling dim" role="status">
            {t('Loading request…')}
          </p>
        )}
      </main>
      {!isForm && (
        <footer class="page-foot">
          <div class="request-acts">{button}</div>
        </footer>
      )}
    </div>
  )
}
