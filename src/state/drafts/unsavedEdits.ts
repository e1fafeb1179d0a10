import { createStore } from 'zustand/vanilla'
import { isSame } from '../../domain/isSame.ts'
import type { Session } from '../session.ts'
import { type FormDrafts, parseFormDrafts } from './formDrafts.ts'

type Edits = Record<string, unknown>

/** Also deleted on lock (vault/storage/session.ts). */
const draftsKey = 'forms'

/**
 * Keeps drafts in session storage, because a popup closes at any outside click. Secrets stay in memory
 * (formDrafts.ts).
 */
export function createUnsavedEdits(_wallet: unknown, _clock: unknown, session: Session) {
  const store = createStore<Record<string, Edits>>()(() => ({}))
  const { getState, setState } = store
  /** Drafts to write. */
  const changed = new Set<string>()
  /** Drafts of the write in progress. */
  let writing: string[] = []
  /** Last record read or written, for a page that has no time to read again. */
  let stored: FormDrafts = {}
  /** Dropped before the stored drafts were read. */
  const dropped: { name: string; saved: Edits }[] = []
  let isRecalled = false
  let locks = 0
  let isWriting = false
  const recalled = recall()

  async function read(): Promise<FormDrafts> {
    stored = parseFormDrafts(await session.get(draftsKey).catch(() => undefined))
    return structuredClone(stored)
  }

  /** Merges stored drafts; local edits win. */
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

  /** Replaces only changed drafts: views share the record. */
  async function write(): Promise<void> {
    isWriting = true
    await recalled
    while (changed.size > 0) {
      const before = locks
      writing = [...changed]
      changed.clear()
      const drafts = await read()
      for (const name of writing) drafts[name] = getState()[name] ?? {}
      if (locks !== before) continue
      stored = parseFormDrafts(drafts)
      await session.set(draftsKey, stored).catch(() => undefined)
      writing = []
      // The lock may have deleted the record.
      if (locks !== before) await session.set(draftsKey, {}).catch(() => undefined)
    }
    isWriting = false
  }

  /** Writes at once what is not stored yet: a closing popup has no time to read first. */
  function flush(): void {
    const names = [...writing, ...changed]
    if (names.length === 0 || !isRecalled) return
    const drafts: FormDrafts = { ...stored }
    for (const name of names) drafts[name] = getState()[name] ?? {}
    session.set(draftsKey, parseFormDrafts(drafts)).catch(() => undefined)
  }
  session.onClose?.(flush)

  return {
    ...store,

    edit(name: string, edits: Edits): void {
      change(name, { ...getState()[name], ...edits })
    },

    /** Removes saved values; later edits stay. */
    drop(name: string, saved: Edits): void {
      if (!isRecalled) dropped.push({ name, saved })
      change(name, without(getState()[name], saved))
    },

    /** Drafts may hold a service key and must not outlive the lock. */
    lock(): void {
      locks += 1
      changed.clear()
      writing = []
      stored = {}
      setState({}, true)
    },
  }
}

function without(edits: Edits = {}, saved: Edits): Edits {
  const left = Object.entries(edits).filter(
    ([field, value]) => !(Object.hasOwn(saved, field) && isSame(saved[field], value)),
  )
  return Object.fromEntries(left)
}
