import type { SwapApi } from '../api/api.ts'
import type { ChainCall } from '../chain/call.ts'
import type { Chain } from '../chain/client.ts'
import { signTransaction } from '../chain/transaction.ts'
import type { CallsIntent } from '../domain/calls.ts'
import { chainIdOf, type Intent, isSwapIntent } from '../domain/intent.ts'
import type { StepKind, SwapIntent } from '../domain/swap.ts'
import type { Address, Hex } from '../domain/token.ts'
import { leastReturn, type SwapTransaction } from '../domain/trade.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { createQueue } from '../vault/queue.ts'
import type { Vault } from '../vault/vault.ts'
import { buildSwap } from './build.ts'
import { approval, checkSwap } from './check.ts'
import { callGas, checkCoin, gasLimit } from './fees.ts'
import { type IntentRecord, isSigned, type Journal, type SignedStep } from './journal.ts'
import type { Networks } from './networks.ts'

type Parts = {
  vault: Pick<Vault, 'withKey'>
  networks: Networks
  journal: Pick<Journal, 'list'>
  /** Stores a record, so that all views hear of it. */
  save(record: IntentRecord): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
}

/** Signed bytes that no node has seen for this long are not sent any more (docs/security.md, the journal). */
const sendForMs = 10 * 60 * 1_000

/**
 * Signs step `index` of a record and stores what it signed, in one write. It sends nothing: that is for whoever finds the stored
 * bytes, now or after a restart. Throws before anything is signed when the transaction is not what the user accepted.
 */
export function createSigner({ vault, networks, journal, save, now }: Parts) {
  const queues = new Map<string, ReturnType<typeof createQueue>>()

  /** One signature at a time per account and chain, so that no two take the same nonce. */
  function queueOf(intent: Intent): ReturnType<typeof createQueue> {
    const name = `${intent.account} ${chainIdOf(intent)}`
    const queue = queues.get(name) ?? createQueue()
    queues.set(name, queue)
    return queue
  }

  /**
   * What a step of a swap calls, and its gas limit. The swap is asked for anew: the one that was reviewed may have gone stale. It
   * is tried out on the user's own node, which knows the approval before it; the service may not have heard of that yet.
   */
  async function buildSwapStep(kind: StepKind, intent: SwapIntent, chain: Chain): Promise<Built> {
    const { account: from, trade, router } = intent
    if (kind !== 'swap') {
      const call = approval(trade.sell, router, kind === 'reset' ? 0n : trade.amount)
      return { ...call, gas: gasLimit(await chain.estimateGas({ from, ...call })) }
    }
    const transaction = await askSwap(await networks.api(trade.chainId), intent)
    checkSwap(transaction, intent)
    const { to, data, value, gas } = transaction
    return { to, data, value, gas: gasLimit(gas, await tryOut(chain, { from, to, data, value })) }
  }

  /**
   * A page's call. Only target, data, coins and gas were taken from the page: the wallet keeps nonces in order and fees honest, and
   * an access list would change nothing but the cost.
   */
  async function buildCall(
    { account: from, calls, mayFail }: CallsIntent,
    index: number,
    chain: Chain,
  ): Promise<Built> {
    const call = calls[index]
    if (call === undefined) throw new Error('A step without its call.')
    const { to, data, value } = call
    const gas = await callGas(chain, from, call, mayFail)
    return { ...(to && { to }), data, value, gas }
  }

  /** The lowest nonce that neither the chain nor an open record of ours has taken: it leaves no gap behind. */
  async function freeNonce({ account }: Intent, chainId: number, chain: Chain): Promise<number> {
    const taken = new Set<number>()
    for (const { intent, steps } of await journal.list()) {
      if (intent.account !== account || chainIdOf(intent) !== chainId) continue
      for (const step of steps) if (isUnderWay(step.state) && isSigned(step)) taken.add(step.nonce)
    }
    let { pending: nonce } = await chain.nonces(account)
    while (taken.has(nonce)) nonce++
    return nonce
  }

  return async (record: IntentRecord, index: number): Promise<void> => {
    const { intent, steps } = record
    const step = steps[index]
    if (step?.state !== 'waiting') throw new Error('Only a waiting step is signed.')
    const chainId = chainIdOf(intent)
    const chain = await networks.chain(chainId)
    const { gas, ...call } = isSwapIntent(intent)
      ? await buildSwapStep(step.kind, intent, chain)
      : await buildCall(intent, index, chain)
    const fees = await chain.fees()
    const fee = gas * fees.maxFeePerGas
    checkFee(record, fee)
    // A swap's review saw to it.
    if (!isSwapIntent(intent)) checkCoin(await chain.coin(intent.account), call.value, fee)

    await queueOf(intent)(async () => {
      await chain.verify()
      const nonce = await freeNonce(intent, chainId, chain)
      const transaction = { chainId, nonce, ...call, gas, ...fees }
      const bytes = await vault.withKey(intent.account, (key) => signTransaction(key, transaction))
      const signed: SignedStep = {
        kind: step.kind,
        state: 'signed',
        nonce,
        ...bytes,
        deadline: now() + sendForMs,
        fee,
      }
      await save({ ...record, steps: steps.with(index, signed), outcome: { status: 'working' } })
    })
  }
}

/** A transaction before nonce and fees. */
type Built = { to?: Address; data: Hex; value: bigint; gas: bigint }

function isUnderWay(state: string): boolean {
  return state === 'signed' || state === 'sent' || state === 'mined'
}

/**
 * The swap of now, with the highest minimum that the user's slippage leaves room for: a price that moved for the user is
 * protected as well, and the accepted floor stays the least.
 */
async function askSwap(
  api: SwapApi,
  { account, trade, floor, slippageBps }: SwapIntent,
): Promise<SwapTransaction> {
  const accepted = await buildSwap(api, account, trade, { leastReturn: floor })
  const better = leastReturn(accepted.returns, slippageBps)
  if (better <= floor) return accepted
  return buildSwap(api, account, trade, { leastReturn: better }).catch((error: unknown) => {
    // The price moved between the two questions.
    if (toWalletError(error).code === 'below-floor') return accepted
    throw error
  })
}

/** The gas that a swap takes at this moment. The router's own refusal for too low a return is the floor's at work. */
async function tryOut(chain: Chain, call: ChainCall): Promise<bigint> {
  try {
    return await chain.estimateGas(call)
  } catch (cause) {
    const { code, facts } = toWalletError(cause)
    if (code !== 'reverted' || facts.error !== 'ReturnTooLow') throw cause
    const { returned = '', minimum = '' } = facts
    const message = `The price moved: the swap would return ${returned}, less than the ${minimum} base units promised.`
    throw new WalletError('below-floor', message, { expected: minimum, found: returned }, { cause })
  }
}

/** The user saw a fee for all steps together; earlier ones count with what they cost. */
function checkFee({ intent, steps }: IntentRecord, fee: bigint): void {
  const spent = steps.filter(isSigned).reduce((sum, step) => sum + step.fee, 0n)
  if (spent + fee <= intent.feeCap) return
  throw new WalletError(
    'stale-review',
    `The network fee rose to ${spent + fee} wei, above the ${intent.feeCap} you accepted.`,
    { expected: intent.feeCap.toString(), found: (spent + fee).toString() },
  )
}
