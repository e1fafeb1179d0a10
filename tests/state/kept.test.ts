import { describe, expect, it } from 'vitest'
import { createKept } from '../../src/state/kept.ts'

const saved = { rpcUrl: 'https://one.example', name: 'One' }

describe('what is typed and not saved yet', () => {
  it('is kept under the name of what it is of', () => {
    const kept = createKept()
    kept.edit('one', { name: 'One' })
    kept.edit('other', { name: 'Other' })
    kept.edit('one', { name: 'Two', symbol: 'TWO' })
    expect(kept.getState()).toEqual({ one: { name: 'Two', symbol: 'TWO' }, other: { name: 'Other' } })
  })

  it('is told to whoever shows it, and is forgotten once it is saved', () => {
    const kept = createKept()
    const seen: unknown[] = []
    kept.subscribe(({ one }) => seen.push(one))
    kept.edit('one', saved)
    kept.drop('one', saved)
    expect(seen).toEqual([saved, {}])
  })

  it('is gone with the lock: a key may be among it', () => {
    const kept = createKept()
    kept.edit('one', saved)
    kept.lock()
    expect(kept.getState()).toEqual({})
  })

  it('stays where it was typed while the rest was saved, be it emptied', () => {
    const kept = createKept()
    kept.edit('one', saved)
    // Somebody left the page during a slow save, came back and typed on.
    kept.edit('one', { name: '', symbol: 'TWO' })
    kept.drop('one', saved)
    expect(kept.getState().one).toEqual({ name: '', symbol: 'TWO' })
    kept.drop('other', saved)
    expect(kept.getState().other).toEqual({})
  })
})
