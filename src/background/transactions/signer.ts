import type { CallsIntent, ShownOutcome } from '../../domain/activity/callBatch.ts'
import { getChainId, type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import { smaller } from '../../domain/bounds.ts'
import { assessedTip } from '../../domain/network/feeLimits.ts'
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
import { fitRoute, type StepCost } from './fitRoute.ts'
import { isSigned, isStepFinal, type Journal } from './journal.ts'
import type { IntentRecord, SignedStep } from './schemas.ts'
import { hasEarlierSwap } from './swapOrder.ts'

type Deps = {
  vault: Pick<Vault, 'withKey'>
  networks: Networks
  settings: Pick<SettingsStore, 'get'>
  journal: Pick<Journal, 'list'>
  save(record: IntentRecord): Promise<void>
  now(): number
}

type BuiltStep = PreparedStep & { rest?: ShownOutcome }

/** Limit for resending bytes unknown to RPCs (docs/security/journal.md). */
export const broadcastTtlMs = 10 * 60 * 1_000

/**
 * Signs step `index` and stores it, unsent. Throws before signing if it is not what the user accepted. Skips
 * while an earlier swap is pending.
 */
export function createSigner({ vault, networks, settings, journal, save, now }: Deps) {
  const buildSwapStep = createSwapSteps({ vault, networks, settings, now })
  const nonceMutex = createKeyedMutex()

  /** Takes only target, data, value and gas from the page. */
  async function buildCall(
    intent: CallsIntent,
    index: number,
    chain: Chain,
    shown: ShownOutcome | undefined,
  ): Promise<BuiltStep> {
    const { account: from, calls, mayFail } = intent
    const call = calls[index]
    if (call === undefined) throw new Error('No call to sign.')
    const { to, data, value } = call
    const gas = await estimateCallGas(chain, from, call, mayFail)
    const rest = await checkOutcome(chain, intent, { index, shown, gas })
    return { ...(to && { to }), data, value, gas, ...(rest && { rest }) }
  }

  /**
   * Lowest free nonce. Closed records count only with a backup RPC, which may lag; a single local chain may
   * restart.
   */
  async function freeNonce({ account }: Intent, chainId: number, chain: Chain): Promise<number> {
    const taken = new Set<number>()
    const { spareRpcUrl } = await networks.network(chainId)
    for (const { intent, steps } of await journal.list()) {
      if (intent.account !== account || getChainId(intent) !== chainId) continue
      for (const step of steps) {
        if (isSigned(step) && (isStepFinal(step) ? spareRpcUrl : occupiesNonce(step))) taken.add(step.nonce)
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
    const build = async (mostRouteGas?: number): Promise<BuiltStep> =>
      isSwapIntent(intent)
        ? buildSwapStep(step.kind, intent, chain, mostRouteGas)
        : buildCall(intent, index, chain, shownAt(record, index))
    const newest = await build()
    const [fees, coin] = await Promise.all([
      chain.fees(intent.speed).catch(throwStaleFee),
      chain.nativeBalance(intent.account),
    ])
    const price = async (built: BuiltStep): Promise<StepCost> => {
      const costs = async (gas: bigint, calls: { data: Hex }[]) =>
        gas * fees.maxFeePerGas + (await getL1Fee(chain, calls))
      const fee = await costs(built.gas, [built])
      // No approval for a swap too expensive by now.
      return { fee, total: built.after ? fee + (await costs(built.after.gas, built.after.calls)) : fee }
    }
    const room = smaller(intent.feeCap - spentBy(record), coin - newest.value)
    const ownLimit = isSwapIntent(intent) ? intent.options?.gasLimit : undefined
    const { built, fee, total } = await fitRoute({
      newest,
      build,
      price,
      room,
      gasPrice: fees.maxFeePerGas,
      ownLimit,
    })
    const { gas, after: _after, routeGas: _routeGas, rest, ...call } = built
    checkFee(record, total)
    checkFeeLimits(chain.feeLimits, spentBy(record) + total, assessedTip(fees, chain.feeLimits))
    requireNativeBalance(coin, call.value, total)

    // Held from reading the nonce until the signed bytes are stored.
    await nonceMutex(`${intent.account} ${chainId}`, async () => {
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

function shownAt({ intent, steps }: IntentRecord, index: number): ShownOutcome | undefined {
  const before = steps[index - 1]
  if (before === undefined) return isSwapIntent(intent) ? undefined : intent.expected
  return isSigned(before) ? before.rest : undefined
}

/** A lagging RPC would reuse the nonce. */
function occupiesNonce({ state }: SignedStep): boolean {
  return state !== 'dropped' && state !== 'replaced'
}

/** The fee was sufficient at the review. */
function throwStaleFee(cause: unknown): never {
  const { message, facts } = toWalletError(cause)
  const { field, value = '', least = '' } = facts
  if (field !== 'maxFeePerGas') throw cause
  throw new WalletError('stale-review', message, { expected: value, found: least }, { cause })
}

function spentBy({ steps }: IntentRecord): bigint {
  return steps.filter(isSigned).reduce((sum, step) => sum + step.fee, 0n)
}

/** Earlier steps count at actual cost. */
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
