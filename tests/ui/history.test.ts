import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHistory } from '../../src/ui/history.ts'

function standInHistory() {
  const entries: { state: unknown; hash: string }[] = [{ state: null, hash: '#/overview' }]
  return {
    entries,
    get state() {
      return entries.at(-1)?.state
    },
    pushState: (state: unknown, _title: string, hash: string) => void entries.push({ state, hash }),
    replaceState: (state: unknown, _title: string, hash: string) =>
      void entries.splice(-1, 1, { state, hash }),
    back: () => void entries.pop(),
  }
}

let history: ReturnType<typeof standInHistory>
beforeEach(() => {
  history = standInHistory()
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', {
    get hash() {
      return history.entries.at(-1)?.hash
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const forgetful = () => {
  throw new Error('The browser keeps nothing here.')
}

describe('createHistory', () => {
  it('goes back only to a pushed entry, also after entries were replaced', () => {
    const bar = createHistory(forgetful)
    expect([bar.read(), bar.canGoBack()]).toEqual(['#/overview', false])
    bar.replace('#/swap')
    expect([bar.read(), bar.canGoBack()]).toEqual(['#/swap', false])
    bar.push('#/settings')
    bar.replace('#/networks')
    expect([bar.read(), bar.canGoBack()]).toEqual(['#/networks', true])
    bar.back()
    expect([bar.read(), bar.canGoBack()]).toEqual(['#/swap', false])
  })

  it('can still go back after a reload, by the history state of the browser', () => {
    createHistory(forgetful).push('#/settings')
    expect(createHistory(forgetful).canGoBack()).toBe(true)
  })

  it('keeps the onboarding step until it is cleared, and works without storage', () => {
    const kept = new Map<string, string>()
    const memory = () =>
      new Proxy({} as Storage, {
        get: (_target, name: string) =>
          name === 'removeItem' ? (key: string) => kept.delete(key) : kept.get(name),
        set: (_target, name: string, value: string) => Boolean(kept.set(name, value)),
      })
    createHistory(memory).keepStep('#/begin/create')
    expect(createHistory(memory).lastStep()).toBe('#/begin/create')
    createHistory(memory).keepStep(undefined)
    expect(createHistory(memory).lastStep()).toBeUndefined()
    createHistory(forgetful).keepStep('#/begin/create')
    expect(createHistory(forgetful).lastStep()).toBeUndefined()
  })

  it('keeps the last tab and works without storage', () => {
    const memory = {} as Storage
    createHistory(() => memory).keepTab('swap')
    expect(createHistory(() => memory).lastTab()).toBe('swap')
    const bar = createHistory(forgetful)
    bar.keepTab('swap')
    expect(bar.lastTab()).toBeUndefined()
  })
})
