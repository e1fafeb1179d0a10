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

describe('a secret in the clipboard', () => {
  it('is gone after a minute, and that is told', async () => {
    await clipboard()('secret')
    expect(held).toBe('secret')
    expect(told).toEqual(['held'])
    expect(waits.map(({ ms }) => ms)).toEqual([60_000])
    waits[0]?.work()
    await vi.waitFor(() => expect(told).toEqual(['held', 'emptied']))
    expect(held).toBe('')
  })

  it('stays where the browser refuses, which is told, and is gone at the first use of the page that it allows', async () => {
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

  it('stays its own minute when another was copied before', async () => {
    const copy = clipboard()
    await copy('first')
    await copy('second')
    waits[0]?.work()
    expect(held).toBe('second')
    waits[1]?.work()
    await vi.waitFor(() => expect(held).toBe(''))
  })

  it('is gone at once where the page is about to go, and nothing else is emptied for that', async () => {
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

  it('says to the page that is about to go that it was refused, and tells it when it could', async () => {
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

  it('is emptied all the same where another could not be copied after it', async () => {
    const copy = clipboard()
    await copy('first')
    mayWrite = false
    await expect(copy('second')).rejects.toThrow('focus')
    mayWrite = true
    waits[0]?.work()
    await vi.waitFor(() => expect(held).toBe(''))
  })

  it('is not said to be copied when it is not, and nothing is emptied for it', async () => {
    mayWrite = false
    await expect(clipboard()('secret')).rejects.toThrow('focus')
    expect(waits).toEqual([])
    expect(told).toEqual([])
  })
})
