import * as v from 'valibot'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { SwapRequest } from '../../../domain/dapp/swapRequest.ts'
import type { Network } from '../../../domain/network/network.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import { type Address, type Hex, isNative } from '../../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../../errors.ts'
import type { Approvals, Requester } from '../../approvals/approvals.ts'
import type { Networks } from '../../networks/networks.ts'
import type { SettingsStore } from '../../settings.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { Intents } from '../../transactions/queue.ts'
import { type CallId, type CallIds, hashCalls, requesterKey } from '../callIds.ts'
import type { Sites } from '../permissions.ts'
import type { RpcHandler } from '../router.ts'
import { sender } from '../sendTransaction.ts'
import { executedSwap } from './execute.ts'
import { invalidParam, parseSwapParams, readAmount, readTokens, type SwapParams } from './params.ts'
import { swapStatus } from './status.ts'
import { type Following, followSwap } from './waitForReceipt.ts'

type Deps = Following & {
  approvals: Pick<Approvals, 'ask' | 'checkFree'>
  sites: Pick<Sites, 'chain' | 'get' | 'permitted'>
  settings: Pick<SettingsStore, 'get'>
  networks: Pick<Networks, 'chain'>
  /** The service's list. */
  tokens: Tokens
  ids: CallIds
  swaps: Pick<Intents, 'find' | 'until'>
  now?(): number
}

const dayMs = 24 * 60 * 60 * 1_000

/**
 * `wallet_swap`: a page fills in the form, and the user swaps or does not. Nothing that the page can see before that, errors and
 * delays included, comes from what the account holds or allowed: only the page's words, the settings and public reads.
 */
export function createSwapMethod(parts: Deps): RpcHandler {
  const { approvals, sites, settings, ids, swaps, now = Date.now } = parts

  return async (asker, params) => {
    const asked = parseSwapParams(params)
    const { origin } = asker
    // The same request sent again, after a worker was stopped, finds its name again.
    const id = asked.id ?? hashCalls(['wallet_swap', requesterKey(asker)])
    const mark = hashCalls(Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1)))
    const known = await ids.get(origin, id)
    if (known === undefined) checkExpiry(asked, now())

    const chainId = asked.chainId ?? (await sites.chain(origin))
    const tokens = readTokens(asked, chainId)
    const from = await sender(sites, origin, asked.from)
    const goesOn = known !== undefined && (await isRepeated(known, mark, asker))
    const begun = goesOn ? await journaled(known) : undefined
    if (goesOn && begun !== undefined) return followSwap(parts, asker.documentId, known, begun.intent.id)
    if (known !== undefined && !goesOn) throw used(id)

    const { pageSwaps, networks } = await settings.get()
    if (!pageSwaps) {
      throw new WalletError('unsupported-method', 'The user does not want to be asked for swaps by pages.')
    }
    // One swap of an origin is open at a time: while it is, nothing is read for a second.
    await approvals.checkFree(asker, 'swap', known && approvalId(known))
    const network = networks.find((each) => each.chainId === chainId)
    // Without a node the service alone swaps nothing.
    if (network === undefined || network.serviceUrl === '' || network.rpcUrl === '') {
      throw new WalletError('no-service', `The wallet has no swap service for chain ${chainId}.`)
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
      // Nobody saw it, so its name is free again.
      if (known === undefined && toWalletError(error).code !== 'rejected') await ids.remove(origin, id)
      throw error
    })
    return followSwap(parts, asker.documentId, record, intentId)
  }

  /** Puts the request before the user, or joins it there, and answers the intent that was accepted. */
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

  /** True when the same was asked under this name, and it is not over; over or not, when it is the very same request. */
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

/** The page's words with their tokens looked up. Throws `invalid-params` for tokens that do not exist. */
async function lookUp(
  { networks, tokens }: Deps,
  network: Network,
  { type, amount, slippage, minReceived }: SwapParams,
  named: Pick<SwapRequest, 'id' | 'chainId' | 'from'> & Record<'token' | 'pairToken', Address | undefined>,
): Promise<SwapRequest> {
  const { chainId } = network
  const { token, pairToken, ...rest } = named
  const wanted = token ?? pairToken
  // A service that does not answer is no reason to refuse: a token's own contract tells as well.
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

/** The same for all who ask under one name, so that they share one window. */
function approvalId({ origin, id, at }: CallId): string {
  return hashCalls(['wallet_swap', origin, id, at]).slice(2, 34)
}

/** In less time nobody answers: such requests would only be windows that come and go. */
const shortestMs = 30_000

function checkExpiry({ expiry }: SwapParams, now: number): void {
  if (expiry === undefined || expiry * 1_000 - now >= shortestMs) return
  throw invalidParam('expiry', `is not ${shortestMs / 1_000} seconds ahead`)
}

/** No request outlives its name. */
function expiresAt({ expiry }: SwapParams, now: number): { expiresAt?: number } {
  return expiry === undefined ? {} : { expiresAt: Math.min(expiry * 1_000, now + dayMs) }
}

function used(id: string): WalletError {
  return new WalletError('id-used', 'The id belongs to another request of this site.', { id })
}
