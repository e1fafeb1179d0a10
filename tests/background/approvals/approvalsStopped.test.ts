import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '../../../src/config.ts'
import type { DappRequest } from '../../../src/domain/dapp/approval.ts'
import { encode } from '../../../src/domain/json.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import {
  account,
  connect,
  createBrowser,
  follow,
  from,
  minute,
  settled,
  sign,
  site,
  swap,
  yes,
} from './approvalStage.ts'

let browser: ReturnType<typeof createBrowser>
let worker: ReturnType<ReturnType<typeof createBrowser>['start']>

beforeEach(() => {
  browser = createBrowser()
  worker = browser.start()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('approvals after a worker restart', () => {
  const restart = () => {
    worker = browser.start()
  }

  it('joins a repeated request to the open one, in the same window', async () => {
    const asker = from()
    follow(worker.ask(asker, swap, { chainId: 1 }))
    await settled()
    const [before] = await worker.list()
    restart()
    const pages = [1, 2].map(() => follow(worker.ask(asker, swap, { chainId: 1 })))
    await settled()
    expect(await worker.list()).toEqual([before])
    expect(browser.desktop.created).toHaveLength(1)
    await worker.reject(before!.id)
    await settled()
    expect(pages.map(({ answers }) => answers)).toEqual([['rejected'], ['rejected']])
  })

  it('answers a repeated request from session storage for ten minutes', async () => {
    const [done, refused] = [from(), from()]
    for (const asker of [done, refused]) follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    const [first, second] = await worker.list()
    await worker.approve(first!.id, yes)
    await worker.reject(second!.id)
    restart()
    const again = [done, refused].map((asker) => follow(worker.ask(asker, sign, { chainId: 1 })))
    await settled()
    expect(again.map(({ answers }) => answers)).toEqual([[{ signed: first!.id, worth: 7n }], ['rejected']])
    await worker.approve(first!.id, yes)
    expect(browser.effects).toEqual([first!.id])

    browser.clock.ms += 10 * minute
    worker.put(connect)
    await settled()
    expect([...browser.session.items.keys()].filter((key) => key.startsWith('approval.'))).toHaveLength(1)
  })

  it('keeps at most one hundred answers per site, without evicting those of other sites', async () => {
    const other = from({ origin: 'https://b.example', documentId: 'other', tabId: 2 })
    follow(worker.ask(other, sign, { chainId: 1 }))
    await worker.approve((await worker.only()).id, yes)
    for (let count = 0; count < 104; count++) {
      browser.clock.ms += 1_000
      worker.put(sign)
      const { id } = await worker.only()
      await worker.approve(id, yes)
    }
    expect([...browser.session.items.keys()].filter((key) => key.startsWith('approval.'))).toHaveLength(101)
    restart()
    const again = follow(worker.ask(other, sign, { chainId: 1 }))
    await settled()
    expect(again.answers).toEqual([{ signed: expect.any(String), worth: 7n }])
  })

  it('resumes an approved request and executes it once', async () => {
    const asker = from()
    follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    const { id } = await worker.only()
    const perform = browser.perform
    // The worker stops before storing it.
    browser.perform = async (...args) => {
      await perform(...args)
      browser.kill()
    }
    follow(worker.approve(id, yes))
    await settled()
    expect(browser.effects).toEqual([id])
    browser.perform = perform
    restart()
    browser.desktop.close(browser.desktop.popups()[0]!.id)
    await settled()
    const page = follow(worker.ask(asker, sign, { chainId: 1 }))
    await worker.approve(id, yes)
    await settled()
    expect(page.answers).toEqual([{ signed: id, worth: 7n }])
    expect(browser.effects).toEqual([id])
  })

  it('resumes an approved request past its expiry with the time of the approval', async () => {
    const asker = from()
    follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    const { id } = await worker.only()
    const { perform } = browser
    const saidAt = browser.clock.ms
    // The worker stops before storing it.
    browser.perform = async (...args) => {
      await perform(...args)
      browser.kill()
    }
    follow(worker.approve(id, yes))
    await settled()
    browser.clock.ms += 11 * minute
    const times: unknown[] = []
    browser.perform = async (approval, decision, at) => {
      times.push(at)
      return perform(approval, decision)
    }
    restart()
    await worker.expire()
    const page = follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    expect([page.answers, times]).toEqual([[{ signed: id, worth: 7n }], [saidAt]])
    expect(browser.effects).toEqual([id])
  })

  it('withdraws requests of documents that do not reconnect within the grace period, except swaps', async () => {
    const lost = { documentId: 'lost', tabId: 1 }
    const back = from({ documentId: 'back', tabId: 2, origin: 'https://b.example' })
    for (const ask of [sign, swap]) follow(worker.ask(from(lost), ask, { chainId: 1 }))
    follow(worker.ask(back, sign, { chainId: 1 }))
    await settled()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    restart()
    const there = new Set<string>()
    browser.isThere = (documentId) => there.has(documentId)
    await worker.expire()
    vi.advanceTimersByTime(5_500)
    await settled()
    expect(await worker.list()).toHaveLength(3)
    there.add('back')
    vi.advanceTimersByTime(1_000)
    await settled()
    const left = (await worker.list()).map(({ origin, ask }) => [origin, ask.kind])
    expect(left).toEqual([
      [site, 'swap'],
      ['https://b.example', 'sign-message'],
    ])
    there.clear()
    await worker.expire()
    vi.advanceTimersByTime(60_000)
    await settled()
    expect(await worker.list()).toHaveLength(2)
  })

  it('ends requests when the window closes or their expiry passes', async () => {
    worker.put(sign)
    follow(worker.ask(from(), sign, { chainId: 1, expiresAt: browser.clock.ms + 60 * minute }))
    await settled()
    browser.clock.ms += 10 * minute
    restart()
    await worker.expire()
    expect(await worker.list()).toHaveLength(1)
    restart()
    browser.desktop.close(browser.desktop.popups()[0]!.id)
    await settled()
    expect(await worker.list()).toEqual([])
  })

  it('restores requests of every kind and omits damaged records', async () => {
    const [network] = defaultSettings().networks
    const asks: DappRequest[] = [
      connect,
      sign,
      {
        kind: 'sign-typed-data',
        account,
        typedData: {
          domain: { chainId: 1n },
          types: { Mail: [{ name: 'worth', type: 'uint256' }] },
          primaryType: 'Mail',
          message: { worth: 2n ** 255n, deep: [{ a: '' }] },
        },
      },
      {
        kind: 'send',
        account,
        calls: [
          { to: account, data: '0x', value: 3n, gas: 5n },
          { data: '0xfe', value: 0n },
        ],
        batch: 'b',
      },
      { kind: 'add-chain', network: network! },
      { kind: 'switch-chain', to: 5 },
      {
        kind: 'watch-asset',
        token: {
          address: nativeTokenAddress,
          symbol: 'X',
          name: '',
          decimals: 0,
          listed: false,
          eip2612: false,
          taxed: false,
          tags: [],
        },
      },
      {
        kind: 'swap',
        request: {
          id: 'x',
          type: 'buy',
          token: nativeTokenAddress,
          chainId: 1,
          from: account,
          minReceived: 1n,
        },
      },
    ]
    for (const [index, ask] of asks.entries())
      worker.put(ask, { origin: `https://${index}.example`, tabId: index })
    await settled()
    const before = await worker.list()
    restart()
    expect(await worker.list()).toEqual(before)
    expect(before.map(({ ask }) => ask)).toEqual(asks)

    const key = `approval.${before[0]!.id}`
    for (const rot of [
      '{',
      7,
      encode({ state: 'open' }),
      browser.session.items.get(`approval.${before[1]!.id}`),
    ]) {
      await browser.session.set({ [key]: rot })
      restart()
      expect(await worker.list()).toEqual(before.slice(1))
    }
  })
})

describe('approvals with failing storage', () => {
  it('keeps a request open when ending it fails, and rejects a new one that cannot be stored', async () => {
    const page = worker.put(sign)
    await settled()
    const { id } = await worker.only()
    const { set } = browser.session
    browser.session.set = async () => {
      throw new WalletError('storage-failed', 'The browser could not write its storage.')
    }
    await expect(worker.reject(id)).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(worker.approve(id, yes)).rejects.toMatchObject({ code: 'storage-failed' })
    const other = worker.put(sign)
    await settled()
    expect([page.answers, other.answers, browser.effects]).toEqual([[], ['storage-failed'], []])
    browser.session.set = set
    expect(await worker.list()).toHaveLength(1)
    await worker.approve(id, yes)
  })

  it('returns the result to the page when it cannot be stored', async () => {
    const page = worker.put(sign)
    await settled()
    const { set } = browser.session
    const { perform } = browser
    browser.perform = async (...args) => {
      browser.session.set = async () => {
        throw new WalletError('storage-failed', 'The browser could not write its storage.')
      }
      return perform(...args)
    }
    const { id } = await worker.only()
    await worker.approve(id, yes)
    await settled()
    expect([page.answers, await worker.list()]).toEqual([[{ signed: id, worth: 7n }], []])
    browser.session.set = set
    browser.perform = perform
    worker = browser.start()
    await worker.expire()
    await settled()
    expect([await worker.list(), browser.effects]).toEqual([[], [id]])
  })
})
