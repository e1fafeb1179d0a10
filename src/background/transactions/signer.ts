import type { CallsIntent, ShownOutcome } from '../../domain/activity/callBatch.ts'
import { getChainId, type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import { judgedTip } from '../../domain/network/feeLimits.ts'
import type { Hex } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { signTransaction } from '../../evm/transaction.ts'
import { createKeyedMutex } from '../../lib/async/mutex.ts'
import type { Vault } from '../../vault/vault.ts'
import { getL1Fee } from '../fees/cost.ts'
import { estimateCallGas, requireNativeBalance } from '../fees/fees.ts'
import { checkFeeLimits } from '../fees/limits.ts'
import type { Networks } from '../networks/networks.ts'
import type { SettingsStore } from '../settings.ts'
import { createSwapSteps, type PreparedStep } from '../swap/nextStep.ts'
import { checkOutcome } from '../transfers/checkOutcome.ts'
import { type IntentRecord, isSigned, isStepFinal, type Journal, type SignedStep } from './journal.ts'
import { hasEarlierSwap } from './swapOrder.ts'

type Deps = {
  vault: Pick<Vault, 'withKey'>
  networks: Networks
  settings: Pick<SettingsStore, 'get'>
  journal: Pick<Journal, 'list'>
  /** Stores a record, so that all views hear of it. */
  save(record: IntentRecord): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
}

/** Signed bytes that no node has seen for this long are not sent any more (docs/security.md, the journal). */
export const broadcastTtlMs = 10 * 60 * 1_000

/**
 * Signs step `index` of a record and stores what it signed, in one write. It sends nothing: that is for whoever finds the stored
 * bytes, now or after a restart. Throws before anything is signed when the transaction is not what the user accepted. Signs nothing
 * while it is another swap's turn.
 */
export function createSigner({ vault, networks, settings, journal, save, now }: Deps) {
  const buildSwapStep = createSwapSteps({ vault, networks, settings, now })
  const oneAtATime = createKeyedMutex()

  /**
   * A page's call. Only target, data, coins and gas were taken from the page: the wallet keeps nonces in order and fees honest, and
   * an access list would change nothing but the cost.
   */
  async function buildCall(
    intent: CallsIntent,
    index: number,
    chain: Chain,
    shown: ShownOutcome | undefined,
  ): Promise<PreparedStep & { rest?: ShownOutcome }> {
    const { account: from, calls, mayFail } = intent
    const call = calls[index]
    if (call === undefined) throw new Error('No call to sign.')
    const { to, data, value } = call
    const gas = await estimateCallGas(chain, from, call, mayFail)
    const rest = await checkOutcome(chain, intent, { index, shown, gas })
    return { ...(to && { to }), data, value, gas, ...(rest && { rest }) }
  }

  /**
   * The lowest nonce that neither the chain nor an open record of ours has taken: it leaves no gap behind. A spare node that lags knows
   * less of the chain than our closed records do. (Where there is one node alone, its word counts: a local chain may begin anew.)
   */
  async function freeNonce({ account }: Intent, chainId: number, chain: Chain): Promise<number> {
    const taken = new Set<number>()
    const { spareRpcUrl } = await networks.network(chainId)
    for (const { intent, steps } of await journal.list()) {
      if (intent.account !== account || getChainId(intent) !== chainId) continue
      for (const step of steps) {
        if (isSigned(step) && (isStepFinal(step) ? spareRpcUrl : holdsNumber(step))) taken.add(step.nonce)
      }
    }
    let { pending: nonce } = await chain.nonces(account)
    while (taken.has(nonce)) nonce++
    return nonce
  }

  return async (record: IntentRecord, index: number): Promise<void> => {
    const { intent, steps } = record
    const step = steps[index]
    if (step?.state !== 'waiting') throw new Error('Signed already.')
    const chainId = getChainId(intent)
    const chain = await networks.chain(chainId)
    const built: PreparedStep & { rest?: ShownOutcome } = isSwapIntent(intent)
      ? await buildSwapStep(step.kind, intent, chain)
      : await buildCall(intent, index, chain, shownAt(record, index))
    const { gas, after, rest, ...call } = built
    const fees = await chain.fees(intent.speed).catch(outrun)
    const costs = async (gas: bigint, calls: { data: Hex }[]) =>
      gas * fees.maxFeePerGas + (await getL1Fee(chain, calls))
    const fee = await costs(gas, [call])
    // Nobody pays for an approval of a swap that is too dear by now.
    const total = after ? fee + (await costs(after.gas, after.calls)) : fee
    checkFee(record, total)
    checkFeeLimits(chain.feeLimits, spentBy(record) + total, judgedTip(fees, chain.feeLimits))
    requireNativeBalance(await chain.coin(intent.account), call.value, total)

    // Per account and chain, so that no two take the same nonce.
    await oneAtATime(`${intent.account} ${chainId}`, async () => {
      // Another of the same token was faster.
      if (hasEarlierSwap(record, await journal.list())) return
      await chain.verify()
      const nonce = await freeNonce(intent, chainId, chain)
      const transaction = { chainId, nonce, ...call, gas, ...fees }
      const bytes = await vault.withKey(intent.account, (key) => signTransaction(key, transaction))
      const signed: SignedStep = {
        kind: step.kind,
        state: 'signed',
        nonce,
        ...bytes,
        deadline: now() + broadcastTtlMs,
        fee,
        ...(rest && { rest }),
      }
      await save({ ...record, steps: steps.with(index, signed), outcome: { status: 'working' } })
    })
  }
}

/** What is left of the outcome that the user saw, for step `index`. */
function shownAt({ intent, steps }: IntentRecord, index: number): ShownOutcome | undefined {
  const before = steps[index - 1]
  if (before === undefined) return isSwapIntent(intent) ? undefined : intent.expected
  return isSigned(before) ? before.rest : undefined
}

/** True while a node that lags behind its block would give its number away once more. */
function holdsNumber({ state }: SignedStep): boolean {
  return state !== 'dropped' && state !== 'replaced'
}

/** A fee of the user's own was enough when it was reviewed. */
function outrun(cause: unknown): never {
  const { message, facts } = toWalletError(cause)
  const { field, value = '', least = '' } = facts
  if (field !== 'maxFeePerGas') throw cause
  throw new WalletError('stale-review', message, { expected: value, found: least }, { cause })
}

function spentBy({ steps }: IntentRecord): bigint {
  return steps.filter(isSigned).reduce((sum, step) => sum + step.fee, 0n)
}

/** The user saw a fee for all steps together; earlier ones count with what they cost. */
function checkFee(record: IntentRecord, fee: bigint): void {
  const { intent } = record
  const spent = spentBy(record)
  if (spent + fee <= intent.feeCap) return
  throw new WalletError(
    'stale-review',
    `The network fee rose to ${spent + fee} wei, above the ${intent.feeCap} you accepted.`,
    { expected: intent.feeCap.toString(), found: (spent + fee).toString() },
  )
}
