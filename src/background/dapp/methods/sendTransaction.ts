import * as v from 'valibot'
import { mayComeBack } from '../../../domain/activity/activity.ts'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { DappRequest } from '../../../domain/dapp/approval.ts'
import { limitSpending } from '../../../domain/dapp/spendingLimit.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import type { Address, Hex } from '../../../domain/token/token.ts'
import { type ErrorCode, WalletError } from '../../../errors.ts'
import type { Approvals, Executor } from '../../approvals/approvals.ts'
import type { Requester } from '../../approvals/store.ts'
import { maxCallGas } from '../../fees/fees.ts'
import type { Networks } from '../../networks/networks.ts'
import type { TransactionQueue } from '../../transactions/queue.ts'
import { checkOutcome } from '../../transfers/checkOutcome.ts'
import type { Sites } from '../connectedSites.ts'
import type { RpcHandler } from '../router.ts'
import { getHashes, requireKnown } from '../swap/status.ts'
import { hashCalls, requesterKey } from './callIds.ts'
import { parseParams } from './params.ts'
import { invalidParams, toCall, transactionShape } from './transactionParams.ts'

/** Fits into any block. */
const everyBlockHas = 1_000_000n

type Deps = {
  sites: Pick<Sites, 'chain' | 'get' | 'permitted'>
  approvals: Pick<Approvals, 'ask'>
  intents: Pick<TransactionQueue, 'find' | 'until'>
  networks: Pick<Networks, 'passthrough' | 'chain'>
}

/** `eth_sendTransaction`, which returns the hash once sent. */
export function createSendMethods({ sites, approvals, intents, networks }: Deps): Record<string, RpcHandler> {
  return {
    async eth_sendTransaction(asker, params) {
      const { from, chainId: named, ...written } = readTransaction(params)
      const id = sendId(asker)
      // A resent request continues the journaled intent.
      if ((await intents.find(id)) !== undefined) return getHash(await sent(id))
      const chainId = await sites.chain(asker.origin)
      if (named !== undefined && named !== chainId) {
        throw invalidParams('chainId', `is ${named}, and the page is on chain ${chainId}`)
      }
      const account = await sender(sites, asker.origin, from)
      // Throws without an RPC.
      await networks.passthrough(chainId)
      if (written.gas !== undefined && written.gas > everyBlockHas) {
        const most = await maxCallGas(await networks.chain(chainId))
        if (written.gas > most) throw invalidParams('gas', `is more than ${most}`)
      }
      const ask: DappRequest = { kind: 'send', account, calls: [toCall(written)] }
      const { intentId } = v.parse(carriedShape, await approvals.ask(asker, ask, { chainId, id }))
      return getHash(await sent(intentId))
    },
  }

  function sent(id: string): Promise<Swap | CallBatch> {
    return intents.until(id, (one) => isSent(one) || one.outcome.status === 'failed')
  }
}

/** Equal for a resent request. Document ids are 128 random bits, so none repeats in the journal. */
function sendId(asker: Requester): string {
  return hashCalls(['eth_sendTransaction', requesterKey(asker)]).slice(2, 34)
}

type CarryOutDeps = { intents: Pick<TransactionQueue, 'find' | 'send'>; networks: Pick<Networks, 'chain'> }

/** Simulates approved calls again; a worse outcome goes back to the user. Sends once per approval id. */
export function createSendExecutor({ intents, networks }: CarryOutDeps): Executor {
  return async ({ id, origin, chainId, ask }, decision, at) => {
    if (ask.kind !== 'send' || decision.kind !== 'send') {
      throw new WalletError('invalid-input', 'This is no answer to the request.')
    }
    const { account } = ask
    const { feeCap, mayFail, expected, spendingLimit } = decision
    const calls =
      spendingLimit === undefined ? ask.calls : limitSpending(ask.calls, spendingLimit, { account, chainId })
    const intent = { id, account, chainId, calls, feeCap, mayFail, origin, ...(expected && { expected }) }
    const isBegun = (await intents.find(id)) !== undefined
    if (!isBegun && expected !== undefined) await checkOutcome(await networks.chain(chainId), intent)
    await intents.send(intent, at)
    return { intentId: id }
  }
}

/** Returns the named account, or the site's first. Throws `not-connected`. */
export async function sender(
  sites: Pick<Sites, 'get' | 'permitted'>,
  origin: string,
  from: Address | undefined,
): Promise<Address> {
  const account = from ?? (await sites.get(origin))?.accounts[0]
  if (account === undefined) throw new WalletError('not-connected', 'This site is not connected.')
  return sites.permitted(origin, account)
}

function readTransaction(params: unknown) {
  const [raw] = parseParams(anyParams, params)
  // EIP-7702 hands the account to a contract. Blobs (EIP-4844) are for rollups.
  if (raw.authorizationList != null || Number(raw.type) === 4) {
    throw unsupported('The wallet does not hand accounts over to contracts (EIP-7702).')
  }
  if (blobKeys.some((key) => raw[key] != null) || Number(raw.type) === 3) {
    throw unsupported('The wallet sends no blobs (EIP-4844).')
  }
  if (raw.type != null && !(Number(raw.type) <= 2)) throw invalidParams('type', 'is neither 0x0, 0x1 nor 0x2')
  const [{ data, input, gas, gasLimit, ...rest }] = parseParams(sendParams, params)
  if (data !== undefined && input !== undefined && data !== input) {
    throw invalidParams('input', 'is not the same as data')
  }
  if (gas !== undefined && gasLimit !== undefined && gas !== gasLimit) {
    throw invalidParams('gasLimit', 'is not the same as gas')
  }
  return { ...rest, data: data ?? input, gas: gas ?? gasLimit }
}

function unsupported(message: string): WalletError {
  return new WalletError('unsupported-method', message)
}

function isSent({ steps }: Swap | CallBatch): boolean {
  const [first] = steps
  return first !== undefined && ['sent', 'mined', 'final', 'reverted'].includes(first.state)
}

function getHash(one: Swap | CallBatch): Hex {
  requireKnown(one.intent.id, one)
  const [hash] = getHashes(one)
  if (hash !== undefined && (isSent(one) || mayComeBack(one))) return hash
  const code = one.outcome.status === 'failed' ? one.outcome.code : 'internal'
  const reason = reasons[code] ?? code
  throw new WalletError('not-sent', `The transaction was approved, but not sent: ${reason}.`, {
    id: one.intent.id,
    reason,
    transactions: hash ?? '',
  })
}

const reasons: Partial<Record<ErrorCode, string>> = {
  'not-enough-gas': 'insufficientFunds',
  'would-fail': 'reverted',
  cancelled: 'replaced',
  'node-unreachable': 'serviceUnavailable',
  'node-timeout': 'serviceUnavailable',
  'node-refused': 'serviceUnavailable',
  'wrong-chain': 'serviceUnavailable',
}

const blobKeys = ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas', 'sidecars']

const one = <T>(shape: v.GenericSchema<unknown, T>) => v.tuple([shape])
const anyParams = one(
  v.looseObject({ type: v.optional(v.unknown()), authorizationList: v.optional(v.unknown()) }),
)
const sendParams = one(transactionShape)
const carriedShape = v.object({ intentId: v.string() })
