import * as v from 'valibot'
import { builtInNetworks } from '../config.ts'
import { isSame } from '../domain/isSame.ts'
import { decode, encode } from '../domain/json.ts'
import {
  changeSettings,
  type Network,
  type Settings,
  type SettingsChanges,
} from '../domain/network/network.ts'
import { editNetwork } from '../domain/network/networkTexts.ts'
import {
  type ChangeOutcome,
  hostPattern,
  networkUrls,
  type PermittedChange,
  type UnreadChange,
  type WaitingChange,
} from '../domain/network/permittedChange.ts'
import { parseOrUndefined } from '../domain/parseOrUndefined.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { createMutex } from '../lib/async/mutex.ts'
import { changeOutcomeSchema, waitingChangeSchema } from './permittedChangeSchemas.ts'
import { parse } from './schemas.ts'
import type { SettingsStore } from './settings.ts'
import type { StorageArea } from './storage.ts'
import type { TokenPreferenceStore } from './tokens/favourites.ts'

type Deps = {
  session: StorageArea
  settings: Pick<SettingsStore, 'get' | 'update'>
  picks: Pick<TokenPreferenceStore, 'change'>
  chainAt(rpcUrl: string): Promise<number>
  hasPermissions(wanted: { origins: string[]; permissions: 'notifications'[] }): Promise<boolean>
  now(): number
}

/** The lock removes it, as it may contain an API key (vault/storage/session.ts). */
const key = 'change'

/** Maximum time from Save to the permission. */
export const waitsForMs = 5 * 60_000

const tooLate: ChangeOutcome = {
  isDone: false,
  code: 'invalid-input',
  message: 'The permission came too late.',
  facts: { why: 'too-late' },
}

type Kept = WaitingChange & { keptAt: number; outcome?: ChangeOutcome }

const keptShape: v.GenericSchema<unknown, Kept> = v.intersect([
  waitingChangeSchema,
  v.object({ keptAt: v.number(), outcome: v.exactOptional(changeOutcomeSchema) }),
])

/**
 * Applies settings changes once they are permitted. Chromium's prompt closes the popup, so the worker keeps
 * the latest change, and its outcome until a view reads it.
 */
export function createPermittedChanges({ session, settings, picks, chainAt, hasPermissions, now }: Deps) {
  const runExclusive = createMutex()
  const running = new Map<string, Promise<ChangeOutcome>>()
  let current: string | undefined

  async function read(): Promise<Kept | undefined> {
    const text = await session.get(key)
    if (typeof text !== 'string') return undefined
    try {
      const kept = parseOrUndefined(keptShape, decode(text))
      if (kept === undefined || kept.outcome !== undefined || now() - kept.keptAt <= waitsForMs) return kept
      return { ...kept, outcome: tooLate }
    } catch {
      return undefined
    }
  }

  const write = (kept: Kept) => session.set({ [key]: encode(kept) })

  const isPermitted = ({ urls, change }: WaitingChange) =>
    hasPermissions({
      origins: urls.map(hostPattern),
      permissions: change.kind === 'set-notices' ? ['notifications'] : [],
    })

  /** Single-flight by id. */
  async function run(kept: Kept): Promise<ChangeOutcome> {
    if (kept.outcome !== undefined) return kept.outcome
    const known = running.get(kept.id)
    if (known !== undefined) return known
    current = kept.id
    const work = attempt(kept).finally(() => running.delete(kept.id))
    running.set(kept.id, work)
    return work
  }

  async function attempt(kept: Kept): Promise<ChangeOutcome> {
    const outcome = await carryOut(kept).catch((error: unknown): ChangeOutcome => {
      const { code, message, facts } = toWalletError(error)
      return { isDone: false, code, message, facts }
    })
    await runExclusive(async () => {
      if ((await read())?.id === kept.id) await write({ ...kept, outcome })
    })
    return outcome
  }

  async function carryOut(kept: Kept): Promise<ChangeOutcome> {
    const { id, change } = kept
    if (!(await isPermitted(kept))) throw notPermitted()
    if (change.kind === 'find-chain')
      return { isDone: true, chainId: await findChain(change.rpcUrl, 'rpcUrl') }
    if (change.kind === 'add-network') await checkNodes(change.network)
    if (change.kind === 'edit-network' && change.isChecked) {
      const before = getNetwork(await settings.get(), change.chainId)
      await checkNodes(editNetwork(before, change.edits), before)
    }
    // It may have been removed meanwhile.
    if ((await read())?.id !== id) current = undefined
    await settings.update((before) => {
      if (current !== id) throw new WalletError('aborted', 'The change was dropped.')
      const after = changeSettings(before, getChanges(before, change))
      requireKnownHosts(before, after, kept.urls)
      return after
    })
    if (change.kind === 'import') {
      for (const { chainId, tokens } of change.favourites) await picks.change(chainId, { marked: tokens })
    }
    return { isDone: true }
  }

  /** Throws `wrong-chain`. Skips RPCs of `before`. */
  async function checkNodes(after: Network, before?: Network): Promise<void> {
    for (const field of ['rpcUrl', 'spareRpcUrl'] as const) {
      const url = after[field]
      if (!url || url === before?.[field]) continue
      const found = await findChain(url, field)
      if (found === after.chainId) continue
      const facts = { expected: String(after.chainId), found: String(found), field }
      throw new WalletError('wrong-chain', `The node serves chain ${found}, not ${after.chainId}.`, facts)
    }
  }

  /** Adds `field` to errors. */
  function findChain(url: string, field: 'rpcUrl' | 'spareRpcUrl'): Promise<number> {
    return chainAt(url).catch((error: unknown) => {
      const { code, message, facts } = toWalletError(error)
      throw new WalletError(code, message, { ...facts, field })
    })
  }

  return {
    async keep(asked: unknown): Promise<void> {
      const waiting = parse(waitingChangeSchema, asked, 'change')
      await runExclusive(() => write({ ...waiting, keptAt: now() }))
    },

    /** Throws `aborted` if the change is gone, or its failure. */
    async carryOut(id: string): Promise<number | undefined> {
      const kept = await runExclusive(read)
      if (kept?.id !== id) throw new WalletError('aborted', 'The change is not kept any more.')
      const outcome = await run(kept)
      if (outcome.isDone) return outcome.chainId
      throw new WalletError(outcome.code, outcome.message, outcome.facts)
    },

    /** Applies the kept change if permitted, after `permissions.onAdded` or a worker restart. */
    async resume(): Promise<void> {
      const kept = await runExclusive(read)
      if (kept !== undefined && kept.outcome === undefined && (await isPermitted(kept))) await run(kept)
    },

    async drop(id: string): Promise<void> {
      if (current === id) current = undefined
      await runExclusive(async () => {
        if ((await read())?.id === id) await session.remove([key])
      })
    },

    async unread(): Promise<UnreadChange | undefined> {
      const kept = await runExclusive(read)
      if (kept === undefined) return undefined
      const { keptAt: _, ...unread } = kept
      const isGiven = await isPermitted(kept)
      // Without the permission there is nothing to report.
      if (kept.outcome === tooLate && !isGiven) return undefined
      return { ...unread, isPermitted: isGiven }
    },

    /** Running changes must not be saved after a reset. */
    forget(): void {
      current = undefined
    },
  }
}

export type PermittedChanges = ReturnType<typeof createPermittedChanges>

function getChanges(
  before: Settings,
  change: Exclude<PermittedChange, { kind: 'find-chain' }>,
): SettingsChanges {
  switch (change.kind) {
    case 'edit-network': {
      const { chainId, edits, isChosen } = change
      return { networks: [editNetwork(getNetwork(before, chainId), edits)], ...(isChosen && { chainId }) }
    }
    case 'set-route-options': {
      const { options: _, ...rest } = getNetwork(before, change.chainId)
      const isEmpty = Object.keys(change.options).length === 0
      return { networks: [isEmpty ? rest : { ...rest, options: change.options }] }
    }
    case 'reset-network': {
      const given = builtInNetworks().find(({ chainId }) => chainId === change.chainId)
      if (given === undefined) throw unknownChain(change.chainId)
      return { networks: [given] }
    }
    case 'add-network':
      // The worker may have stopped after saving.
      return before.networks.some((one) => isSame(one, change.network)) ? {} : { added: [change.network] }
    case 'set-notices':
      return { notices: change.notices }
    case 'import':
      return importChanges(before, change)
  }
}

/** Throws `invalid-input` if a network changed since the review. */
function importChanges(
  settings: Settings,
  { changes, before }: Extract<PermittedChange, { kind: 'import' }>,
): SettingsChanges {
  const { networks = [], added = [] } = changes
  const find = (all: Network[], { chainId }: Network) => all.find((one) => one.chainId === chainId)
  const isAsShown = (one: Network) => isSame(find(settings.networks, one), find(before, one))
  if (![...networks, ...added].every(isAsShown)) {
    throw new WalletError('invalid-input', 'The settings were changed meanwhile.', { why: 'other-settings' })
  }
  return changes
}

/** Throws `invalid-input` for a host neither in `urls` nor configured. */
function requireKnownHosts(before: Settings, after: Settings, urls: string[]): void {
  const known = new Set([...before.networks.flatMap(networkUrls), ...urls])
  if (!after.networks.flatMap(networkUrls).every((url) => url === '' || known.has(url))) {
    throw new WalletError('invalid-input', 'The change names a host that was not shown.')
  }
}

function getNetwork({ networks }: Settings, chainId: number): Network {
  const found = networks.find((one) => one.chainId === chainId)
  if (found === undefined) throw unknownChain(chainId)
  return found
}

function unknownChain(chainId: number): WalletError {
  return new WalletError('unknown-chain', `There is no network ${chainId} any more.`)
}

function notPermitted(): WalletError {
  return new WalletError('invalid-input', 'The browser was not allowed to reach these addresses.', {
    why: 'not-allowed',
  })
}
