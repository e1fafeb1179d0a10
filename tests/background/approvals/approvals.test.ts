import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '../../../src/config.ts'
import type { DappRequest } from '../../../src/domain/dapp/approval.ts'
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

describe('approval of a dapp request', () => {
  it('opens a window, executes the request on approval and returns the result to the page', async () => {
    const page = worker.put(sign)
    await settled()
    const open = await worker.list()
    expect(open).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        origin: site,
        chainId: 1,
        createdAt: browser.clock.ms,
        expiresAt: browser.clock.ms + 10 * minute,
        ask: sign,
      },
    ])
    const { id } = open[0]!
    expect(await worker.find(id)).toEqual(open[0])
    expect(worker.told).toEqual([open])
    expect([browser.desktop.badge, browser.desktop.popups().length]).toEqual(['1', 1])
    expect(page.answers).toEqual([])

    await worker.approve(id, yes)
    await settled()
    expect(page.answers).toEqual([{ signed: id, worth: 7n }])
    expect([await worker.list(), worker.told.at(-1), browser.desktop.badge]).toEqual([[], [], ''])
    expect(await worker.find(id)).toBeUndefined()
  })

  it('uses the id and the expiry given by its method', async () => {
    const id = 'ab'.repeat(16)
    const page = follow(worker.ask(from(), swap, { chainId: 1, id, expiresAt: browser.clock.ms + 5 }))
    await settled()
    expect(await worker.find(id)).toMatchObject({ id, expiresAt: browser.clock.ms + 5, ask: swap })
    const other = follow(worker.ask(from({ origin: 'https://b.example' }), swap, { chainId: 1, id }))
    await settled()
    expect(other.answers).toEqual(['id-used'])
    browser.clock.ms += 5
    await worker.expire()
    expect(page.answers).toEqual(['expired'])
  })

  it.each([
    ['reject', 'rejected', async () => worker.reject((await worker.only()).id)],
    ['reject all', 'rejected', async () => worker.rejectAll()],
    [
      'closing the window',
      'closed',
      async () => browser.desktop.close(browser.desktop.popups()[0]!.id) as unknown,
    ],
    [
      'time',
      'expired',
      async () => {
        browser.clock.ms += 10 * minute
        await worker.list()
      },
    ],
    ['the end of its document', 'withdrawn', async () => worker.withdraw('one')],
  ])('ends the request by %s', async (_by, reason, act) => {
    const page = worker.put(sign)
    await settled()
    const { id } = await worker.only()
    await act()
    await settled()
    expect(page.answers).toEqual([reason])
    expect([await worker.list(), browser.desktop.badge, browser.effects]).toEqual([[], '', []])
    await expect(worker.approve(id, yes)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'This request is no longer open.',
    })
    await worker.reject(id)
  })

  it('expires the request by a timer once its time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const page = worker.put(sign)
    await settled()
    vi.advanceTimersByTime(10 * minute)
    await settled()
    expect(page.answers).toEqual([])
    browser.clock.ms += 10 * minute
    vi.advanceTimersByTime(10 * minute)
    await settled()
    expect(page.answers).toEqual(['expired'])
  })

  it('keeps an executing request open through reject, withdrawal, window close and expiry', async () => {
    let finish: (value: unknown) => void = () => undefined
    browser.perform = () => new Promise((resolve) => (finish = resolve))
    const page = worker.put(sign)
    await settled()
    const { id } = await worker.only()
    const first = follow(worker.approve(id, yes))
    await settled()
    const second = follow(worker.approve(id, yes))
    await expect(worker.reject(id)).rejects.toMatchObject({ code: 'invalid-input' })
    await worker.rejectAll()
    await worker.withdraw('one')
    browser.desktop.close(browser.desktop.popups()[0]!.id)
    browser.clock.ms += 11 * minute
    await worker.expire()
    await settled()
    expect([page.answers, first.answers, second.answers]).toEqual([[], [], []])
    finish('signed')
    await settled()
    expect([page.answers, first.answers, second.answers]).toEqual([['signed'], [undefined], [undefined]])
    await worker.approve(id, yes)
  })

  it('keeps the request open when executing it fails', async () => {
    const perform = browser.perform
    browser.perform = async () => {
      throw new WalletError('locked', 'The vault is locked.')
    }
    const page = worker.put(sign)
    await settled()
    const { id } = await worker.only()
    await expect(worker.approve(id, yes)).rejects.toMatchObject({ code: 'locked' })
    expect([page.answers, (await worker.only()).id]).toEqual([[], id])
    browser.perform = perform
    await worker.approve(id, yes)
    await settled()
    expect(page.answers).toEqual([{ signed: id, worth: 7n }])
  })

  it('withdraws a request whose document is already gone, except a swap', async () => {
    browser.isThere = (documentId) => documentId !== 'one'
    const [signing, swapping] = [worker.put(sign), worker.put(swap)]
    await settled()
    expect([signing.answers, swapping.answers]).toEqual([['withdrawn'], []])
    expect((await worker.list()).map(({ ask }) => ask.kind)).toEqual(['swap'])
  })

  it('stays open when an earlier document of its tab asks late', async () => {
    const shown = worker.put(sign, { documentId: 'two' })
    await settled()
    browser.isThere = (documentId) => documentId === 'two'
    const late = worker.put(sign, { documentId: 'one' })
    await settled()
    expect([shown.answers, late.answers]).toEqual([[], ['withdrawn']])
    expect(await worker.list()).toHaveLength(1)
  })

  it('withdraws the request when executing it fails after its document is gone', async () => {
    let fail: (error: unknown) => void = () => undefined
    browser.perform = () => new Promise((_resolve, reject) => (fail = reject))
    const page = worker.put(sign)
    await settled()
    const approved = follow(worker.approve((await worker.only()).id, yes))
    await settled()
    await worker.withdraw('one')
    fail(new WalletError('node-timeout', 'The node is slow.'))
    await settled()
    expect([approved.answers, page.answers, await worker.list()]).toEqual([
      ['node-timeout'],
      ['withdrawn'],
      [],
    ])
  })

  it('rejects a decision of another kind, for an unknown id or for a closed request', async () => {
    worker.put(sign)
    await settled()
    const { id } = await worker.only()
    const refused = { code: 'invalid-input' }
    await expect(worker.approve(id, { kind: 'sign-typed-data' })).rejects.toMatchObject(refused)
    await expect(worker.approve('cd'.repeat(16), yes)).rejects.toMatchObject(refused)
    await worker.approve(id, yes)
    await expect(worker.approve(id, { kind: 'connect', accounts: [], chainId: 1 })).rejects.toMatchObject(
      refused,
    )
    await expect(worker.reject(id)).rejects.toMatchObject(refused)
  })

  it('ends every request of a disconnected site, except one that is executing', async () => {
    const ends: ((outcome: unknown) => void)[] = []
    const fails: ((error: unknown) => void)[] = []
    browser.perform = () =>
      new Promise((resolve, reject) => {
        ends.push(resolve)
        fails.push(reject)
      })
    const kept = worker.put(sign)
    const failed = worker.put(sign)
    const rest = [connect, swap, sign].map((ask) => worker.put(ask))
    const other = worker.put(connect, { origin: 'https://b.example', documentId: 'two', tabId: 2 })
    await settled()
    const [first, second] = await worker.list()
    for (const one of [first, second]) follow(worker.approve(one!.id, yes))
    await settled()
    await worker.withdrawSite(site)
    await settled()
    expect(rest.map(({ answers }) => answers)).toEqual(rest.map(() => ['disconnected']))
    expect([kept.answers, failed.answers, other.answers]).toEqual([[], [], []])
    ends[0]?.('signed')
    fails[1]?.(new WalletError('node-timeout', 'The node is slow.'))
    await settled()
    expect([kept.answers, failed.answers]).toEqual([['signed'], ['disconnected']])
    expect((await worker.list()).map(({ origin }) => origin)).toEqual(['https://b.example'])
  })

  it('keeps a swap request open after its document is gone', async () => {
    const page = worker.put(swap)
    await settled()
    await worker.withdraw('one')
    worker.put(sign, { documentId: 'two' })
    await settled()
    expect((await worker.list()).map(({ ask }) => ask.kind)).toEqual(['swap', 'sign-message'])
    expect(page.answers).toEqual([])
  })
})

describe('approval queue', () => {
  const away = (count: number) => ({
    origin: `https://${count}.example`,
    tabId: 100 + count,
    documentId: `d${count}`,
  })

  it('holds one connect, one swap, one chain change and one token request per site', async () => {
    const network = defaultSettings().networks[0]!
    const token = {
      address: nativeTokenAddress,
      symbol: '',
      name: '',
      decimals: 1,
      listed: false,
      eip2612: false,
      taxed: false,
    }
    const pairs: [DappRequest, DappRequest][] = [
      [connect, connect],
      [swap, swap],
      [
        { kind: 'switch-chain', to: 1 },
        { kind: 'add-chain', network },
      ],
      [
        { kind: 'watch-asset', token: { ...token, tags: [] } },
        { kind: 'watch-asset', token: { ...token, tags: [] } },
      ],
    ]
    for (const [index, [first, second]] of pairs.entries()) {
      const one = worker.put(first, away(index))
      const two = worker.put(second, away(index))
      const other = worker.put(second, away(index + 10))
      await settled()
      expect([one.answers, two.answers, other.answers]).toEqual([[], ['request-open'], []])
    }
  })

  it('holds five requests per site and fifty in total, in order of arrival', async () => {
    const pages = Array.from({ length: 7 }, () => worker.put(sign))
    await settled()
    expect(pages.map(({ answers }) => answers.length)).toEqual([0, 0, 0, 0, 0, 1, 1])
    expect(pages[6]!.answers).toEqual(['request-open'])
    for (let count = 0; count < 46; count++) worker.put({ ...connect }, away(count))
    await settled()
    const open = await worker.list()
    expect(open).toHaveLength(50)
    expect(open.slice(5).map(({ origin }) => origin)).toEqual(
      Array.from({ length: 45 }, (_, count) => `https://${count}.example`),
    )
    expect(browser.desktop.created).toHaveLength(1)
  })

  it('throttles a further huge request when four fill the session storage', async () => {
    const huge: DappRequest = { kind: 'sign-message', account, message: `0x${'ab'.repeat(499_000)}` }
    const pages = Array.from({ length: 5 }, (_, count) => worker.put(huge, away(count)))
    await settled()
    expect(pages.map(({ answers }) => answers)).toEqual([[], [], [], [], ['throttled']])
  })

  it('limits the size of a request and of all open requests of a site', async () => {
    // Two bytes each.
    const wide = (length: number): DappRequest => ({
      kind: 'sign-typed-data',
      account,
      typedData: { domain: {}, types: {}, primaryType: 'Mail', message: { text: 'é'.repeat(length) } },
    })
    const pages = [300_000, 300_000, 100_000, 600_000].map((length) => worker.put(wide(length)))
    const other = worker.put(wide(300_000), away(1))
    await settled()
    expect(pages.map(({ answers }) => answers)).toEqual([[], ['request-open'], [], ['invalid-params']])
    expect(other.answers).toEqual([])
  })

  it('withdraws the requests of an older document of the tab before it counts a new one', async () => {
    const old = worker.put(connect)
    const elsewhere = worker.put(sign, { ...away(1) })
    await settled()
    const fresh = worker.put(connect, { documentId: 'two' })
    await settled()
    expect([old.answers, fresh.answers, elsewhere.answers]).toEqual([['withdrawn'], [], []])
  })

  it('opens one window for twenty sites and focuses it once per site', async () => {
    for (let count = 0; count < 20; count++) worker.put(sign, away(count))
    await settled()
    expect(browser.desktop.created).toHaveLength(1)
    browser.desktop.focus(undefined)
    worker.put(sign, away(3))
    await settled()
    expect(browser.desktop.updated).toEqual([{ drawAttention: true }])
    worker.put(sign, away(30))
    await settled()
    expect(browser.desktop.updated.at(-1)).toEqual({ focused: true })
  })

  it('focuses the window on demand while a request is open, and opens none otherwise', async () => {
    await worker.show()
    expect(browser.desktop.created).toEqual([])
    worker.put(sign)
    await settled()
    browser.desktop.focus(undefined)
    await worker.show()
    expect(browser.desktop.popups()[0]?.focused).toBe(true)
  })

  it('throttles a site after four rejections by the user, not after withdrawn or expired requests', async () => {
    const end: [number, () => Promise<unknown>][] = [
      [
        2,
        async () => {
          browser.clock.ms += 10_000
          await worker.withdraw('one')
        },
      ],
      [
        2,
        async () => {
          browser.clock.ms += 10 * minute
          await worker.expire()
        },
      ],
      [2, async () => worker.rejectAll()],
      [1, async () => worker.reject((await worker.only()).id)],
      [2, async () => browser.desktop.close(browser.desktop.popups()[0]!.id) as unknown],
      [1, async () => worker.reject((await worker.only()).id)],
    ]
    for (const [count, act] of end) {
      const pages = Array.from({ length: count }, () => worker.put(sign))
      await settled()
      expect(pages.flatMap(({ answers }) => answers)).toEqual([])
      browser.clock.ms += 1_000
      await act()
      await settled()
      expect(await worker.list()).toEqual([])
    }
    const page = worker.put(sign)
    const other = worker.put(sign, away(1))
    await settled()
    expect([page.answers, other.answers]).toEqual([['throttled'], []])
    worker = browser.start()
    const later = worker.put(sign)
    await settled()
    expect(later.answers).toEqual(['throttled'])
    browser.clock.ms += minute
    const calm = worker.put(sign)
    await settled()
    expect(calm.answers).toEqual([])
  })

  it('throttles a site after four requests that ended before the user could answer', async () => {
    const end = [
      async (documentId: string) => worker.withdraw(documentId),
      async () => {
        browser.clock.ms += 9_000
        await worker.expire()
      },
      async () => worker.withdrawSite(site),
      // The tab's next document withdraws it.
      async () => undefined,
    ]
    for (const [index, act] of end.entries()) {
      const documentId = `d${index}`
      follow(worker.ask(from({ documentId }), connect, { chainId: 1, expiresAt: browser.clock.ms + 9_000 }))
      await settled()
      expect(await worker.list()).toHaveLength(1)
      await act(documentId)
      await settled()
    }
    const page = worker.put(connect, { documentId: 'last' })
    await settled()
    expect(page.answers).toEqual(['throttled'])
  })
})
