import { createStore } from 'zustand/vanilla'
import type { MaxSendable, TransferPreview, TransferRequest } from '../../domain/activity/transfer.ts'
import { toShown } from '../../domain/activity/worse.ts'
import type { RecipientFacts } from '../../domain/address/recipientWarnings.ts'
import { encode } from '../../domain/json.ts'
import type { FeeSpeed, PastPrice } from '../../domain/swap/swap.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { SwapsApi, TokensApi, TransactionsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'
import type { Session } from '../session.ts'
import { checkDecimals } from './decimals.ts'
import { readMaxAmount } from './maxAmount.ts'
import { readRecipient } from './recipient.ts'
import { createRecipientResolver, type Recipient } from './recipientResolver.ts'
import { readDraft, type Submitted, toDraft } from './sendDraft.ts'
import { type SendPlan, toFormText, toTransferRequest } from './sendPlan.ts'

/** Simulated transfer. When sending the whole native balance, `ask` fixes the fees. */
type Reviewed = {
  id: string
  plan: SendPlan
  ask: TransferRequest
  preview: TransferPreview
  facts: RecipientFacts
}

export type SendStage =
  | { at: 'form' }
  | { at: 'preparing'; plan: SendPlan; before: Reviewed | undefined }
  | { at: 'unprepared'; plan: SendPlan; error: WalletError }
  /** `trouble`: why the last refresh failed. */
  | ({ at: 'review'; trouble?: WalletError } & Reviewed)
  | ({ at: 'confirming' } & Reviewed)
  | ({ at: 'refused'; error: WalletError } & Reviewed)
  | { at: 'sent'; id: string }

export type SendState = {
  chainId: number | undefined
  account: Address | undefined
  token: Token | undefined
  text: string
  isMost: boolean
  /** Native token only, an estimate; null when the fee exceeds the balance. */
  most: MaxSendable | undefined | null
  to: string
  recipient: Recipient
  stage: SendStage
  handed?: Submitted | undefined
}

type Opening = {
  chainId: number
  account: Address
  coin: Token
  wanted: Address | undefined
  read(token: Address): Promise<Token | undefined>
}

type Deps = Pick<
  TransactionsApi,
  'previewTransfer' | 'send' | 'isContract' | 'callBatch' | 'callBatches' | 'call'
> &
  Pick<TokensApi, 'balances'> &
  Pick<SwapsApi, 'swaps'>

const renewEveryMs = 12_000

/** Older previews must be reviewed again. */
const holdsForMs = 5 * 60_000

const draftKey = 'send'

const empty = {
  text: '',
  isMost: false,
  most: undefined,
  to: '',
  recipient: { kind: 'empty' },
  stage: { at: 'form' },
} as const

export function createSend(wallet: Deps, clock: Clock, session: Session) {
  const store = createStore<SendState>()(() => ({
    ...empty,
    chainId: undefined,
    account: undefined,
    token: undefined,
  }))
  const { getState, setState } = store
  const enter = (stage: SendStage) => setState({ stage })
  const isAt = (stage: SendStage) => getState().stage === stage
  const renewing = createTimer(clock)
  let named: Address | undefined
  /** Prevents overwriting an unread draft of another view. */
  let isRecalled = false
  /** The user left while the transfer was being submitted. */
  let isLeft = false

  async function guessMost(): Promise<void> {
    const { chainId, account, token, isMost, recipient } = getState()
    if (!isMost || chainId === undefined || account === undefined || !token || !isNative(token.address))
      return
    const to = recipient.kind === 'known' ? recipient.address : account
    // Errors are left to the review.
    const most = await readMaxAmount(wallet, { chainId, account, to }).then(
      (found) => found ?? null,
      () => undefined,
    )
    const now = getState()
    if (now.isMost && now.token === token && now.account === account) setState({ most })
  }

  const look = createRecipientResolver(wallet, clock, {
    read: getState,
    write: (recipient) => setState({ recipient }),
    onKnown: guessMost,
  })

  function setTo(to: string): void {
    setState({ to })
    look(to)
  }

  /** Input typed meanwhile wins. */
  async function recall(chainId: number, account: Address, read: Opening['read']): Promise<void> {
    const draft = readDraft(await session.get(draftKey).catch(() => undefined))
    const handed = draft?.handed
    if (handed !== undefined) {
      // When unknown, the id is kept, so that nothing is sent twice.
      const taken = await retryOnWorkerRestart(clock, () => wallet.callBatch(handed.id)).catch(
        () => undefined,
      )
      if (taken !== undefined) return keep()
      if (getState().handed === undefined) setState({ handed })
    }
    if (draft?.chainId !== chainId || draft.account !== account) return
    const token = await read(draft.token)
    const now = getState()
    if (token === undefined || now.chainId !== chainId || now.text !== '' || now.to !== '') return
    setState({ token, text: draft.text })
    setTo(draft.to)
    if (draft.isMost) setMost()
  }

  function setMost(): void {
    setState({ isMost: true, text: '', most: undefined })
    guessMost()
  }

  async function keep(): Promise<void> {
    const draft = toDraft(getState())
    if (draft !== undefined) await session.set(draftKey, draft).catch(() => undefined)
  }

  store.subscribe((now, before) => {
    if (isRecalled && encode(toDraft(now) ?? null) !== encode(toDraft(before) ?? null)) keep()
  })

  function setToken(token: Token): void {
    if (token.address === getState().token?.address) return
    setState({ token, text: '', isMost: false, most: undefined })
  }

  async function prepare(plan: SendPlan): Promise<void> {
    renewing.stop()
    const { stage } = getState()
    const before = 'preview' in stage ? stage : stage.at === 'preparing' ? stage.before : undefined
    const preparing: SendStage = { at: 'preparing', plan, before }
    enter(preparing)
    try {
      const reviewed = await retryOnWorkerRestart(
        clock,
        () => tryOut(plan),
        () => isAt(preparing),
      )
      if (!isAt(preparing)) return
      const { handed } = getState()
      const id = handed?.plan === toFormText(plan) ? handed.id : randomId()
      enter({ at: 'review', id, plan, ...reviewed })
      renewLater(clock.now())
    } catch (error) {
      if (isAt(preparing)) enter({ at: 'unprepared', plan, error: toWalletError(error) })
    }
  }

  async function tryOut(plan: SendPlan): Promise<Pick<Reviewed, 'ask' | 'preview' | 'facts'>> {
    const { ask, setAside } = await toTransferRequest(wallet, plan)
    const [preview, facts] = await Promise.all([
      wallet.previewTransfer(ask),
      readRecipient(wallet, plan.chainId, plan.to),
      checkDecimals(wallet, plan.chainId, plan.token),
    ])
    return { ask, facts, preview: setAside === undefined ? preview : { ...preview, feeCap: setAside } }
  }

  function renewLater(since: number): void {
    renewing.set(renewEveryMs, async () => {
      const { stage } = getState()
      if (stage.at !== 'review') return
      if (clock.now() - since >= holdsForMs) {
        const error = new WalletError('stale-review', 'Nobody was here for a while: the numbers are old.')
        enter({ at: 'unprepared', plan: stage.plan, error })
        return
      }
      const { trouble: _, ...reviewed } = stage
      try {
        const preview = await wallet.previewTransfer(stage.ask)
        const { feeCap } = stage.plan.amount === 'most' && isNative(stage.ask.token) ? stage.preview : preview
        if (isAt(stage)) enter({ ...reviewed, preview: { ...preview, feeCap } })
      } catch (error) {
        if (isAt(stage)) enter({ ...reviewed, trouble: toWalletError(error) })
      }
      if (getState().stage.at === 'review') renewLater(since)
    })
  }

  return {
    ...store,
    setTo,
    prepare,

    /** Restores the form, also one left in another view; selects `wanted`. */
    async open({ chainId, account, coin, wanted, read }: Opening): Promise<void> {
      const state = getState()
      const { stage } = state
      isLeft = false
      if ((state.chainId !== chainId || state.account !== account) && stage.at !== 'confirming') leave()
      if (state.chainId !== chainId) {
        setState({ ...empty, chainId, account, token: coin, stage: getState().stage })
        // The name may resolve differently there.
        setTo(state.to)
      } else if (state.account !== account) setState({ account, text: '', isMost: false, most: undefined })
      if (!isRecalled) await recall(chainId, account, read)
      isRecalled = true
      // Keep the user's choice when the same link opens again.
      const token = wanted !== undefined && wanted !== named ? await read(wanted) : undefined
      if (token !== undefined && getState().chainId === chainId) setToken(token)
      named = wanted
    },

    fill({
      to,
      ...filled
    }: Pick<SendState, 'token' | 'text' | 'to'> & { chainId: number; account: Address }): void {
      isRecalled = true
      const { stage, handed } = getState()
      // The repeated transfer needs a new id.
      setState({ ...empty, ...filled, handed: stage.at === 'confirming' ? handed : undefined })
      setTo(to)
    },

    close(): void {
      named = undefined
    },

    setToken,

    setText: (text: string) => setState({ text, isMost: false, most: undefined }),

    setMost,

    async choose(speed: FeeSpeed): Promise<void> {
      const { stage } = getState()
      if (stage.at === 'review') await prepare({ ...stage.plan, speed })
    },

    /** A retry after `refused` uses the same id. `price` is stored with the transfer. */
    async confirm(price?: PastPrice): Promise<void> {
      const { stage } = getState()
      if (stage.at !== 'review' && stage.at !== 'refused') return
      renewing.stop()
      const { id, plan, ask, preview, facts } = stage
      const reviewed = { id, plan, ask, preview, facts }
      const confirming: SendStage = { at: 'confirming', ...reviewed }
      const handed = { id, plan: toFormText(plan) }
      isLeft = false
      setState({ stage: confirming, handed })
      // A closing popup must keep the id.
      await keep()
      try {
        const expected = toShown(preview.simulation)
        const accepted = {
          ...ask,
          id,
          feeCap: preview.feeCap,
          ...(expected && { expected }),
          ...(price && { price }),
        }
        await retryOnWorkerRestart(clock, () => wallet.send(accepted))
        const stage: SendStage = isLeft ? { at: 'form' } : { at: 'sent', id }
        setState({ handed: undefined, ...(isAt(confirming) && { ...empty, stage }) })
      } catch (cause) {
        const error = toWalletError(cause)
        if (error.code === 'locked') forget()
        // The result changed; review again.
        const isOld = error.code === 'outcome-changed' || error.code === 'would-fail'
        const refused: SendStage = isOld
          ? { at: 'unprepared', plan, error }
          : { at: 'refused', ...reviewed, error }
        // A stopped worker may have accepted it.
        setState({
          handed: error.code === 'worker-stopped' ? handed : undefined,
          ...(isAt(confirming) && { stage: refused }),
        })
      }
    },

    leave,
  }

  /** A submitted transfer continues. */
  function leave(): void {
    renewing.stop()
    if (getState().stage.at === 'confirming') isLeft = true
    else enter({ at: 'form' })
  }

  /** The lock has deleted the draft. */
  function forget(): void {
    isRecalled = false
    session.set(draftKey, null).catch(() => undefined)
  }
}

export type Send = ReturnType<typeof createSend>
