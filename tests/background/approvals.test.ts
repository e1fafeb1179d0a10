import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Asker, type CarryOut, createApprovals } from '../../src/background/approvals.ts'
import type { Area } from '../../src/background/storage.ts'
import { defaultSettings } from '../../src/config.ts'
import type { Approval, Ask, Decision } from '../../src/domain/approval.ts'
import { encode } from '../../src/domain/json.ts'
import type { SwapIntent } from '../../src/domain/swap.ts'
import { native } from '../../src/domain/token.ts'
import { WalletError } from '../../src/errors.ts'
import { memoryArea } from './memory.ts'
import { createDesktop, windowOn } from './windows.ts'

const site = 'https://a.example'
const account = `0x${'11'.repeat(20)}` as const
const minute = 60_000

const connect: Ask = { kind: 'connect', accounts: [] }
const sign: Ask = { kind: 'sign-message', account, message: '0x1234' }
const swap: Ask = {
  kind: 'swap',
  request: { id: 'mine', type: 'sell', amount: 5n, chainId: 1, from: account },
}
const yes: Decision = { kind: 'sign-message' }
const intent: SwapIntent = {
  id: 'ef'.repeat(16),
  account,
  trade: { chainId: 1, sell: native, buy: account, amount: 5n },
  slippageBps: 50,
  floor: 1n,
  router: account,
  feeCap: 1n,
}

/** A browser in which workers start and are stopped. What it stores outlives them, what they do does not. */
function createBrowser() {
  const session = memoryArea()
  const place = createDesktop()
  const clock = { ms: 1_000_000 }
  const effects: string[] = []
  const browser = {
    session,
    desktop: place.desktop,
    clock,
    /** Ids of what was really done, once each: what carries out knows what it has done. */
    effects,
    isThere: (_documentId: string): boolean => true,
    carryOut: (async (approval) => {
      if (!effects.includes(approval.id)) effects.push(approval.id)
      return { signed: approval.id, worth: 7n }
    }) as CarryOut,
    /** A new worker; the one before is stopped: nothing that it waits for ever comes. */
    start() {
      let isAlive = true
      const told: Approval[][] = []
      browser.kill()
      browser.kill = () => {
        isAlive = false
        place.desktop.forget()
      }
      const alive = <T>(act: () => Promise<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          setImmediate(() => {
            if (!isAlive) return
            act().then(
              (value) => isAlive && resolve(value),
              (error) => isAlive && reject(error),
            )
          })
        })
      const area: Area & { items: Map<string, string> } = {
        items: session.items,
        get: (key) => alive(() => session.get(key)),
        set: (items) => alive(() => session.set(items)),
        remove: (keys) => alive(() => session.remove(keys)),
        all: () => alive(() => session.all()),
      }
      const windows = {
        ...place.windows,
        create: (data: object) => alive(() => place.windows.create(data)),
        update: (id: number, info: object) => alive(() => place.windows.update(id, info)),
      }
      const now = () => clock.ms
      const approvals = createApprovals({
        session: area,
        window: windowOn({ ...place, windows }, area, now),
        carryOut: (approval, decision, at) => alive(() => browser.carryOut(approval, decision, at)),
        onChange: (open) => told.push(open),
        isThere: (documentId) => browser.isThere(documentId),
        now,
      })
      return { ...approvals, told }
    },
    kill: () => undefined as unknown,
  }
  return browser
}

let browser: ReturnType<typeof createBrowser>
let worker: ReturnType<ReturnType<typeof createBrowser>['start']>
let asked = 0

beforeEach(() => {
  browser = createBrowser()
  worker = browser.start()
})
afterEach(() => {
  vi.useRealTimers()
})

function from(over: Partial<Asker> = {}): Asker {
  return { origin: site, documentId: 'one', tabId: 1, requestId: ++asked, ...over }
}

/** What becomes of `promise`, to be looked at later. */
function follow(promise: Promise<unknown>) {
  const seen = { answers: [] as unknown[] }
  promise.then(
    (value) => seen.answers.push(value),
    (error) => seen.answers.push(error instanceof WalletError ? (error.facts.reason ?? error.code) : error),
  )
  return seen
}

const put = (ask: Ask, over?: Partial<Asker>) => follow(worker.ask(from(over), ask, { chainId: 1 }))
/** Everything that the parts do in turns of their own is over. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const only = async () => (await worker.list())[0]!

describe('an approval', () => {
  it('waits in the window, is carried out after a yes, and answers the page what that gave', async () => {
    const page = put(sign)
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

  it('takes the id and the end that its method gives it', async () => {
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
    ['reject', 'rejected', async () => worker.reject((await only()).id)],
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
  ])('ends by %s', async (_by, reason, act) => {
    const page = put(sign)
    await settled()
    const { id } = await only()
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

  it('ends by itself when its time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const page = put(sign)
    await settled()
    vi.advanceTimersByTime(10 * minute)
    await settled()
    expect(page.answers).toEqual([])
    browser.clock.ms += 10 * minute
    vi.advanceTimersByTime(10 * minute)
    await settled()
    expect(page.answers).toEqual(['expired'])
  })

  it('stays while it is carried out, whatever comes between', async () => {
    let finish: (value: unknown) => void = () => undefined
    browser.carryOut = () => new Promise((resolve) => (finish = resolve))
    const page = put(sign)
    await settled()
    const { id } = await only()
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

  it('stays open when it cannot be carried out', async () => {
    const carryOut = browser.carryOut
    browser.carryOut = async () => {
      throw new WalletError('locked', 'The vault is locked.')
    }
    const page = put(sign)
    await settled()
    const { id } = await only()
    await expect(worker.approve(id, yes)).rejects.toMatchObject({ code: 'locked' })
    expect([page.answers, (await only()).id]).toEqual([[], id])
    browser.carryOut = carryOut
    await worker.approve(id, yes)
    await settled()
    expect(page.answers).toEqual([{ signed: id, worth: 7n }])
  })

  it('is withdrawn when it could not be carried out and its document went meanwhile', async () => {
    let fail: (error: unknown) => void = () => undefined
    browser.carryOut = () => new Promise((_resolve, reject) => (fail = reject))
    const page = put(sign)
    await settled()
    const approved = follow(worker.approve((await only()).id, yes))
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

  it('is not answered by a yes to something else, or to nothing', async () => {
    put(sign)
    await settled()
    const { id } = await only()
    const refused = { code: 'invalid-input' }
    await expect(worker.approve(id, { kind: 'sign-typed-data' })).rejects.toMatchObject(refused)
    await expect(worker.approve('cd'.repeat(16), yes)).rejects.toMatchObject(refused)
    await worker.approve(id, yes)
    await expect(worker.approve(id, { kind: 'connect', accounts: [], chainId: 1 })).rejects.toMatchObject(
      refused,
    )
    await expect(worker.reject(id)).rejects.toMatchObject(refused)
  })

  it('ends with the connection of its site, of whatever kind, unless it is being carried out', async () => {
    const ends: ((outcome: unknown) => void)[] = []
    const fails: ((error: unknown) => void)[] = []
    browser.carryOut = () =>
      new Promise((resolve, reject) => {
        ends.push(resolve)
        fails.push(reject)
      })
    const kept = put(sign)
    const failed = put(sign)
    const rest = [connect, swap, sign].map((ask) => put(ask))
    const other = put(connect, { origin: 'https://b.example', documentId: 'two', tabId: 2 })
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

  it('outlives its page when it is a swap', async () => {
    const page = put(swap)
    await settled()
    await worker.withdraw('one')
    put(sign, { documentId: 'two' })
    await settled()
    expect((await worker.list()).map(({ ask }) => ask.kind)).toEqual(['swap', 'sign-message'])
    expect(page.answers).toEqual([])
  })
})

describe('a worker that was stopped', () => {
  const restart = () => {
    worker = browser.start()
  }

  it('joins the same request to the one that is open, in the same window', async () => {
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

  it('answers the same request from what is stored, for ten minutes', async () => {
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
    put(connect)
    await settled()
    expect([...browser.session.items.keys()].filter((key) => key.startsWith('approval.'))).toHaveLength(1)
  })

  it('keeps a hundred answers of a site at most, whatever other sites ask', async () => {
    const other = from({ origin: 'https://b.example', documentId: 'other', tabId: 2 })
    follow(worker.ask(other, sign, { chainId: 1 }))
    await worker.approve((await only()).id, yes)
    for (let count = 0; count < 104; count++) {
      browser.clock.ms += 1_000
      put(sign)
      const { id } = await only()
      await worker.approve(id, yes)
    }
    expect([...browser.session.items.keys()].filter((key) => key.startsWith('approval.'))).toHaveLength(101)
    restart()
    const again = follow(worker.ask(other, sign, { chainId: 1 }))
    await settled()
    expect(again.answers).toEqual([{ signed: expect.any(String), worth: 7n }])
  })

  it('goes on with what the user had said yes to, and does it once', async () => {
    const asker = from()
    follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    const { id } = await only()
    const carryOut = browser.carryOut
    // It is done, and the worker stopped before that is stored.
    browser.carryOut = async (...args) => {
      await carryOut(...args)
      browser.kill()
    }
    follow(worker.approve(id, yes))
    await settled()
    expect(browser.effects).toEqual([id])
    browser.carryOut = carryOut
    restart()
    browser.desktop.close(browser.desktop.popups()[0]!.id)
    await settled()
    const page = follow(worker.ask(asker, sign, { chainId: 1 }))
    await worker.approve(id, yes)
    await settled()
    expect(page.answers).toEqual([{ signed: id, worth: 7n }])
    expect(browser.effects).toEqual([id])
  })

  it('goes on with what the user had said yes to also when its time is over, and says when that was', async () => {
    const asker = from()
    follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    const { id } = await only()
    const { carryOut } = browser
    const saidAt = browser.clock.ms
    // It is done, and the worker stopped before that is stored.
    browser.carryOut = async (...args) => {
      await carryOut(...args)
      browser.kill()
    }
    follow(worker.approve(id, yes))
    await settled()
    browser.clock.ms += 11 * minute
    const times: unknown[] = []
    browser.carryOut = async (approval, decision, at) => {
      times.push(at)
      return carryOut(approval, decision)
    }
    restart()
    await worker.expire()
    const page = follow(worker.ask(asker, sign, { chainId: 1 }))
    await settled()
    expect([page.answers, times]).toEqual([[{ signed: id, worth: 7n }], [saidAt]])
    expect(browser.effects).toEqual([id])
  })

  it('takes back what pages asked that went while it was stopped, once, and gives the others time to come back', async () => {
    const lost = from({ documentId: 'lost', tabId: 1 })
    const back = from({ documentId: 'back', tabId: 2, origin: 'https://b.example' })
    for (const ask of [sign, swap]) follow(worker.ask({ ...lost, requestId: ++asked }, ask, { chainId: 1 }))
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

  it('hears that the window was closed, and ends what is over its time', async () => {
    put(sign)
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

  it('keeps asks of every kind as they were, and leaves out what was damaged', async () => {
    const [network] = defaultSettings().networks
    const asks: Ask[] = [
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
          address: native,
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
        request: { id: 'x', type: 'buy', token: native, chainId: 1, from: account, minReceived: 1n },
      },
    ]
    for (const [index, ask] of asks.entries()) put(ask, { origin: `https://${index}.example`, tabId: index })
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

describe('the queue', () => {
  const away = (count: number) => ({
    origin: `https://${count}.example`,
    tabId: 100 + count,
    documentId: `d${count}`,
  })

  it('holds one connect, one swap, one change of chain and one token of a site', async () => {
    const network = defaultSettings().networks[0]!
    const token = {
      address: native,
      symbol: '',
      name: '',
      decimals: 1,
      listed: false,
      eip2612: false,
      taxed: false,
    }
    const pairs: [Ask, Ask][] = [
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
      const one = put(first, away(index))
      const two = put(second, away(index))
      const other = put(second, away(index + 10))
      await settled()
      expect([one.answers, two.answers, other.answers]).toEqual([[], ['request-open'], []])
    }
  })

  it('holds five of a site and fifty of all, in the order they came', async () => {
    const pages = Array.from({ length: 7 }, () => put(sign))
    await settled()
    expect(pages.map(({ answers }) => answers.length)).toEqual([0, 0, 0, 0, 0, 1, 1])
    expect(pages[6]!.answers).toEqual(['request-open'])
    for (let count = 0; count < 46; count++) put({ ...connect }, away(count))
    await settled()
    const open = await worker.list()
    expect(open).toHaveLength(50)
    expect(open.slice(5).map(({ origin }) => origin)).toEqual(
      Array.from({ length: 45 }, (_, count) => `https://${count}.example`),
    )
    expect(browser.desktop.created).toHaveLength(1)
  })

  it('does not let a few huge requests fill the session', async () => {
    const huge: Ask = { kind: 'sign-message', account, message: `0x${'ab'.repeat(499_000)}` }
    const pages = Array.from({ length: 5 }, (_, count) => put(huge, away(count)))
    await settled()
    expect(pages.map(({ answers }) => answers)).toEqual([[], [], [], [], ['throttled']])
  })

  it('does not let a site fill what is there for all', async () => {
    // Two bytes each.
    const wide = (length: number): Ask => ({
      kind: 'sign-typed-data',
      account,
      typedData: { domain: {}, types: {}, primaryType: 'Mail', message: { text: 'é'.repeat(length) } },
    })
    const pages = [300_000, 300_000, 100_000, 600_000].map((length) => put(wide(length)))
    const other = put(wide(300_000), away(1))
    await settled()
    expect(pages.map(({ answers }) => answers)).toEqual([[], ['request-open'], [], ['invalid-params']])
    expect(other.answers).toEqual([])
  })

  it('takes back what an older document of the tab asked, before it counts', async () => {
    const old = put(connect)
    const elsewhere = put(sign, { ...away(1) })
    await settled()
    const fresh = put(connect, { documentId: 'two' })
    await settled()
    expect([old.answers, fresh.answers, elsewhere.answers]).toEqual([['withdrawn'], [], []])
  })

  it('opens one window for twenty sites at once, and takes the focus once for each', async () => {
    for (let count = 0; count < 20; count++) put(sign, away(count))
    await settled()
    expect(browser.desktop.created).toHaveLength(1)
    browser.desktop.focus(undefined)
    put(sign, away(3))
    await settled()
    expect(browser.desktop.updated).toEqual([{ drawAttention: true }])
    put(sign, away(30))
    await settled()
    expect(browser.desktop.updated.at(-1)).toEqual({ focused: true })
  })

  it('is brought to the front when somebody asks for it, unless nothing waits', async () => {
    await worker.show()
    expect(browser.desktop.created).toEqual([])
    put(sign)
    await settled()
    browser.desktop.focus(undefined)
    await worker.show()
    expect(browser.desktop.popups()[0]?.focused).toBe(true)
  })

  it('hears a site no more after the user rejected four times, though not for what merely ended', async () => {
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
      [1, async () => worker.reject((await only()).id)],
      [2, async () => browser.desktop.close(browser.desktop.popups()[0]!.id) as unknown],
      [1, async () => worker.reject((await only()).id)],
    ]
    for (const [count, act] of end) {
      const pages = Array.from({ length: count }, () => put(sign))
      await settled()
      expect(pages.flatMap(({ answers }) => answers)).toEqual([])
      browser.clock.ms += 1_000
      await act()
      await settled()
      expect(await worker.list()).toEqual([])
    }
    const page = put(sign)
    const other = put(sign, away(1))
    await settled()
    expect([page.answers, other.answers]).toEqual([['throttled'], []])
    worker = browser.start()
    const later = put(sign)
    await settled()
    expect(later.answers).toEqual(['throttled'])
    browser.clock.ms += minute
    const calm = put(sign)
    await settled()
    expect(calm.answers).toEqual([])
  })

  it('hears a site no more that took its requests back before anybody could answer', async () => {
    const end = [
      async (documentId: string) => worker.withdraw(documentId),
      async () => {
        browser.clock.ms += 9_000
        await worker.expire()
      },
      async () => worker.withdrawSite(site),
      // The next document of the tab takes it back.
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
    const page = put(connect, { documentId: 'last' })
    await settled()
    expect(page.answers).toEqual(['throttled'])
  })
})

describe('storage that fails', () => {
  it('leaves a request open that could not be ended, and starts none that could not be stored', async () => {
    const page = put(sign)
    await settled()
    const { id } = await only()
    const { set } = browser.session
    browser.session.set = async () => {
      throw new WalletError('storage-failed', 'The browser could not write its storage.')
    }
    await expect(worker.reject(id)).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(worker.approve(id, yes)).rejects.toMatchObject({ code: 'storage-failed' })
    const other = put(sign)
    await settled()
    expect([page.answers, other.answers, browser.effects]).toEqual([[], ['storage-failed'], []])
    browser.session.set = set
    expect(await worker.list()).toHaveLength(1)
    await worker.approve(id, yes)
  })

  it('does not keep the answer of what was done from its page', async () => {
    const page = put(sign)
    await settled()
    const { set } = browser.session
    const { carryOut } = browser
    browser.carryOut = async (...args) => {
      browser.session.set = async () => {
        throw new WalletError('storage-failed', 'The browser could not write its storage.')
      }
      return carryOut(...args)
    }
    const { id } = await only()
    await worker.approve(id, yes)
    await settled()
    expect([page.answers, await worker.list()]).toEqual([[{ signed: id, worth: 7n }], []])
    browser.session.set = set
    browser.carryOut = carryOut
    worker = browser.start()
    await worker.expire()
    await settled()
    expect([await worker.list(), browser.effects]).toEqual([[], [id]])
  })
})

type Move =
  | { act: 'ask'; document: number; ask: Ask }
  | { act: 'ask again' | 'approve' | 'approve in vain' | 'reject'; which: number }
  | { act: 'kill' | 'expire' | 'close' | 'reject all' }
  | { act: 'withdraw' | 'disconnect'; document: number }

const which = fc.nat({ max: 9 })
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      document: fc.nat({ max: 5 }),
      ask: fc.constantFrom(sign, sign, connect, swap),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('ask again' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('approve' as const, 'approve in vain' as const, 'reject' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom(
        'kill' as const,
        'kill' as const,
        'expire' as const,
        'close' as const,
        'reject all' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('withdraw' as const, 'withdraw' as const, 'disconnect' as const),
      document: fc.nat({ max: 5 }),
    }),
  },
)

describe('requests among misfortunes', () => {
  it('are answered once each, in one window, in order, and done at most once, whatever comes when', async () => {
    const history = fc.array(fc.record({ move, turns: fc.nat({ max: 12 }) }), { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        browser = createBrowser()
        worker = browser.start()
        /** Each asks something of its own, by which it is known again. */
        type Request = { asker: Asker; ask: Ask; mark: string; answers: unknown[][] }
        const requests: Request[] = []
        let living: { answers: unknown[] }[] = []
        const errors: unknown[] = []
        const performed: string[] = []
        const marks: string[] = []
        let isVain = false
        browser.carryOut = async ({ id, ask }, decision) => {
          if (!browser.effects.includes(id) && isVain) throw new WalletError('locked', 'The vault is locked.')
          if (!browser.effects.includes(id)) {
            browser.effects.push(id)
            performed.push(id)
            marks.push(encode(ask))
          }
          return `${decision.kind} ${id}`
        }
        const send = (request: Request) => {
          const seen = follow(worker.ask(request.asker, request.ask, { chainId: 1 }))
          request.answers.push(seen.answers)
          living.push(seen)
        }
        const user = (act: (open: Approval[]) => Promise<unknown>) => {
          // A user who is too late is told so; nothing else may go wrong.
          worker
            .list()
            .then(act)
            .catch((error) => {
              if (!['invalid-input', 'locked'].includes(error.code)) errors.push(error)
            })
        }
        const pick = (open: Approval[], index: number) => open[index % open.length]
        const yesTo = ({ ask: { kind } }: Approval): Decision =>
          kind === 'connect'
            ? { kind, accounts: [account], chainId: 1 }
            : kind === 'swap'
              ? { kind, intent }
              : { kind: 'sign-message' }

        for (const { move, turns } of moments) {
          if (move.act === 'ask') {
            const { document } = move
            // Two documents share a tab, two tabs a site.
            const asker = from({
              documentId: `d${document}`,
              tabId: document >> 1,
              origin: `https://${document >> 2}.example`,
            })
            const ask = marked(move.ask, requests.length)
            requests.push({ asker, ask, mark: encode(ask), answers: [] })
            send(requests.at(-1)!)
          } else if (move.act === 'ask again') {
            const request = requests[move.which % requests.length]
            if (request !== undefined) send(request)
          } else if (move.act === 'approve' || move.act === 'approve in vain') {
            isVain = move.act === 'approve in vain'
            user(async (open) => {
              const one = pick(open, move.which)
              if (one !== undefined) await worker.approve(one.id, yesTo(one))
            })
          } else if (move.act === 'reject') {
            user(async (open) => {
              const one = pick(open, move.which)
              if (one !== undefined) await worker.reject(one.id)
            })
          } else if (move.act === 'reject all') user(() => worker.rejectAll())
          else if (move.act === 'kill') {
            // What a stopped worker had heard, it had heard once.
            for (const { answers } of living) expect(answers.length).toBeLessThanOrEqual(1)
            living = []
            worker = browser.start()
          } else if (move.act === 'expire') {
            browser.clock.ms += 4 * minute
            user(() => worker.expire())
          } else if (move.act === 'close') {
            const [popup] = browser.desktop.popups()
            if (popup !== undefined) browser.desktop.close(popup.id)
          } else if (move.act === 'withdraw') user(() => worker.withdraw(`d${move.document}`))
          else if (move.act === 'disconnect') {
            user(() => worker.withdrawSite(`https://${move.document >> 2}.example`))
          }

          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
          expect(browser.desktop.popups().length).toBeLessThanOrEqual(1)
        }

        await settled()
        const open = await worker.list()
        // Those that were asked once are open in the order in which they were asked.
        const order = open
          .map(({ ask }) => requests.findIndex(({ mark }) => mark === encode(ask)))
          .filter((index) => requests[index]!.answers.length === 1)
        expect(order).toEqual([...order].sort((one, other) => one - other))
        expect(browser.desktop.badge).toBe(open.length === 0 ? '' : String(open.length))
        browser.clock.ms += 10 * minute
        await worker.expire()
        await settled()
        expect(await worker.list()).toEqual([])
        for (const { answers } of living) expect(answers).toHaveLength(1)
        expect(errors).toEqual([])
        expect(new Set(performed).size).toBe(performed.length)
        // What was answered is kept for ten minutes; later the same request may be asked anew.
        const isBrief = moments.filter(({ move }) => move.act === 'expire').length <= 2
        for (const { answers, mark } of requests) {
          const ends = answers.flat().filter((end) => end !== 'throttled' && end !== 'request-open')
          // What the user had said yes to and was done is never told to be over its time.
          const different = new Set(isBrief ? ends : ends.filter((end) => end !== 'expired'))
          if (isBrief) expect(different.size).toBeLessThanOrEqual(1)
          for (const end of different) {
            const isRefused = ['rejected', 'closed', 'withdrawn', 'disconnected', 'expired'].includes(
              String(end),
            )
            if (isRefused && isBrief) expect(marks).not.toContain(mark)
            if (!isRefused) expect(performed).toContain(String(end).split(' ')[1])
          }
        }
      }),
      { numRuns: 500, endOnFailure: true },
    )
  }, 120_000)
})

function marked(ask: Ask, index: number): Ask {
  const hex = index.toString(16).padStart(40, '0')
  if (ask.kind === 'connect') return { ...ask, accounts: [`0x${hex}`] }
  if (ask.kind === 'swap') return { ...ask, request: { ...ask.request, id: hex } }
  return { kind: 'sign-message', account, message: `0x${hex}` }
}
