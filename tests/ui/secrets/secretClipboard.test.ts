import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Copied, createSecretClipboard } from '../../../src/ui/secrets/secretClipboard.ts'

let held: string
let waits: { work: () => void; ms: number }[]
let uses: (() => void)[]
let mayWrite: boolean
let told: Copied[]

const clipboard = () => {
  const { copy, emptyNow } = createSecretClipboard({
    async write(text) {
      if (!mayWrite) throw new Error('The document has not the focus, or nobody pressed anything.')
      held = text
    },
    wait: (work, ms) => waits.push({ work, ms }),
    onUse: (work) => uses.push(work),
  })
  return Object.assign((secret: string) => copy(secret, (now) => told.push(now)), { emptyNow })
}

beforeEach(() => {
  held = 'before'
  waits = []
  uses = []
  mayWrite = true
  told = []
})

describe('createSecretClipboard', () => {
  it('clears the secret after a minute and reports it', async () => {
    await clipboard()('secret')
    expect(held).toBe('secret')
    expect(told).toEqual(['held'])
    expect(waits.map(({ ms }) => ms)).toEqual([60_000])
    waits[0]?.work()
    await vi.waitFor(() => expect(told).toEqual(['held', 'emptied']))
    expect(held).toBe('')
  })

  it('reports a refused clearing and retries at each use of the page until it succeeds', async () => {
    await clipboard()('secret')
    mayWrite = false
    waits[0]?.work()
    await vi.waitFor(() => expect(uses).toHaveLength(1))
    expect(told).toEqual(['held', 'stuck'])
    // Firefox needs more than focus.
    uses[0]?.()
    await vi.waitFor(() => expect(uses).toHaveLength(2))
    expect(held).toBe('secret')
    mayWrite = true
    uses[1]?.()
    await vi.waitFor(() => expect(told.at(-1)).toBe('emptied'))
    expect(held).toBe('')
  })

  it('keeps a second secret for its own minute', async () => {
    const copy = clipboard()
    await copy('first')
    await copy('second')
    waits[0]?.work()
    expect(held).toBe('second')
    waits[1]?.work()
    await vi.waitFor(() => expect(held).toBe(''))
  })

  it('clears at once when the page closes, but only its own secret', async () => {
    const copy = clipboard()
    await copy.emptyNow()
    expect(held).toBe('before')
    await copy('secret')
    expect(await copy.emptyNow()).toBe(true)
    expect(held).toBe('')
    expect(told).toEqual(['held', 'emptied'])
    held = 'of somebody else'
    waits[0]?.work()
    await copy.emptyNow()
    expect(held).toBe('of somebody else')
  })

  it('reports a refused clearing when the page closes, and notifies when it succeeds later', async () => {
    const copy = clipboard()
    await copy('secret')
    mayWrite = false
    let isLate = false
    const later = () => {
      isLate = true
    }
    expect(await copy.emptyNow(later)).toBe(false)
    expect(held).toBe('secret')
    uses[0]?.()
    await vi.waitFor(() => expect(uses).toHaveLength(2))
    expect(isLate).toBe(false)
    mayWrite = true
    uses[1]?.()
    await vi.waitFor(() => expect(isLate).toBe(true))
    expect(held).toBe('')
    expect(await copy.emptyNow(later)).toBe(true)
  })

  it('clears the first secret although copying a second one failed', async () => {
    const copy = clipboard()
    await copy('first')
    mayWrite = false
    await expect(copy('second')).rejects.toThrow('focus')
    mayWrite = true
    waits[0]?.work()
    await vi.waitFor(() => expect(held).toBe(''))
  })

  it('reports no copy and schedules no clearing when copying fails', async () => {
    mayWrite = false
    await expect(clipboard()('secret')).rejects.toThrow('focus')
    expect(waits).toEqual([])
    expect(told).toEqual([])
  })
})
