import type { Call, CallPreview } from '../../domain/activity/callBatch.ts'
import { allowsWorse, toShown } from '../../domain/activity/worse.ts'
import type { KnownAddresses } from '../../domain/address/recipientWarnings.ts'
import { describeCall, knownOn } from '../../domain/calldata/describeCall.ts'
import type { Approval, Decision } from '../../domain/dapp/approval.ts'
import { callRisks } from '../../domain/dapp/risks/callRisks.ts'
import { messageRisks } from '../../domain/dapp/risks/messageRisks.ts'
import { callParties, recipientRisks, signatureParties } from '../../domain/dapp/risks/recipientRisks.ts'
import { keysToAcknowledge, type Risk } from '../../domain/dapp/risks/risk.ts'
import { type SignFacts, signQuestions, signRisks } from '../../domain/dapp/risks/signRisks.ts'
import { isRejection, uncheckedRisks } from '../../domain/dapp/risks/uncheckedRisks.ts'
import { findEditableApproval, findLimitedToken, withLimit } from '../../domain/dapp/spendingLimit.ts'
import { describeTypedData } from '../../domain/signing/describeTypedData.ts'
import type { TypedDataDescription } from '../../domain/signing/description.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { Networks } from '../networks/networks.ts'
import { readMarket } from '../quotes/marketReturn.ts'

type Deps = {
  networks: Pick<Networks, 'chain' | 'network'>
  preview(approval: Approval): Promise<CallPreview>
  people(): Promise<KnownAddresses>
  now?(): number
  /** Timeout for unread risks. */
  waitMs?: number
}

/** Risks of open requests, as shown to the user. */
export type RiskChecks = {
  /** `spendingLimit`: see `limitSpending`, whose errors it throws. */
  preview(approval: Approval, spendingLimit?: bigint): Promise<CallPreview>
  /** Of typed data only. */
  signRisks(approval: Approval): Promise<Risk[]>
  /** Recipient warnings, without RPC; part of the other results. */
  recipientRisks(approval: Approval): Promise<Risk[]>
  /**
   * Throws `stale-review` if `decision` leaves a grave risk unacknowledged or accepts more than shown, and
   * refusals such as `fee-too-high`.
   */
  check(approval: Approval, decision: Decision): Promise<void>
}

/** The UI refreshes every 12 seconds. */
const freshMs = 30_000
const maxKept = 50
/** The shown fee may be a block or two old; base fees fall by at most 1/8 per block. */
const feeDrift = 4n

type Reading = { risks: Risk[]; preview?: CallPreview }

export function createRiskChecks({
  networks,
  preview,
  people,
  now = Date.now,
  waitMs = 4_000,
}: Deps): RiskChecks {
  /** Latest reading per request id and spending limit. */
  const seen = new Map<string, { order: number; at: number; reading?: Reading }>()
  let order = 0

  /** Keeps nothing after a refusal. */
  async function keeping<Kind extends Reading>(id: string, read: () => Promise<Kind>): Promise<Kind> {
    order += 1
    const begun = { order, at: now() }
    const keep = (reading?: Reading) => {
      if ((seen.get(id)?.order ?? 0) > begun.order) return
      seen.delete(id)
      seen.set(id, { ...begun, ...(reading && { reading }) })
      for (const old of [...seen.keys()].slice(0, -maxKept)) seen.delete(old)
    }
    try {
      const reading = await read()
      keep(reading)
      return reading
    } catch (error) {
      if (isRejection(toWalletError(error).code)) keep()
      throw error
    }
  }

  async function readPreview(asked: Approval, limit?: bigint): Promise<CallPreview> {
    const approval = withLimit(asked, limit)
    const reading = await keeping(readingKey(asked.id, limit), async () => {
      const [found, ofRecipients] = await Promise.all([preview(approval), readRecipients(approval)])
      const risks = [...ofRecipients, ...found.risks]
      return { risks, preview: { ...found, risks } }
    })
    return reading.preview
  }

  async function readSignature(approval: Approval): Promise<Risk[]> {
    const facts = await signFacts(approval)
    if (facts === undefined) return []
    const { risks } = await keeping(approval.id, async () => {
      const chain = await networks.chain(approval.chainId)
      const [ofRecipients, others] = await Promise.all([
        readRecipients(approval),
        readSignRisks(chain, facts.description, facts),
      ])
      return { risks: [...ofRecipients, ...others] }
    })
    return risks
  }

  async function readRecipients(approval: Approval): Promise<Risk[]> {
    const { ask, chainId } = approval
    if (ask.kind !== 'send' && ask.kind !== 'sign-typed-data') return []
    // Recipients are checked without it, too.
    const network = networks.network(chainId).catch(() => undefined)
    const [place, known] = await Promise.all([network, people()])
    const wordsOf = (calls: Call[], account: Address) =>
      calls.map((call) => describeCall(call, knownOn(place, { account, chainId })))
    if (ask.kind === 'send') {
      return recipientRisks(callParties(wordsOf(ask.calls, ask.account), ask.account), known)
    }
    const { description, account } = (await signFacts(approval)) ?? {}
    if (description === undefined || account === undefined) return []
    const inner =
      description.kind === 'calls' ? wordsOf(description.calls ?? [], description.sender) : undefined
    return recipientRisks(signatureParties(description, account, inner), known)
  }

  async function signFacts({ ask, chainId, origin }: Approval) {
    if (ask.kind !== 'sign-typed-data') return undefined
    const { account, typedData } = ask
    const { wrapped } = knownOn(await networks.network(chainId), { account, chainId })
    return {
      account,
      wrapped,
      description: describeTypedData(typedData, { account, chainId, origin, now: now() }),
    }
  }

  async function readingOf(asked: Approval, limit?: bigint): Promise<Reading> {
    const approval = withLimit(asked, limit)
    const { ask, origin, chainId } = approval
    if (ask.kind === 'sign-message') {
      return { risks: messageRisks(ask.message, { origin, account: ask.account, chainId, now: now() }) }
    }
    const known = seen.get(readingKey(asked.id, limit))
    if (known?.reading !== undefined && Math.abs(now() - known.at) < freshMs) return known.reading
    const reading: Promise<Reading> =
      ask.kind === 'send'
        ? readPreview(asked, limit).then((found) => ({ risks: found.risks, preview: found }))
        : readSignature(approval).then((risks) => ({ risks }))
    return (await within(waitMs, reading)) ?? { risks: await withoutFacts(approval) }
  }

  /** An amount that cannot be compared is grave. */
  async function withoutFacts(approval: Approval): Promise<Risk[]> {
    const { ask, chainId } = approval
    const [ofRecipients, facts] = await Promise.all([readRecipients(approval), signFacts(approval)])
    if (facts !== undefined) return [...ofRecipients, ...signRisks(facts.description, facts)]
    if (ask.kind !== 'send') return []
    const { account, calls } = ask
    const known = knownOn(await networks.network(chainId), { account, chainId })
    const words = calls.map((call) => describeCall(call, known))
    return [...ofRecipients, ...callRisks(words, known), ...uncheckedRisks(calls)]
  }

  return {
    preview: readPreview,
    signRisks: readSignature,
    recipientRisks: readRecipients,
    async check(approval, decision) {
      if (decision.kind !== approval.ask.kind) return
      if (!hasRisks(decision)) return
      const limit = decision.kind === 'send' ? decision.spendingLimit : undefined
      const { risks, preview: found } = await readingOf(approval, limit)
      if (limit !== undefined) requireGranted(approval, limit, found)
      const needed = keysToAcknowledge(risks)
      const missing = needed.filter((key) => !decision.acknowledged?.includes(key))
      if (missing.length === 0) {
        if (decision.kind === 'send' && found !== undefined) requireShown(decision, found)
        return
      }
      throw new WalletError('stale-review', 'A warning of this request was not acknowledged.', {
        risks: missing.join(', ').slice(0, 1_000),
      })
    },
  }
}

function readingKey(id: string, limit: bigint | undefined): string {
  return limit === undefined ? id : `${id} ${limit}`
}

/** Throws `stale-review` unless simulated as an allowance: an ERC-721 approval's amount is a token id. */
function requireGranted({ ask, chainId }: Approval, limit: bigint, preview: CallPreview | undefined): void {
  if (ask.kind !== 'send') return
  const { account, calls } = ask
  const found = findEditableApproval(calls, { account, chainId })
  if (found && preview && findLimitedToken(preview.simulation, found, limit)) return
  throw new WalletError('stale-review', 'The spending limit was not simulated.', { accepted: 'limit' })
}

type Acknowledging = Extract<Decision, { kind: 'send' | 'sign-message' | 'sign-typed-data' }>

function hasRisks(decision: Decision): decision is Acknowledging {
  return ['send', 'sign-message', 'sign-typed-data'].includes(decision.kind)
}

/** Throws `stale-review` for a worse outcome, a failure or a higher fee than shown. */
function requireShown(decision: Extract<Decision, { kind: 'send' }>, preview: CallPreview): void {
  const { expected, mayFail, feeCap } = decision
  const shown = toShown(preview.simulation)
  const accepted =
    shown !== undefined && (expected === undefined || allowsWorse(expected, shown))
      ? 'outcome'
      : mayFail && preview.simulation.status === 'succeeds'
        ? 'failure'
        : feeCap > preview.feeCap + preview.feeCap / feeDrift
          ? 'fee'
          : undefined
  if (accepted === undefined) return
  throw new WalletError('stale-review', 'The decision accepts more than was shown.', { accepted })
}

/** Undefined on failure or timeout, but throws refusals. */
function within<T>(ms: number, reading: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined)
    reading
      .then(resolve, (error: unknown) =>
        isRejection(toWalletError(error).code) ? reject(error) : resolve(undefined),
      )
      .finally(() => clearTimeout(timer))
  })
}

/** Returns the risks of a signature by on-chain facts, as far as readable. */
async function readSignRisks(
  chain: Chain,
  description: TypedDataDescription,
  facts: SignFacts,
): Promise<Risk[]> {
  const asked = signQuestions(description, facts)
  const [balances, returns] = await Promise.all([
    asked.balances.length === 0
      ? undefined
      : chain.balances(facts.account, asked.balances).catch(() => undefined),
    readMarket(chain, asked.trades),
  ])
  return signRisks(description, { ...facts, returns, ...(balances && { balances }) })
}
