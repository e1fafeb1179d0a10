import { createStore } from 'zustand/vanilla'
import { isSame } from '../domain/isSame.ts'
import { type FormDrafts, parseFormDrafts } from './formDrafts.ts'
import type { Session } from './session.ts'

/** By the name of a field what was typed into it. */
type Edits = Record<string, unknown>

/** Removed by the lock, too (vault/session.ts). */
const draftsKey = 'forms'

/**
 * Drafts: what is typed and not saved yet, under the name of what it is of. They outlive the page, and in the
 * browser's session storage the view: a toolbar popup closes at any click beside it. Secrets stay in memory
 * (formDrafts.ts).
 */
export function createUnsavedEdits(_wallet: unknown, _clock: unknown, session: Session) {
  const store = createStore<Record<string, Edits>>()(() => ({}))
  const { getState, setState } = store
  /** Names of drafts that are to be written. */
  const changed = new Set<string>()
  /** Drafts that were dropped before the stored ones were read. */
  const dropped: { name: string; saved: Edits }[] = []
  let isRecalled = false
  let locks = 0
  let isWriting = false
  const recalled = recall()

  async function read(): Promise<FormDrafts> {
    return parseFormDrafts(await session.get(draftsKey).catch(() => undefined))
  }

  /** Another view's drafts. What was typed here meanwhile is newer. */
  async function recall(): Promise<void> {
    const before = locks
    const drafts = await read()
    isRecalled = true
    if (locks !== before) return
    for (const { name, saved } of dropped) drafts[name] = without(drafts[name], saved)
    const typed = getState()
    setState(
      Object.fromEntries(Object.entries(drafts).map(([name, edits]) => [name, { ...edits, ...typed[name] }])),
    )
  }

  function change(name: string, edits: Edits): void {
    setState({ [name]: edits })
    changed.add(name)
    if (!isWriting) write()
  }

  /** Other views write their own drafts into the same record: only what was changed here is replaced. */
  async function write(): Promise<void> {
    isWriting = true
    await recalled
    while (changed.size > 0) {
      const before = locks
      const names = [...changed]
      changed.clear()
      const drafts = await read()
      for (const name of names) drafts[name] = getState()[name] ?? {}
      if (locks !== before) continue
      await session.set(draftsKey, parseFormDrafts(drafts)).catch(() => undefined)
      // The lock may have removed the record while it was written.
      if (locks !== before) await session.set(draftsKey, {}).catch(() => undefined)
    }
    isWriting = false
  }

  return {
    ...store,

    edit(name: string, edits: Edits): void {
      change(name, { ...getState()[name], ...edits })
    },

    /** Forgets what was saved. What was typed anew since stays. */
    drop(name: string, saved: Edits): void {
      if (!isRecalled) dropped.push({ name, saved })
      change(name, without(getState()[name], saved))
    },

    /** A service's key may be among it: nothing of it outlives the lock. */
    lock(): void {
      locks += 1
      changed.clear()
      setState({}, true)
    },
  }
}

/** `edits` without the fields that have the value in `saved`. */
function without(edits: Edits = {}, saved: Edits): Edits {
  const left = Object.entries(edits).filter(
    ([field, value]) => !(Object.hasOwn(saved, field) && isSame(saved[field], value)),
  )
  return Object.fromEntries(left)
}
