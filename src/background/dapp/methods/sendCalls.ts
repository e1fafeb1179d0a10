import * as v from 'valibot'
import { isUnknown } from '../../../domain/activity/activity.ts'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { Network } from '../../../domain/network/network.ts'
import { canSwap } from '../../../domain/network/swapSource.ts'
import type { Swap } from '../../../domain/swap/swap.ts'
import { toWalletError, WalletError } from '../../../errors.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import type { Requester } from '../../approvals/store.ts'
import type { Networks } from '../../networks/networks.ts'
import type { SettingsStore } from '../../settings.ts'
import type { TransactionQueue } from '../../transactions/queue.ts'
import type { Sites } from '../connectedSites.ts'
import { hexChainId } from '../ports/sessions.ts'
import type { RpcHandler } from '../router.ts'
import { type CallId, type CallIds, hashCalls, requesterKey } from './callIds.ts'
import { readReceipts, toCallStatus } from './callsStatus.ts'
import { parseParams } from './params.ts'
import { sender } from './sendTransaction.ts'
import { addressSchema, callShape, chainIdSchema, toCall } from './transactionParams.ts'

type Deps = {
  sites: Pick<Sites, 'chain' | 'get' | 'permitted' | 'view'>
  settings: Pick<SettingsStore, 'get'>
  networks: Pick<Networks, 'chain'>
  approvals: Pick<Approvals, 'ask' | 'checkFree' | 'list' | 'show'>
  intents: Pick<TransactionQueue, 'find'>
  ids: CallIds
  now?(): number
}

/** EIP-5792 methods. Each call is sent once the previous one is mined. */
export function createCallMethods(parts: Deps): Record<string, RpcHandler> {
  const { sites, settings, networks, approvals, intents, ids, now = Date.now } = parts

  async function network(chainId: number): Promise<Network> {
    const found = (await settings.get()).networks.find((each) => each.chainId === chainId)
    if (found !== undefined) return found
    throw new WalletError('no-service', `The wallet knows no chain ${hexChainId(chainId)}.`)
  }

  async function known(origin: string, params: unknown): Promise<CallId> {
    const [id] = parseParams(idParams, params)
    const record = await ids.get(origin, id)
    if (record !== undefined) return record
    throw unknownId(id)
  }

  /** Empty while the RPC fails; the journal has the status. */
  async function receiptsOf(chainId: number, one: Swap | CallBatch): Promise<unknown[]> {
    try {
      return await readReceipts(await networks.chain(chainId), one)
    } catch {
      return []
    }
  }

  /** Claims the id for this request. Throws `id-used`. */
  async function claim(asker: Requester, id: string, chainId: number, asked: unknown): Promise<CallId> {
    const { origin } = asker
    const at = now()
    const mark = hashCalls(asked)
    const record = await ids.claim({
      origin,
      id,
      kind: 'calls',
      chainId,
      at,
      asked: mark,
      asker: requesterKey(asker),
      state: 'open',
      // Ids may be reused after a day.
      intentId: hashCalls(['wallet_sendCalls', origin, id, at]).slice(2, 34),
    })
    if (record.kind === 'calls' && record.asker === requesterKey(asker) && record.asked === mark) {
      return record
    }
    throw new WalletError('id-used', 'The id belongs to another request of this site.', {
      id: id.slice(0, 200),
    })
  }

  /** The decision stands even if this fails. */
  async function note(record: CallId): Promise<void> {
    await ids.put(record).catch(() => undefined)
  }

  async function isOpen({ origin, id }: CallId): Promise<boolean> {
    return (await approvals.list()).some(({ origin: other, ask }) => {
      const name = ask.kind === 'send' ? ask.batch : ask.kind === 'swap' ? ask.request.id : undefined
      return other === origin && name === id
    })
  }

  return {
    async wallet_sendCalls(asker, params) {
      const [{ version, from, capabilities, ...asked }] = parseParams(callsParams, params)
      if (asked.atomicRequired) {
        throw new WalletError('no-atomicity', 'The wallet sends one call after the other, each by itself.')
      }
      for (const each of [{ capabilities }, ...asked.calls]) checkCapabilities(each.capabilities)
      const calls = asked.calls.map(toCall)
      const { chainId } = await network(asked.chainId ?? (await sites.chain(asker.origin)))
      const account = await sender(sites, asker.origin, from)
      // A resent request gets the same id.
      const id = asked.id ?? hashCalls(['wallet_sendCalls', requesterKey(asker)])
      const known = (await ids.get(asker.origin, id))?.intentId
      const isBegun = known !== undefined && (await intents.find(known)) !== undefined
      // A refused request stores nothing.
      if (!isBegun) await approvals.checkFree(asker, 'send', known)
      const record = await claim(asker, id, chainId, { account, calls })
      // The journal outlives the approval.
      if (isBegun && record.intentId === known) return version === '1.0' ? id : { id }
      const options = { chainId, ...(record.intentId && { id: record.intentId }) }
      try {
        await approvals.ask(asker, { kind: 'send', account, calls, batch: id }, options)
      } catch (error) {
        if (toWalletError(error).code === 'rejected') await note({ ...record, state: 'refused' })
        // Not shown, so the id is free again.
        else await ids.remove(asker.origin, id)
        throw error
      }
      await note({ ...record, state: 'sent' })
      return version === '1.0' ? id : { id }
    },

    async wallet_getCallsStatus({ origin }, params) {
      const record = await known(origin, params)
      const { id, chainId, intentId, state } = record
      // In this order, as requests move from approvals to the journal.
      const waits = await isOpen(record)
      const one = intentId === undefined ? undefined : await intents.find(intentId)
      // The journal drops old records; damaged ones have no outcome.
      if (one ? isUnknown(one) : !waits && state === 'sent') throw unknownId(id)
      const status = one === undefined ? (waits ? 100 : 400) : toCallStatus(one)
      const receipts = one === undefined ? [] : await receiptsOf(chainId, one)
      return { version: '2.0.0', id, chainId: hexChainId(chainId), status, atomic: false, receipts }
    },

    async wallet_showCallsStatus({ origin }, params) {
      const record = await known(origin, params)
      // A site may only draw attention to its own request.
      if (await isOpen(record)) await approvals.show('quietly')
      return null
    },

    async wallet_getCapabilities({ origin }, params) {
      const [account, chainIds] = parseParams(capabilitiesParams, params ?? [])
      const { accounts } = await sites.view(origin)
      if (!accounts.some((each) => each === (account ?? each))) {
        throw new WalletError('not-connected', 'This site does not see that account. Connect it first.')
      }
      const { networks, pageSwaps } = await settings.get()
      const asked = networks.filter(({ chainId }) => chainIds?.includes(chainId) ?? true)
      return Object.fromEntries(
        asked.map((each) => [hexChainId(each.chainId), getCapabilities(each, pageSwaps)]),
      )
    },
  }
}

function unknownId(id: string): WalletError {
  return new WalletError('unknown-id', 'This site asked for nothing under this id.', { id: id.slice(0, 200) })
}

function getCapabilities(network: Network, pageSwaps: boolean) {
  const swaps = pageSwaps && canSwap(network)
  return { atomic: { status: 'unsupported' }, ...(swaps && { swap: { supported: true } }) }
}

/** No capability is supported. */
function checkCapabilities(capabilities: Record<string, unknown> | undefined): void {
  const needed = Object.entries(capabilities ?? {}).find(([, wish]) => !isOptional(wish))
  if (needed === undefined) return
  throw new WalletError('no-capability', `The wallet has no capability ${needed[0].slice(0, 60)}.`)
}

function isOptional(wish: unknown): boolean {
  return typeof wish === 'object' && wish !== null && 'optional' in wish && wish.optional === true
}

const maxCalls = 20

/** EIP-5792 allows 4096 bytes, as text or hex. */
const id = v.pipe(
  v.string(),
  v.check(
    (text) => text !== '' && (text.length <= 4096 || /^0x[0-9a-f]{4093,8192}$/i.test(text)),
    'is not a text of 1 to 4096 characters',
  ),
)

const callsParams = v.tuple([
  v.object({
    version: v.picklist(['1.0', '2.0.0'], 'is neither 1.0 nor 2.0.0'),
    id: v.optional(id),
    from: v.optional(addressSchema),
    chainId: v.optional(chainIdSchema),
    atomicRequired: v.optional(v.boolean()),
    calls: v.pipe(v.array(callShape), v.minLength(1), v.maxLength(maxCalls, `are more than ${maxCalls}`)),
    capabilities: v.optional(v.looseObject({})),
  }),
])

const idParams = v.tuple([v.string()])

const capabilitiesParams = v.pipe(
  v.array(v.unknown()),
  v.transform(([account, chainIds]) => [account ?? undefined, chainIds ?? undefined]),
  v.strictTuple([v.optional(addressSchema), v.optional(v.array(chainIdSchema))]),
)
