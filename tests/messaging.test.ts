import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { WalletError } from '../src/errors.ts'
import { broadcast, connect, listen, serve } from '../src/messaging.ts'

type Adder = {
  add(one: bigint, other: bigint): Promise<bigint>
  fail(): Promise<void>
  crash(): Promise<void>
}

const adder: Adder = {
  add: async (one, other) => one + other,
  fail: async () => {
    throw new WalletError('no-route', 'No route from DAI to WETH.', { requestId: 'r1' })
  },
  crash: async () => {
    throw new Error('private detail')
  },
}

const fileOf = (path: string) => ({
  id: fakeBrowser.runtime.id,
  url: fakeBrowser.runtime.getURL(path as never),
})
const popup = fileOf('/popup.html')

/** Content scripts send our id and the page's URL. */
const strangers = [
  { id: fakeBrowser.runtime.id, url: 'https://example.org/' },
  { id: fakeBrowser.runtime.id, url: `https://example.org/${popup.url}` },
  { id: 'another-extension', url: popup.url },
  { id: fakeBrowser.runtime.id },
  { url: popup.url },
  {},
]

beforeEach(() => {
  fakeBrowser.reset()
  deliverAs(popup)
})

describe('connect and serve', () => {
  it('carries a call with bigints and its result', async () => {
    serve<Adder>('adder', adder)
    expect(await connect<Adder>('adder').add(2n ** 200n, 1n)).toBe(2n ** 200n + 1n)
  })

  it('carries an error as code, message and facts', async () => {
    serve<Adder>('adder', adder)
    const failure = await connect<Adder>('adder')
      .fail()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(WalletError)
    expect(failure).toMatchObject({
      code: 'no-route',
      message: 'No route from DAI to WETH.',
      facts: { requestId: 'r1' },
    })
  })

  it('prefetches a method on connect, and uses its result once within the same turn', async () => {
    let asked = 0
    serve('counter', { next: async () => ++asked })
    const open = () => connect<{ next(): Promise<number> }>('counter', ['next'])
    const counter = open()
    await new Promise((turn) => setTimeout(turn))
    expect(asked).toBe(1)
    // The prefetched answer was not used in its turn.
    expect(await counter.next()).toBe(2)
    const other = open()
    expect(await Promise.all([other.next(), other.next()])).toEqual([3, 4])
  })

  it('ignores the rejection of an unused prefetched call', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    connect<{ next(): Promise<number> }>('nobody', ['next'])
    await new Promise((turn) => setTimeout(turn, 10))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('hides the message of an unexpected error from the caller', async () => {
    serve<Adder>('adder', adder)
    const failure: unknown = await connect<Adder>('adder')
      .crash()
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'internal' })
    expect(JSON.stringify(failure) + String(failure)).not.toContain('private detail')
  })

  it('throws worker-stopped when nothing answers', async () => {
    await expect(connect<Adder>('adder').add(1n, 1n)).rejects.toMatchObject({ code: 'worker-stopped' })
  })

  it('rejects methods outside the contract, including inherited ones', async () => {
    serve<Adder>('adder', adder)
    const anything = connect<Record<string, () => Promise<void>>>('adder')
    await expect(anything.nothing?.()).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(anything.toString?.()).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(anything.__defineGetter__?.()).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('ignores senders that are not extension pages, even with the extension’s id', async () => {
    serve<Adder>('adder', adder)
    for (const stranger of strangers) {
      deliverAs(stranger)
      await expect(connect<Adder>('adder').add(1n, 1n)).rejects.toMatchObject({ code: 'worker-stopped' })
    }
  })

  it('ignores messages of other channels and shapes', async () => {
    serve<Adder>('adder', adder)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), fc.json()), async (message) => {
        const respond = vi.fn()
        const kept = await deliver(message, popup, respond)
        expect(kept).toEqual([undefined])
        expect(respond).not.toHaveBeenCalled()
      }),
    )
  })
})

describe('broadcast and listen', () => {
  type News = { price(amount: bigint): void; other(): void }

  it('reaches a listener until it stops', async () => {
    const heard: bigint[] = []
    const stop = listen<News>('news', { price: (amount) => heard.push(amount) })
    broadcast<News>('news').price(7n)
    broadcast<News>('news').other()
    await settled()
    stop()
    broadcast<News>('news').price(8n)
    await settled()
    expect(heard).toEqual([7n])
  })

  it('accepts only the worker and extension pages as senders, even with the extension’s id', async () => {
    const heard: bigint[] = []
    const stop = listen<News>('news', { price: (amount) => heard.push(amount) })
    for (const stranger of strangers) {
      deliverAs(stranger)
      broadcast<News>('news').price(7n)
      await settled()
    }
    expect(heard).toEqual([])
    // Worker URLs in Chromium and Firefox.
    for (const worker of [fileOf('/background.js'), fileOf('/_generated_background_page.html')]) {
      deliverAs(worker)
      broadcast<News>('news').price(8n)
      await settled()
    }
    expect(heard).toEqual([8n, 8n])
    stop()
  })

  it('does not throw without listeners', async () => {
    broadcast<News>('news').price(7n)
    await settled()
  })
})

/** As in Chromium: `respond` and a sender. The fake browser awaits a promise instead. */
function deliverAs(sender: object): void {
  const relay = (message: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      deliver(message, sender, resolve).then((kept) => {
        if (!kept.includes(true)) {
          reject(new Error('Could not establish connection. Receiving end does not exist.'))
        }
      })
    })
  fakeBrowser.runtime.sendMessage = relay as typeof fakeBrowser.runtime.sendMessage
}

function deliver(message: unknown, sender: object, respond: (reply: unknown) => void): Promise<unknown[]> {
  const trigger = fakeBrowser.runtime.onMessage.trigger as (...args: unknown[]) => Promise<unknown[]>
  return trigger(message, sender, respond)
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
