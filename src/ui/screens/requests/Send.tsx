import { useEffect, useMemo, useState } from 'preact/hooks'
import { type CallWords, describeCall, knownOn, type SwapWords } from '../../../domain/abi/callWords.ts'
import type { Preview, Simulation } from '../../../domain/activity/calls.ts'
import { toShown } from '../../../domain/activity/worse.ts'
import type { Network } from '../../../domain/network/network.ts'
import { callRisks } from '../../../domain/page/callRisks.ts'
import { keysToAcknowledge, type Risk, tokensAtRisk } from '../../../domain/page/risk.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { toWalletError } from '../../../errors.ts'
import { plural, t } from '../../../language/translate.ts'
import { createPreview, type PreviewState } from '../../../state/swap/preview.ts'
import { formatAmount, formatWhole } from '../../format/numbers.ts'
import { use, useStores } from '../../hooks/use.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { ErrorWhat } from '../../parts/ErrorWhat.tsx'
import { Note } from '../../parts/Note.tsx'
import { Row } from '../../parts/Row.tsx'
import { CallCard, CallList } from '../../parts/requests/CallCard.tsx'
import { CallData } from '../../parts/requests/CallData.tsx'
import { type CallView, viewOfCall } from '../../parts/requests/callView.ts'
import { OwnQuote } from '../../parts/requests/OwnQuote.tsx'
import { Request, type ScreenProps } from '../../parts/requests/Request.tsx'
import { contentOf, feeDoubtOf, stakeOf, verdictOf, withDoubt } from '../../parts/requests/sendVerdict.ts'
import { Changes } from '../../parts/review/Changes.tsx'
import { Grants } from '../../parts/review/Grants.tsx'
import { Stop } from '../../parts/Stop.tsx'
import { Tick } from '../../parts/Tick.tsx'
import { Lookalikes } from '../../parts/tokens/Lookalikes.tsx'
import { useTokenList } from '../../parts/tokens/useTokenList.ts'
import { useTokensOf } from '../../parts/tokens/useTokens.ts'
import { sayReason } from '../../words/reasonWords.ts'
import { sayRisk } from '../../words/riskWords.ts'

/** A page asks to send one call, or several in a row: what they do, what they change, what they cost. */
export function Send({ approval, ask }: ScreenProps<'send'>) {
  const { approvals, get } = useStores()
  const preview = get(createPreview)
  const { id, chainId } = approval
  const { account, calls } = ask
  const network = useNetwork(chainId)
  const [ticked, setTicked] = useState('')
  const state = use(preview, (now) => now)
  useEffect(() => {
    preview.watch(id)
    return preview.stop
  }, [preview, id])

  const list = useTokenList(chainId)
  const known = useMemo(() => {
    const found = knownOn(network, { account, chainId })
    return { ...found, wrapped: [...found.wrapped, ...wrappedOf(list, network)] }
  }, [account, chainId, list, network])
  const words = useMemo(() => calls.map((call) => describeCall(call, known)), [calls, known])
  const views = words.map((one) => viewOfCall(one, account))
  const risks = risksOf(state, words, known)
  const tokenOf = useTokensOf(chainId, [...views.flatMap(tokensOf), ...risks.flatMap(tokensAtRisk)])
  const simulation = state.status === 'ready' ? state.preview.simulation : undefined
  const moved = simulation?.status === 'succeeds' ? tokensMoved(simulation) : []
  const say = (one: Risk) => sayRisk(one, tokenOf)
  const doubts = risks.map((one) => ({ words: say(one), isGrave: one.isGrave }))
  const coin = network?.coin.symbol ?? ''
  const grave = doubts.filter(({ isGrave }) => isGrave)
  const acknowledged = keysToAcknowledge(risks)
  const [only] = views.length === 1 ? views : []
  const label =
    only === undefined
      ? plural(calls.length, 'Send all {count}', 'Send all {count}')
      : words[0]?.kind === 'swap'
        ? t('Swap')
        : t('Send')
  const total = calls.reduce((sum, { value }) => sum + value, 0n)
  const value = total === 0n ? undefined : `${formatWhole(total, 18)} ${coin}`
  const judged = verdictOf(state, doubts, { label, calls: calls.length, value })
  const ofFee = feeDoubtOf(state, coin)
  const verdict = ofFee === undefined ? judged : withDoubt(judged, ofFee)
  const { feeCap } = verdict
  // A tick is for what stood there when it was set.
  const risk = [...acknowledged, grave.length === 0 ? (judged.tick ?? '') : '', ofFee ?? ''].join(', ')
  const fee = feeCap === undefined ? undefined : `${formatAmount(feeCap, 18)} ${coin}`
  const quotes = words
    .filter(isKnownSwap)
    .map((swap, at) => (
      <OwnQuote key={at} chainId={chainId} swap={swap} buy={swap.buy} tokenOf={tokenOf} round={simulation} />
    ))

  return (
    <Request
      approval={approval}
      title={
        only?.title ?? plural(calls.length, '{count} transaction in a row', '{count} transactions in a row')
      }
      content={contentOf(state, verdict, fee)}
      note={
        verdict.tick !== undefined && (
          <Tick
            label={
              grave.length > 1
                ? `${ofFee ?? ''} ${t('I have read all of these warnings. Go on.')}`.trim()
                : `${verdict.tick} ${t('Go on.')}`
            }
            isTicked={ticked === risk}
            onTick={(isTicked) => setTicked(isTicked ? risk : '')}
          />
        )
      }
      accept={{
        label: verdict.label,
        danger: verdict.isDangerous,
        disabled: feeCap === undefined || (verdict.tick !== undefined && ticked !== risk),
        run: async () => {
          if (feeCap === undefined) return
          const expected = simulation && toShown(simulation)
          const decision = {
            kind: 'send',
            feeCap,
            mayFail: verdict.mayFail,
            acknowledged,
            ...(expected && { expected }),
          } as const
          await approvals.approve(id, decision).catch((error: unknown) => {
            // The outcome is another one by now, which the user has not seen.
            if (['outcome-changed', 'would-fail', 'stale-review'].includes(toWalletError(error).code))
              preview.watch(id)
            throw error
          })
        },
      }}
    >
      {only ? (
        <CallCard view={only} tokenOf={tokenOf}>
          {quotes}
        </CallCard>
      ) : (
        <>
          <CallList views={views} tokenOf={tokenOf} />
          {quotes.length > 0 && <dl class="rows panel">{quotes}</dl>}
        </>
      )}
      <Outcome state={state} value={value} />
      <Lookalikes chainId={chainId} tokens={[...views.flatMap(tokensOf).map(tokenOf), ...moved]} />
      <dl class="rows panel">
        <Row
          name={
            network === undefined
              ? t('Fee on chain {chainId}, at most', { chainId })
              : t('Fee on {network}, at most', { network: network.name })
          }
        >
          {fee ?? <span class="bone" />}
        </Row>
      </dl>
      {grave.length > 0 && (
        <Stop what={t('Look twice.')}>
          {grave.map(({ words: doubt }) => (
            <p key={doubt}>{doubt}</p>
          ))}
        </Stop>
      )}
      {doubts
        .filter(({ isGrave }) => !isGrave)
        .map(({ words: doubt }) => (
          <Note key={doubt}>{doubt}</Note>
        ))}
      <CallData calls={calls} coin={coin} />
    </Request>
  )
}

/** By its name on the list: W before the coin's. */
function wrappedOf(list: Token[], network: Network | undefined): Address[] {
  const symbol = `W${network?.coin.symbol}`
  return list.filter((token) => token.listed && token.symbol === symbol).map(({ address }) => address)
}

/** By the worker, which asked the node; by the calls alone while it has not answered. */
function risksOf(state: PreviewState, words: CallWords[], known: ReturnType<typeof knownOn>): Risk[] {
  if (state.status === 'ready') return state.preview.risks
  const isAwaited = state.status === 'idle' || (state.status === 'loading' && !state.slow)
  return callRisks(words, known).filter(({ kind }) => !isAwaited || kind === 'call')
}

function tokensOf({ sides }: CallView): Address[] {
  return sides.map(({ address }) => address)
}

function tokensMoved({ changes, grants }: Extract<Simulation, { status: 'succeeds' }>): Token[] {
  return [...changes, ...grants].map(({ token }) => token)
}

/** What the node says that happens, or why it says nothing. */
function Outcome({ state, value }: { state: PreviewState; value: string | undefined }) {
  switch (state.status) {
    case 'idle':
      return null
    case 'loading':
      return state.slow ? (
        <Note>{t('The node has not answered. What this changes is not known.')}</Note>
      ) : (
        <section class="panel sides" aria-busy="true" aria-label={t('Checking what this changes')}>
          <div class="side">
            <span class="bone bone-round" />
            <span class="bone" />
          </div>
        </section>
      )
    case 'failed':
      return (
        <Note>
          <ErrorWhat error={state.error} /> {t('What this changes is not known.')}
        </Note>
      )
    case 'ready':
      return (
        <>
          <Simulated preview={state.preview} value={value} />
          {state.trouble && (
            <Note>
              <ErrorWhat error={state.trouble} /> {t('These numbers may be old.')}
            </Note>
          )}
        </>
      )
  }
}

type SimulatedProps = { preview: Preview; value: string | undefined }

function Simulated({ preview: { simulation, isPlain }, value }: SimulatedProps) {
  if (simulation.status === 'reverts') {
    return (
      <Stop what={t('This would fail.')}>
        <p class="reason">{sayReason(simulation.reason)}</p>
        {isPlain !== true && <p>{stakeOf(value)}</p>}
      </Stop>
    )
  }
  if (simulation.status === 'unknown') {
    return (
      <Note>{t('{reason}. What this changes is not known.', { reason: sayReason(simulation.reason) })}</Note>
    )
  }
  return (
    <>
      <h2 class="part">{t('What changes')}</h2>
      <Changes changes={simulation.changes} />
      <Grants grants={simulation.grants} />
    </>
  )
}

type KnownSwap = SwapWords & { buy: NonNullable<SwapWords['buy']> }

/** Only what a known router does is what its calldata says. */
function isKnownSwap(words: CallWords): words is CallWords & KnownSwap {
  return words.kind === 'swap' && words.buy !== undefined && !words.warnings.includes('unknown-router')
}
