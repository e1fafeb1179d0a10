import { describe, expect, it } from 'vitest'
import { createUnsavedEdits } from '../../../src/state/drafts/unsavedEdits.ts'
import type { Session } from '../../../src/state/session.ts'
import { pending, standInSession } from '../../helpers/state/fakes.ts'

const saved = { rpcUrl: 'https://one.example', name: 'One' }

const create = (session: Session = standInSession()) => createUnsavedEdits(undefined, undefined, session)

const settle = () => new Promise((resolve) => setTimeout(resolve))

describe('unsaved edits', () => {
  it('keeps the edits of each form separately', () => {
    const kept = create()
    kept.edit('one', { name: 'One' })
    kept.edit('other', { name: 'Other' })
    kept.edit('one', { name: 'Two', symbol: 'TWO' })
    expect(kept.getState()).toEqual({ one: { name: 'Two', symbol: 'TWO' }, other: { name: 'Other' } })
  })

  it('notifies subscribers, and forgets the edits once they are saved', () => {
    const kept = create()
    const seen: unknown[] = []
    kept.subscribe(({ one }) => seen.push(one))
    kept.edit('one', saved)
    kept.drop('one', saved)
    expect(seen).toEqual([saved, {}])
  })

  it('drops all edits on lock', () => {
    const kept = create()
    kept.edit('one', saved)
    kept.lock()
    expect(kept.getState()).toEqual({})
  })

  it('keeps edits that differ from the saved values, including emptied fields', () => {
    const kept = create()
    kept.edit('one', saved)
    // The user left during a slow save, returned and typed on.
    kept.edit('one', { name: '', symbol: 'TWO', explorerUrl: '' })
    kept.drop('one', saved)
    expect(kept.getState().one).toEqual({ name: '', symbol: 'TWO', explorerUrl: '' })
    kept.drop('other', saved)
    expect(kept.getState().other).toEqual({})
  })
})

describe('form drafts of a closed view', () => {
  it('stores the last edit when the view closes during a write', async () => {
    const session = standInSession()
    let close = () => {}
    const slow = pending<void>()
    let isSlow = false
    const kept = create({
      remove: async () => undefined,
      get: async (key) => {
        if (isSlow) await slow.promise
        return session.get(key)
      },
      set: session.set,
      onClose: (listener) => {
        close = listener
      },
    })
    await settle()
    kept.edit('contact-new', { note: 'From' })
    await settle()
    isSlow = true
    kept.edit('contact-new', { note: 'From the' })
    kept.edit('contact-new', { note: 'From the club' })
    close()
    expect(await session.get('forms')).toEqual({ 'contact-new': { note: 'From the club' } })
  })

  it('does not store drafts again when a locked view closes', async () => {
    const session = standInSession()
    let close = () => {}
    const kept = create({
      ...session,
      onClose: (listener) => {
        close = listener
      },
    })
    await settle()
    kept.edit('contact-new', { note: 'From' })
    kept.lock()
    close()
    await settle()
    expect(await session.get('forms')).not.toEqual({ 'contact-new': { note: 'From' } })
  })

  it('restores the drafts in the next view without the API key', async () => {
    const session = standInSession()
    create(session).edit('network-1', { ...saved, serviceKey: 'key-of-mine' })
    await settle()
    expect(JSON.stringify(await session.get('forms'))).not.toContain('key-of-mine')
    const next = create(session)
    await settle()
    expect(next.getState()).toEqual({ 'network-1': saved })
  })

  it('does not restore drafts that were saved', async () => {
    const session = standInSession()
    const kept = create(session)
    kept.edit('network-1', saved)
    await settle()
    kept.drop('network-1', saved)
    await settle()
    const next = create(session)
    await settle()
    expect(next.getState()).toEqual({})
  })

  it('prefers edits typed before the drafts were read, field by field', async () => {
    const session = standInSession()
    create(session).edit('network-1', saved)
    await settle()
    const next = create(session)
    next.edit('network-1', { name: 'Two' })
    await settle()
    expect(next.getState()).toEqual({ 'network-1': { ...saved, name: 'Two' } })
    expect(await session.get('forms')).toEqual({ 'network-1': { ...saved, name: 'Two' } })
  })

  it('does not restore fields that were saved before the drafts were read', async () => {
    const session = standInSession()
    create(session).edit('routes-1', { protocols: ['A', 'B'], fee: '1' })
    await settle()
    const next = create(session)
    next.drop('routes-1', { protocols: ['A', 'B'] })
    await settle()
    expect(next.getState()).toEqual({ 'routes-1': { fee: '1' } })
    expect(await session.get('forms')).toEqual({ 'routes-1': { fee: '1' } })
  })

  it('keeps the drafts of another view', async () => {
    const session = standInSession()
    const [popup, tab] = [create(session), create(session)]
    await settle()
    popup.edit('network-1', { name: 'One' })
    await settle()
    tab.edit('contact-new', { name: 'Bob' })
    await settle()
    expect(await session.get('forms')).toEqual({
      'network-1': { name: 'One' },
      'contact-new': { name: 'Bob' },
    })
  })

  it.each([undefined, null, 7, 'damaged', { 'network-1': { name: 7 } }])(
    'ignores damaged drafts: %j',
    async (stored) => {
      const session = standInSession()
      await session.set('forms', stored)
      const kept = create(session)
      await settle()
      expect(kept.getState()).toEqual({})
      kept.edit('network-1', saved)
      await settle()
      expect(await session.get('forms')).toEqual({ 'network-1': saved })
    },
  )

  it('keeps the edits in memory when the browser stores nothing', async () => {
    const refuse = () => Promise.reject(new Error('The browser keeps nothing here.'))
    const kept = create({ remove: async () => undefined, get: refuse, set: refuse })
    kept.edit('network-1', saved)
    await settle()
    kept.edit('network-1', { name: 'Two' })
    await settle()
    expect(kept.getState()).toEqual({ 'network-1': { ...saved, name: 'Two' } })
  })

  it('neither stores nor restores drafts when the lock overtakes a pending write or read', async () => {
    const stored = standInSession()
    const write = pending<void>()
    let writes = 0
    const session: Session = {
      remove: async () => undefined,
      get: stored.get,
      async set(key, value) {
        writes += 1
        if (writes === 1) await write.promise
        await stored.set(key, value)
      },
    }
    const kept = create(session)
    kept.edit('network-1', saved)
    await settle()
    // The pending write finishes after the worker deleted the record.
    kept.lock()
    write.resolve()
    await settle()
    expect(await stored.get('forms')).toEqual({})
    const reader = pending<unknown>()
    const late = create({ remove: async () => undefined, get: () => reader.promise, set: stored.set })
    late.lock()
    reader.resolve({ 'network-1': saved })
    await settle()
    expect(late.getState()).toEqual({})
  })
})
