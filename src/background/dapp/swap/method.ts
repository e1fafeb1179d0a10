import * as v from 'valibot'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { SwapRequest } from '../../../domain/dapp/swapRequest.ts'
import type { Network } from '../../../domain/network/network.ts'
import { canSwap } from '../../../domain/network/swapSource.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import { type Address, type Hex, isNative } from '../../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../../errors.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import type { Requester } from '../../approvals/store.ts'
import type { Networks } from '../../networks/networks.ts'
import type { SettingsStore } from '../../settings.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { TransactionQueue } from '../../transactions/queue.ts'
import type { Sites } from '../connectedSites.ts'
import { type CallId, type CallIds, hashCalls, requesterKey } from '../methods/callIds.ts'
import { sender } from '../methods/sendTransaction.ts'
import type { RpcHandler } from '../router.ts'
import { executedSwap } from './execute.ts'
import { invalidParam, parseSwapParams, readAmount, readTokens, type SwapParams } from './params.ts'
import { swapStatus } from './status.ts'
import { type SwapFollowDeps, waitForSwap } from './waitForReceipt.ts'

type Deps = SwapFollowDeps & {
  approvals: Pick<Approvals, 'ask' | 'checkFree'>
  sites: Pick<Sites, 'chain' | 'get' | 'permitted'>
  settings: Pick<SettingsStore, 'get'>
  networks: Pick<Networks, 'chain'>
  tokens: Tokens
  ids: CallIds
  swaps: Pick<TransactionQueue, 'find' | 'until'>
  now?(): number
}

const dayMs = 24 * 60 * 60 * 1_000

/**
 * `wallet_swap`. Before the decision, errors and delays depend only on the request, settings and public
 * reads, not on balances or allowances.
 */
export function createSwapMethod(parts: Deps): RpcHandler {
  const { approvals, sites, settings, ids, swaps, now = Date.now } = parts

  return async (asker, params) => {
    const asked = parseSwapParams(params)
    const { origin } = asker
    // A resent request gets the same id.
    const id = asked.id ?? hashCalls(['wallet_swap', requesterKey(asker)])
    const mark = hashCalls(Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1)))
    const known = await ids.get(origin, id)
    if (known === undefined) checkExpiry(asked, now())

    const chainId = asked.chainId ?? (await sites.chain(origin))
    const tokens = readTokens(asked, chainId)
    const from = await sender(sites, origin, asked.from)
    const goesOn = known !== undefined && (await isRepeated(known, mark, asker))
    const begun = goesOn ? await journaled(known) : undefined
    if (goesOn && begun !== undefined) return waitForSwap(parts, asker.documentId, known, begun.intent.id)
    if (known !== undefined && !goesOn) throw used(id)

    const { pageSwaps, networks } = await settings.get()
    if (!pageSwaps) {
      throw new WalletError('unsupported-method', 'The user does not want to be asked for swaps by pages.')
    }
    // One open swap per origin: nothing is read for a second.
    await approvals.checkFree(asker, 'swap', known && approvalId(known))
    const network = networks.find((each) => each.chainId === chainId)
    if (network === undefined || !canSwap(network)) {
      throw new WalletError('no-service', `The wallet cannot swap on chain ${chainId} yet.`)
    }
    const request = await lookUp(parts, network, asked, { id, chainId, from, ...tokens })

    const record = await ids.claim({
      origin,
      id,
      kind: 'swap',
      chainId,
      at: now(),
      asked: mark,
      asker: requesterKey(asker),
      state: 'open',
    })
    if (!(await isRepeated(record, mark, asker))) throw used(id)
    const options = { chainId, id: approvalId(record), ...expiresAt(asked, now()) }
    const intentId = await put(asker, request, options).catch(async (error) => {
      // Not shown, so the id is free again.
      if (known === undefined && toWalletError(error).code !== 'rejected') await ids.remove(origin, id)
      throw error
    })
    return waitForSwap(parts, asker.documentId, record, intentId)
  }

  /** Asks the user, and returns the accepted intent's id. */
  async function put(
    asker: Requester,
    request: SwapRequest,
    options: Parameters<Approvals['ask']>[2],
  ): Promise<string> {
    try {
      const carried = await approvals.ask(asker, { kind: 'swap', request }, options)
      return v.parse(executedSwap, carried).intentId
    } catch (error) {
      if (toWalletError(error).code === 'rejected') await refuse(asker.origin, request.id)
      throw error
    }
  }

  async function refuse(origin: string, id: string): Promise<void> {
    const record = await ids.get(origin, id)
    if (record !== undefined && (await journaled(record)) === undefined) {
      await ids.put({ ...record, state: 'refused' })
    }
  }

  /** True if resent, or equal and still open. */
  async function isRepeated(record: CallId, mark: Hex, asker: Requester): Promise<boolean> {
    if (record.kind !== 'swap' || record.asked !== mark) return false
    if (record.asker === requesterKey(asker) || record.state === 'open') return true
    if (record.state === 'refused') return false
    const swap = await journaled(record)
    return swap === undefined || swapStatus(swap) === 100
  }

  async function journaled({ intentId }: CallId): Promise<Swap | CallBatch | undefined> {
    return intentId === undefined ? undefined : swaps.find(intentId)
  }
}

/** Throws `invalid-params` for unknown tokens. */
async function lookUp(
  { networks, tokens }: Deps,
  network: Network,
  { type, amount, slippage, minReceived }: SwapParams,
  named: Pick<SwapRequest, 'id' | 'chainId' | 'from'> & Record<'token' | 'pairToken', Address | undefined>,
): Promise<SwapRequest> {
  const { chainId } = network
  const { token, pairToken, ...rest } = named
  const wanted = token ?? pairToken
  // Contracts suffice if the swap service fails.
  const list = wanted === undefined ? [] : await tokens(network).catch(() => [])

  async function decimalsOf(field: string, address: Address): Promise<number> {
    const listed = list.find((each) => each.address === address)
    if (listed !== undefined) return listed.decimals
    if (isNative(address)) return 18
    try {
      return (await (await networks.chain(chainId)).token(address)).decimals
    } catch (error) {
      if (toWalletError(error).code !== 'unknown-token') throw error
      throw invalidParam(field, `is not a token of chain ${chainId}`)
    }
  }

  const decimals = token && (await decimalsOf('token', token))
  const pairDecimals = pairToken && (await decimalsOf('pairToken', pairToken))
  return {
    ...rest,
    type,
    ...(token && { token }),
    ...(pairToken && { pairToken }),
    ...(slippage !== undefined && { slippageBps: slippage }),
    ...(amount !== undefined && decimals !== undefined && { amount: readAmount('amount', amount, decimals) }),
    ...(minReceived !== undefined &&
      pairDecimals !== undefined && {
        minReceived: readAmount('minReceived', minReceived, pairDecimals),
      }),
  }
}

/** Equal for repetitions, which share a window. */
function approvalId({ origin, id, at }: CallId): string {
  return hashCalls(['wallet_swap', origin, id, at]).slice(2, 34)
}

/** Shorter requests only flash a window. */
const minMs = 30_000

function checkExpiry({ expiry }: SwapParams, now: number): void {
  if (expiry === undefined || expiry * 1_000 - now >= minMs) return
  throw invalidParam('expiry', `is not ${minMs / 1_000} seconds ahead`)
}

/** A request must not outlive its id. */
function expiresAt({ expiry }: SwapParams, now: number): { expiresAt?: number } {
  return expiry === undefined ? {} : { expiresAt: Math.min(expiry * 1_000, now + dayMs) }
}

function used(id: string): WalletError {
  return new WalletError('id-used', 'The id belongs to another request of this site.', { id })
}
