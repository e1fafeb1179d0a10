import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Approval, Decision } from '../../src/domain/dapp/approval.ts'
import { WalletError } from '../../src/errors.ts'
import type { WalletApi } from '../../src/protocol.ts'
import { createApprovals } from '../../src/state/approvals.ts'
import { systemClock } from '../../src/state/clock.ts'
import { pending, standInWallet } from '../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const store = (methods: Partial<WalletApi> = {}) => createApprovals(standInWallet(methods), systemClock())
const ids = (one: ReturnType<typeof store>) => one.getState().open.map(({ id }) => id)
const stopped = () => Promise.reject(new WalletError('worker-stopped', 'Stopped.'))

function approval(id: string, createdAt: number): Approval {
  const ask = { kind: 'switch-chain', to: 137 } as const
  return { id, origin: 'https://app.example', chainId: 1, createdAt, expiresAt: createdAt + 600_000, ask }
}
const [first, second, third] = [approval('a', 1), approval('b', 2), approval('c', 3)]
const yes: Decision = { kind: 'switch-chain' }

describe('pending requests', () => {
  it('shows the oldest request first', async () => {
    const one = store({ approvals: async () => [third, first, second] })
    expect(one.getState().isKnown).toBe(false)
    await one.load()
    expect(ids(one)).toEqual(['a', 'b', 'c'])
    expect(one.getState().shown).toBe(first)
    expect(one.getState().isKnown).toBe(true)
  })

  it('keeps showing the current request when others arrive', () => {
    const one = store()
    one.heard([second])
    one.heard([first, second, third])
    expect(one.getState().shown).toBe(second)
  })

  it('marks the shown request as over for six seconds, then shows the oldest pending one', async () => {
    const one = store()
    one.heard([second])
    one.heard([third, first])
    expect(one.getState()).toMatchObject({ shown: second, isOver: true })
    await vi.advanceTimersByTimeAsync(5_000)
    one.heard([third, first])
    await vi.advanceTimersByTimeAsync(999)
    expect(one.getState()).toMatchObject({ shown: second, isOver: true })
    await vi.advanceTimersByTimeAsync(1)
    expect(one.getState()).toMatchObject({ shown: first, isOver: false })
    one.heard([])
    one.goOn()
    expect(one.getState()).toMatchObject({ shown: undefined, isOver: false })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(one.getState().shown).toBeUndefined()
  })

  it('reports why the requests could not be read until the next update arrives', async () => {
    const one = store({ approvals: stopped })
    await one.load()
    expect(one.getState()).toMatchObject({ isKnown: false, error: { code: 'worker-stopped' } })
    one.heard([first])
    expect(one.getState().error).toBeUndefined()
  })
})

describe('answering requests', () => {
  it('sends the decision for the named request and shows the next one', async () => {
    const said: unknown[] = []
    const one = store({
      async approve(...args) {
        said.push(args)
      },
    })
    one.heard([first, second])
    await one.approve('a', yes)
    expect(said).toEqual([['a', yes]])
    expect(one.getState().shown).toBe(second)
  })

  it('does not approve the request that takes the place of a withdrawn one', async () => {
    const said: string[] = []
    const slow = pending<void>()
    const one = store({
      approve(id) {
        said.push(id)
        return slow.promise
      },
    })
    one.heard([first, second])
    const approved = one.approve('a', yes)
    one.heard([second])
    slow.resolve()
    await approved
    expect(said).toEqual(['a'])
    expect(ids(one)).toEqual(['b'])
  })

  it('resends the same decision after the worker stopped', async () => {
    const said: unknown[] = []
    const one = store({
      async approve(...args) {
        said.push(args)
        if (said.length < 3) return stopped()
      },
    })
    one.heard([first])
    const approved = one.approve('a', yes)
    await vi.advanceTimersByTimeAsync(2_000)
    await approved
    expect(said).toEqual([
      ['a', yes],
      ['a', yes],
      ['a', yes],
    ])
    expect(ids(one)).toEqual([])
  })

  it('gives up after five attempts and keeps the request', async () => {
    let times = 0
    const one = store({
      approve() {
        times += 1
        return stopped()
      },
    })
    one.heard([first])
    const refused = expect(one.approve('a', yes)).rejects.toMatchObject({ code: 'worker-stopped' })
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
    expect(times).toBe(5)
    expect(ids(one)).toEqual(['a'])
  })

  it('keeps the request and does not retry when execution fails', async () => {
    let times = 0
    const one = store({
      approve() {
        times += 1
        return Promise.reject(new WalletError('wrong-chain', 'Another network.'))
      },
    })
    one.heard([first])
    await expect(one.approve('a', yes)).rejects.toMatchObject({ code: 'wrong-chain' })
    expect(times).toBe(1)
    expect(ids(one)).toEqual(['a'])
  })

  it('does not mark a request as over when it disappears while it is being answered', async () => {
    for (const give of ['approve', 'reject', 'rejectAll'] as const) {
      const slow = pending<void>()
      const one = store({ [give]: () => slow.promise })
      one.heard([first])
      const given =
        give === 'approve' ? one.approve('a', yes) : give === 'reject' ? one.reject('a') : one.rejectAll()
      one.heard([])
      expect(one.getState()).toMatchObject({ shown: first, isOver: false })
      slow.resolve()
      await given
      expect(one.getState()).toMatchObject({ shown: undefined, isOver: false })
    }
  })

  it('marks a request as over when its answer came too late', async () => {
    const slow = pending<void>()
    const one = store({ approve: () => slow.promise })
    one.heard([first])
    const approved = one.approve('a', yes)
    one.heard([])
    slow.reject(new WalletError('invalid-input', 'This request is no longer open.'))
    await expect(approved).rejects.toMatchObject({ code: 'invalid-input' })
    expect(one.getState()).toMatchObject({ shown: first, isOver: true })
  })

  it('rejects one request, or all requests', async () => {
    const said: string[] = []
    const one = store({
      async reject(id) {
        said.push(id)
      },
      async rejectAll() {
        said.push('all')
      },
    })
    one.heard([first, second, third])
    await one.reject('b')
    expect(ids(one)).toEqual(['a', 'c'])
    await one.rejectAll()
    expect(ids(one)).toEqual([])
    expect(said).toEqual(['b', 'all'])
  })
})
