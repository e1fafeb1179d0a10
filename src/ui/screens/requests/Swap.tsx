import { useEffect, useRef } from 'preact/hooks'
import type { Settings } from '../../../domain/network.ts'
import { isSameTrade, type Trade } from '../../../domain/trade.ts'
import { allowedSlippage } from '../../../state/proposal.ts'
import { Note } from '../../parts/Note.tsx'
import { Origin } from '../../parts/Origin.tsx'
import { ProposalNotes } from '../../parts/ProposalNotes.tsx'
import type { ScreenProps } from '../../parts/Request.tsx'
import { RequestQueue } from '../../parts/RequestQueue.tsx'
import { RequestWho } from '../../parts/RequestWho.tsx'
import { Retry } from '../../parts/Retry.tsx'
import { SwapForm } from '../../parts/SwapForm.tsx'
import { useNetwork } from '../../parts/usePair.ts'
import { use, useStores, useTask } from '../../use.ts'
import { Review } from '../Review.tsx'

type Props = ScreenProps<'swap'> & { settings: Settings }

/** A page asks for a swap: the same form as ever, filled with what it proposed. Everything in it is the user's to change. */
export function SwapRequest({ approval, ask: { request }, settings }: Props) {
  const { approvals, proposal, trade, swap, account } = useStores()
  const network = useNetwork(request.chainId)
  const state = use(proposal, (now) => now)
  const stage = use(swap, (now) => now.stage)
  const chosenBps = use(trade, (form) => form.slippageBps) ?? settings.slippageBps
  const acting = use(account, (now) =>
    now.step === 'open' ? now.accounts.find(({ address }) => address === request.from) : undefined,
  )
  const reject = useTask(() => approvals.reject(approval.id))
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    if (network !== undefined) proposal.open(approval, request, network)
  }, [proposal, approval.id, network?.chainId])
  const isFilled = state.status === 'filled' && state.approvalId === approval.id
  useEffect(() => {
    if (!isFilled) heading.current?.focus()
  }, [isFilled])

  // A review may be left from a request that is over: under this one's origin it would be a lie.
  const isReviewed = 'plan' in stage && stage.plan.request === approval.id
  useEffect(() => {
    if ('plan' in stage && !isReviewed) swap.leave()
  }, [swap, stage, isReviewed])
  if (isReviewed && acting !== undefined) {
    return <Review stage={stage} account={acting} origin={approval.origin} />
  }
  const slippageBps = allowedSlippage(chosenBps, request)
  const prepare = (wanted: Trade) => {
    // What the page holds to is its own swap, whole; another one is the user's alone.
    const isItsOwn =
      state.status === 'filled' && state.trade !== undefined && isSameTrade(state.trade, wanted)
    const { minReceived } = request
    swap.prepare({
      account: request.from,
      trade: wanted,
      slippageBps,
      ...(isItsOwn && minReceived !== undefined ? { atLeast: minReceived } : {}),
      request: approval.id,
    })
  }
  return (
    <div class="fill">
      <header class="request-head request-head-small">
        <RequestQueue approval={approval} />
        <div class="request-line">
          <div class="grow">
            <Origin origin={approval.origin} />
            <h1 ref={heading} tabIndex={-1}>
              asks you to swap
            </h1>
          </div>
          <button type="button" class="second" disabled={reject.isRunning} onClick={() => reject.run()}>
            Reject
          </button>
        </div>
        <RequestWho account={request.from} chainId={request.chainId} />
      </header>
      <main class="swap">
        {state.status === 'failed' && network !== undefined && (
          <Retry error={state.error} onRetry={() => proposal.open(approval, request, network)} />
        )}
        {network === undefined && <Note>The network of this request was removed.</Note>}
        {isFilled && network !== undefined && (
          <>
            <ProposalNotes request={request} />
            <SwapForm
              network={network}
              account={request.from}
              slippageBps={slippageBps}
              onSetUp={() => undefined}
              onReview={prepare}
            />
          </>
        )}
        {state.status === 'filling' && <div class="later" aria-busy="true" />}
      </main>
    </div>
  )
}
