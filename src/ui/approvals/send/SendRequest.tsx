import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Simulation } from '../../../domain/activity/simulation.ts'
import { toShown } from '../../../domain/activity/worse.ts'
import type { DecodedCall, DecodedSwap } from '../../../domain/calldata/decodedCall.ts'
import { describeCall, knownOn } from '../../../domain/calldata/describeCall.ts'
import { keysToAcknowledge, type Risk, tokensAtRisk } from '../../../domain/dapp/risks/risk.ts'
import { isRejection } from '../../../domain/dapp/risks/uncheckedRisks.ts'
import { findEditableApproval, grantsItem, limitSpending } from '../../../domain/dapp/spendingLimit.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { toWalletError } from '../../../errors.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { createPreview } from '../../../state/approvals/callPreview.ts'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { Row } from '../../components/Row.tsx'
import { FeeValue } from '../../fees/FeeValue.tsx'
import { formatAmount } from '../../format/numbers.ts'
import { useNames } from '../../hooks/data/useContacts.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { formatAcknowledgement } from '../../messages/acknowledgements.ts'
import { formatRisk } from '../../messages/risks.ts'
import { Lookalikes } from '../../tokens/Lookalikes.tsx'
import { useTokenList } from '../../tokens/useTokenList.ts'
import { useTokenLookup } from '../../tokens/useTokens.ts'
import { Request, type ScreenProps } from '../Request.tsx'
import { QuoteComparison } from '../swap/QuoteComparison.tsx'
import { useRecipientRisks } from '../useRecipientRisks.ts'
import { CallCard, CallList } from './CallCard.tsx'
import { CallData } from './CallData.tsx'
import { type CallView, namesRecipient, toCallView } from './callView.ts'
import { LimitPlace } from './LimitPlace.tsx'
import { toLimitEditor } from './limitEditor.ts'
import { toQuestion } from './question.ts'
import { SendOutcome } from './SendOutcome.tsx'
import { SendWarnings } from './SendWarnings.tsx'
import type { LimitChoice } from './SpendingLimit.tsx'
import { toRisks, withoutChosen } from './sendRisks.ts'
import { acknowledgementLabel, reviewedCalls, simulationStatus } from './simulationStatus.ts'
import { statedEffects } from './statedEffects.ts'

/** A limit is simulated once it has stopped changing for this long. */
const typingMs = 300

export function SendRequest({ approval, ask }: ScreenProps<'send'>) {
  const { approvals, get } = useStores()
  const preview = get(createPreview)
  const { id, chainId } = approval
  const { account } = ask
  const [choice, setChoice] = useState<LimitChoice>()
  const [isTouched, setIsTouched] = useState(false)
  const limit = choice === 'invalid' ? undefined : choice
  const calls = useMemo(
    () => (limit === undefined ? ask.calls : limitSpending(ask.calls, limit, { account, chainId })),
    [ask.calls, limit, account, chainId],
  )
  const editable = useMemo(
    () => findEditableApproval(ask.calls, { account, chainId }),
    [ask.calls, account, chainId],
  )
  const network = useNetwork(chainId)
  const nameOf = useNames()
  const [ticked, setTicked] = useState('')
  const state = useStore(preview, (now) => now)
  useEffect(() => {
    preview.watch(id, limit, isTouched ? typingMs : 0)
    return preview.stop
  }, [preview, id, limit])

  function chooseLimit(chosen: LimitChoice): void {
    setIsTouched(true)
    setChoice(chosen)
    // The result shown is for another limit.
    if ((chosen === 'invalid' ? undefined : chosen) !== limit) preview.stop()
    // A tick is for the amount it was set for.
    setTicked('')
  }

  useTokenList(chainId)
  // As in the worker: token lists must not change descriptions.
  const known = useMemo(() => knownOn(network, { account, chainId }), [account, chainId, network])
  const words = useMemo(() => calls.map((call) => describeCall(call, known)), [calls, known])
  const ofRecipients = useRecipientRisks(id)
  const risks = toRisks(state, calls, words, known, ofRecipients.risks)
  const codeless = risks.flatMap((one) => (one.kind === 'no-code' ? [one.contract] : []))
  const views = words.map((one) =>
    toCallView(one, account, one.kind !== 'unknown' || !codeless.includes(one.to)),
  )
  const hasStranger = risks.some((one) => one.kind === 'call' && one.warning === 'unknown-spender')
  const isNew = (address: Address) =>
    risks.some((one) => one.kind === 'new-recipient' && one.recipient === address)
  const listedOf = useTokenLookup(chainId, [...views.flatMap(toTokens), ...risks.flatMap(tokensAtRisk)])
  const simulation = state.status === 'ready' ? state.preview.simulation : undefined
  const moved = simulation?.status === 'succeeds' ? tokensMoved(simulation) : []
  // The simulation also knows collections.
  const tokenOf = (address: Address) =>
    listedOf(address) ?? moved.find((one) => one.address === address) ?? listedOf(address)
  const imitations = risks.flatMap((risk) => (risk.kind === 'imitation' ? [risk.token] : []))
  const unwarned = [...views.flatMap(toTokens).map(tokenOf), ...moved].filter(
    (token) => token && !imitations.includes(token.address),
  )
  // A collection's approval names an item, not an amount: known only once simulated.
  const isItem = simulation !== undefined && grantsItem(simulation, editable?.token)
  const limitToken = useRef<Token>(undefined)
  const editor = editable && toLimitEditor(editable, choice, state, limitToken.current)
  limitToken.current = editor?.token
  const told = editable && limit ? withoutChosen(risks, editable) : risks
  const say = (one: Risk) => formatRisk(one, tokenOf, nameOf)
  const coin = network?.coin.symbol ?? ''
  const acknowledged = keysToAcknowledge(risks)
  const [only] = views.length === 1 ? views : []
  const [described] = words
  const question =
    only &&
    described &&
    toQuestion(described, {
      account,
      network: network?.name ?? t('Chain ID {chainId}', { chainId }),
      tokenOf: listedOf,
      hasCode: described.kind !== 'unknown' || !codeless.includes(described.to),
      isItem,
    })
  const label = only === undefined ? plural(calls.length, 'Send all {count}', 'Send all {count}') : only.act
  const verdict = simulationStatus(state, risks, { label, calls: calls.length })
  const tick = acknowledgementLabel(risks, (one) => formatAcknowledgement(one, tokenOf))
  const { feeCap } = verdict
  // A tick holds for the warnings it was set for.
  const risk = [...acknowledged, tick].join(', ')
  const expected = state.status === 'ready' ? { expectedFee: state.preview.expectedFee } : {}
  const fee = feeCap === undefined ? undefined : `${formatAmount(feeCap, 18)} ${coin}`
  const quotes = words
    .filter(isKnownSwap)
    .map((swap, at) => (
      <QuoteComparison
        key={at}
        chainId={chainId}
        swap={swap}
        buy={swap.buy}
        tokenOf={tokenOf}
        round={simulation}
      />
    ))

  if (ofRecipients.isAwaited && views.some(namesRecipient)) return null
  return (
    <Request
      approval={approval}
      question={question ?? plural(calls.length, 'Send {count} transaction?', 'Send {count} transactions?')}
      warnings={
        <>
          <SendWarnings state={state} risks={told} say={say} />
          <Lookalikes chainId={chainId} tokens={unwarned} />
        </>
      }
      content={reviewedCalls(state, verdict, fee)}
      note={
        tick !== undefined && (
          <Checkbox
            label={tick}
            isTicked={ticked === risk}
            onTick={(isTicked) => setTicked(isTicked ? risk : '')}
          />
        )
      }
      accept={{
        label: verdict.label,
        danger: verdict.isDangerous,
        disabled:
          feeCap === undefined ||
          choice === 'invalid' ||
          editor?.isUnproven ||
          (tick !== undefined && ticked !== risk),
        run: async () => {
          if (feeCap === undefined) return
          const expected = simulation && toShown(simulation)
          const decision = {
            kind: 'send',
            feeCap,
            mayFail: verdict.mayFail,
            acknowledged,
            ...(limit !== undefined && { spendingLimit: limit }),
            ...(expected && { expected }),
          } as const
          await approvals.approve(id, decision).catch((error: unknown) => {
            // Shows the new outcome for review.
            const { code } = toWalletError(error)
            if (['outcome-changed', 'would-fail', 'stale-review'].includes(code) || isRejection(code))
              preview.watch(id, limit)
            throw error
          })
        },
      }}
    >
      {only ? (
        <CallCard view={only} tokenOf={tokenOf} {...{ chainId, isNew, hasStranger }}>
          {quotes}
        </CallCard>
      ) : (
        <>
          <CallList views={views} tokenOf={tokenOf} {...{ chainId, isNew, hasStranger }} />
          {quotes.length > 0 && <dl class="rows panel">{quotes}</dl>}
        </>
      )}
      {editable && editor && (
        <LimitPlace
          approval={editable}
          editor={editor}
          listed={listedOf(editable.token)}
          isItem={isItem}
          isRefused={editor.isUnproven && choice !== 'invalid' && ['ready', 'failed'].includes(state.status)}
          title={views.length > 1 ? views[editable.at]?.title : undefined}
          count={views.length}
          onChange={chooseLimit}
        />
      )}
      <SendOutcome state={state} stated={statedEffects(words, account, tokenOf)} />
      <dl class="rows panel request-fee">
        <Row
          name={
            network === undefined
              ? t('Network fee on chain ID {chainId}', { chainId })
              : t('Network fee on {network}', { network: network.name })
          }
        >
          <FeeValue
            fee={feeCap === undefined ? undefined : { ...expected, feeCap }}
            coin={coin}
            chainId={chainId}
          />
        </Row>
      </dl>
      <CallData calls={calls} coin={coin} />
    </Request>
  )
}

function toTokens({ sides }: CallView): Address[] {
  return sides.map(({ address }) => address)
}

function tokensMoved({ changes, grants }: Extract<Simulation, { status: 'succeeds' }>): Token[] {
  return [...changes, ...grants].map(({ token }) => token)
}

type KnownSwap = DecodedSwap & { buy: NonNullable<DecodedSwap['buy']> }

/** Calldata of an unknown router proves nothing. */
function isKnownSwap(words: DecodedCall): words is DecodedCall & KnownSwap {
  return words.kind === 'swap' && words.buy !== undefined && !words.warnings.includes('unknown-router')
}
