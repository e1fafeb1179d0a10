import { beforeEach, describe, expect, it } from 'vitest'
import type { AccountState } from '../../src/state/account.ts'
import { createReloadOnLock } from '../../src/state/reloadOnLock.ts'

const failed = { step: 'failed' } as AccountState
const open = { step: 'open' } as AccountState
const phrase: AccountState = { step: 'phrase', phrase: 'abandon ability able' }

let done: string[]
let emptied: () => Promise<boolean>
let later: () => void

beforeEach(() => {
  done = []
  emptied = async () => true
})

async function goThrough(...states: (AccountState | AccountState['step'])[]): Promise<string[]> {
  const leaving = createReloadOnLock(
    (call) => {
      later = call
      return emptied()
    },
    (isForgotten) => done.push(isForgotten ? 'forget and reload' : 'reload'),
  )
  for (const state of states)
    await leaving((typeof state === 'string' ? { step: state } : state) as AccountState)
  return done
}

describe('createReloadOnLock', () => {
  it('reloads the page when an open wallet is locked', async () => {
    expect(await goThrough('loading', open, 'locked')).toEqual(['reload'])
  })

  it('reloads after a shown phrase or an open wallet, also with loading or a failure in between', async () => {
    for (const between of [[], ['loading'], [failed], ['loading', failed]] as const) {
      done = []
      expect(await goThrough('welcome', phrase, ...between, 'locked')).toEqual(['reload'])
      done = []
      expect(await goThrough(open, ...between, 'locked')).toEqual(['reload'])
      done = []
      expect(await goThrough(open, ...between, 'welcome')).toEqual(['forget and reload'])
    }
  })

  it('does not reload when no wallet data was shown', async () => {
    const harmless: Parameters<typeof goThrough>[] = [
      ['loading', 'locked', 'locked', open],
      ['loading', 'welcome', 'welcome', failed, 'welcome'],
      ['welcome', { step: 'phrase', phrase: '' }, failed, 'welcome'],
    ]
    for (const states of harmless) expect([states, await goThrough(...states)]).toEqual([states, []])
  })

  it('forgets stored data and reloads when a locked wallet was removed', async () => {
    expect(await goThrough('loading', 'locked', 'welcome')).toEqual(['forget and reload'])
  })

  it('delays the reload until the clipboard is empty', async () => {
    emptied = async () => false
    expect(await goThrough(open, 'locked')).toEqual([])
    later()
    expect(done).toEqual(['reload'])
  })

  it('cancels a delayed reload after unlocking, and reloads on each lock with an empty clipboard', async () => {
    emptied = async () => false
    expect(await goThrough(open, 'locked', open)).toEqual([])
    later()
    expect(done).toEqual([])
    emptied = async () => true
    expect(await goThrough(open, 'locked', open, 'locked')).toEqual(['reload', 'reload'])
  })

  it('reloads at once after the wallet was removed, even when the clipboard is not empty', async () => {
    emptied = async () => false
    expect(await goThrough(open, 'welcome')).toEqual(['forget and reload'])
  })

  it('reloads when the code that empties the clipboard cannot be loaded', async () => {
    emptied = async () => {
      throw new TypeError('Failed to fetch dynamically imported module')
    }
    expect(await goThrough(open, 'locked')).toEqual(['reload'])
  })
})
