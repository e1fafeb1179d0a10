import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { lookAtWorker } from '../../../bench/soak/memory.ts'
import type { Browser } from '../../../dev/browser/browser.ts'
import { callWallet, lock, requestWindow } from '../../../dev/browser/popupPage.ts'
import { encode } from '../../../src/domain/json.ts'
import { connect, openSite, reject, rejectedJustNow, request, test } from '../../helpers/e2e/pages.ts'
import { namesOf } from '../../helpers/e2e/walletMethods.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'

// A hostile page cannot reach the wallet's internal methods or block other pages.

test('gives pages no access to the popup’s methods', async ({ chrome, wallet, localnet, site }) => {
  const page = await openSite(chrome.context, site.url, localnet.rpcUrl)
  const methods = namesOf('WalletApi')
  const codes = await page.evaluate(async (methods) => {
    const { provider } = await window.site
    const ask = provider.request as (ask: unknown) => Promise<unknown>
    const tries = methods.flatMap((method) => [
      { method },
      { method: `wallet.${method}` },
      { method, params: [] },
      { method, params: { channel: 'wallet', method, args: [] } },
    ])
    const asked = tries.map((one) =>
      ask(one).then(
        () => 0,
        ({ code }: { code: number }) => code,
      ),
    )
    return [...new Set(await Promise.all(asked))]
  }, methods)
  expect(codes).toEqual([-32601])

  // The extension's message names as window messages, events, and on every visible port.
  await page.evaluate(
    (calls) => {
      for (const call of calls) {
        window.postMessage(call, '*')
        window.postMessage(JSON.parse(call), '*')
        window.dispatchEvent(new MessageEvent('message', { data: call, ports: [new MessageChannel().port1] }))
        document.dispatchEvent(new CustomEvent('message', { detail: call }))
      }
    },
    methods.map((method) => encode({ channel: 'wallet', method, args: [] })),
  )
  expect(
    await page.evaluate(
      () =>
        typeof (globalThis as { chrome?: { runtime?: { sendMessage?: unknown } } }).chrome?.runtime
          ?.sendMessage,
    ),
  ).toBe('undefined')
  expect(await callWallet(wallet.page, 'status')).toMatchObject({
    vault: 'unlocked',
    accounts: [{ address: wallet.address }],
  })
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
})

test('rejects malformed requests with a message and keeps working', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const page = await openSite(chrome.context, site.url, localnet.rpcUrl)
  const answers = await page.evaluate(async () => {
    const { provider } = await window.site
    const ask = provider.request as (ask?: unknown) => Promise<unknown>
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const shapes: [string, unknown][] = [
      ['nothing', undefined],
      ['null', null],
      ['a text', 'eth_accounts'],
      ['no method', {}],
      ['an empty method', { method: '' }],
      ['a method that is no text', { method: { toString: () => 'eth_accounts' } }],
      ['params that are a text', { method: 'eth_accounts', params: 'x' }],
      ['a method of objects', { method: 'constructor' }],
      ['another method of objects', { method: '__proto__' }],
      ['a long method', { method: 'x'.repeat(100_000) }],
      ['a bigint', { method: 'eth_call', params: [1n] }],
      ['a function', { method: 'eth_call', params: [() => 1] }],
      ['a cycle', { method: 'eth_call', params: [cyclic] }],
      [
        'a getter that throws',
        {
          method: 'eth_call',
          params: [
            {
              get to() {
                throw new Error('no')
              },
            },
          ],
        },
      ],
      [
        'toJSON that throws',
        {
          method: 'eth_call',
          params: [
            {
              toJSON() {
                throw new Error('no')
              },
            },
          ],
        },
      ],
      ['ten megabytes', { method: 'personal_sign', params: ['0x'.padEnd(10_000_000, '0'), '0x'] }],
      ['a prototype', { method: 'wallet_swap', params: [JSON.parse('{"__proto__": {"amount": "1"}}')] }],
      [
        'a deep nest',
        { method: 'wallet_swap', params: [JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)] },
      ],
    ]
    const codes: Record<string, unknown> = {}
    for (const [name, shape] of shapes) {
      codes[name] = await ask(shape).then(
        (result) => ({ result }),
        ({ code, message }: { code: number; message: string }) => ({ code, hasWords: message.length > 5 }),
      )
    }
    return codes
  })
  for (const [name, answer] of Object.entries(answers)) {
    expect(answer, name).toMatchObject({ code: expect.any(Number), hasWords: true })
    expect([-32600, -32601, -32602, 4100], name).toContain((answer as { code: number }).code)
  }
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
  expect(await request(page, 'eth_chainId')).toEqual({ result: '0x7a69' })
})

test('answers the popup and other sites during a flood of 5,000 requests', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const quiet = await openSite(context, site.other, localnet.rpcUrl)
  await request(quiet, 'eth_blockNumber')
  const hostile = await openSite(context, site.url, localnet.rpcUrl)
  const before = await workerHeapMb(chrome)
  await hostile.evaluate(async () => {
    const { provider } = await window.site
    const ask = provider.request as (ask: { method: string; params?: unknown }) => Promise<unknown>
    const methods = ['eth_blockNumber', 'eth_accounts', 'nonsense', 'wallet_swap', 'eth_getBalance']
    let sent = 0
    const flood = setInterval(() => {
      for (let one = 0; one < 50; one++) {
        ask({ method: methods[sent++ % methods.length] ?? '', params: [] }).catch(() => undefined)
      }
    }, 10)
    Object.assign(window, {
      sent: () => sent,
      endFlood() {
        clearInterval(flood)
        return sent
      },
    })
  })
  const sentSoFar = () => hostile.evaluate(() => (window as unknown as { sent(): number }).sent())
  const took: number[] = []
  while (took.length < 20 || (await sentSoFar()) <= 5_000) {
    took.push(await timed(() => callWallet(wallet.page, 'status')))
    took.push(await timed(() => request(quiet, 'eth_blockNumber')))
    await quiet.waitForTimeout(150)
  }
  // Every answer above arrived during the flood, which ends here and had not run dry.
  const sent = await hostile.evaluate(() => (window as unknown as { endFlood(): number }).endFlood())
  console.log(`slowest answer beside ${sent} hostile requests: ${Math.max(...took).toFixed(0)} ms`)
  await expectSmall(chrome, before, `${sent} requests, most of them reads`)
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
  expect(windows(context.pages())).toHaveLength(0)
})

test('limits memory and answers another site while eight tabs flood it with requests', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const quiet = await openSite(context, site.other, localnet.rpcUrl)
  await request(quiet, 'eth_blockNumber')
  const tabs: Page[] = []
  for (let tab = 0; tab < 8; tab++) tabs.push(await openSite(context, site.url, localnet.rpcUrl))
  const beforeMb = extensionMb()
  for (const tab of tabs) await tab.evaluate(startFlood)
  const floods = () =>
    Promise.all(tabs.map((tab) => tab.evaluate(() => (window as unknown as Flooding).flood)))
  const sum = async (field: keyof Flood) => (await floods()).reduce((all, one) => all + one[field], 0)
  let peakMb = beforeMb
  // Requests run one by one during the flood. More is sent than the wallet could hold, so that its limit is
  // seen.
  for (let round = 0; round < runs(5, 15) || (await sum('bytes')) <= 100_000_000; round++) {
    for (const [method, params] of [
      ['eth_chainId', []],
      ['eth_accounts', []],
      ['eth_getBalance', [wallet.address, 'latest']],
    ] as const) {
      // The RPC may be slow on an overloaded machine; behind the flood every retry would fail.
      await expect.poll(async () => (await request(quiet, method, params)).error, method).toBeUndefined()
    }
    peakMb = Math.max(peakMb, extensionMb())
  }
  for (const tab of tabs) await tab.evaluate(() => (window as unknown as Flooding).endFlood())
  figure(
    '20',
    `eight tabs asked ${await sum('asked')} times, ${((await sum('bytes')) / 1e6).toFixed(0)} MB: the extension's process grew by ${(peakMb - beforeMb).toFixed(0)} MB at most`,
  )
  expect(peakMb - beforeMb).toBeLessThan(100)
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
})

type Flood = { asked: number; bytes: number }
type Flooding = { flood: Flood; endFlood(): void }

/** Runs in a page. */
async function startFlood(): Promise<void> {
  const { provider } = await window.site
  const ask = provider.request as (ask: { method: string; params?: unknown }) => Promise<unknown>
  const long = `0x${'5a'.repeat(120_000)}`
  const flood = { asked: 0, bytes: 0 }
  const say = (method: string, params: unknown[], bytes: number) => {
    flood.asked += 1
    flood.bytes += bytes
    ask({ method, params }).catch(() => undefined)
  }
  const timer = setInterval(() => {
    say('eth_call', [{ to: `0x${'11'.repeat(20)}`, data: long }, 'latest'], long.length)
    say('personal_sign', [long, `0x${'11'.repeat(20)}`], long.length)
    for (let one = 0; one < 10; one++) say('nonsense', [], 40)
    for (let one = 0; one < 10; one++) say('eth_blockNumber', [], 40)
  }, 20)
  Object.assign(window, { flood, endFlood: () => clearInterval(timer) })
}

/** Returns the memory of all extension processes started by this test process, in MB. */
function extensionMb(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const own = pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--extension-process') && isOurs(pid)
    } catch {
      return false
    }
  })
  const kilobytes = own.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
  )
  return kilobytes.reduce((all, one) => all + one, 0) / 1_024
}

/** True for a descendant of this process: other tests may run browsers too. */
function isOurs(pid: string): boolean {
  for (let at = pid; at !== '0' && at !== ''; ) {
    if (at === String(process.pid)) return true
    at = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1] ?? ''
  }
  return false
}

test('shows one window for 1,000 connection requests and blocks a site after repeated rejections', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await request(page, 'eth_chainId')
  const before = await workerHeapMb(chrome)
  await page.evaluate(async () => {
    const { provider } = await window.site
    const codes: Record<number, number> = {}
    const count = (code: number) => {
      codes[code] = (codes[code] ?? 0) + 1
    }
    Object.assign(window, { codes })
    for (let one = 0; one < 1_000; one++) {
      provider.request({ method: 'eth_requestAccounts' }).then(
        () => count(0),
        ({ code }: { code: number }) => count(code),
      )
    }
  })
  const codes = () => page.evaluate(() => (window as unknown as { codes: object }).codes)
  const approval = await requestWindow(context)
  // Only one request of this kind may be open; all others are rejected at once.
  await expect.poll(codes, { timeout: 180_000 }).toEqual({ [-32002]: 999 })
  expect(await callWallet(wallet.page, 'approvals')).toHaveLength(1)
  expect(windows(context.pages())).toHaveLength(1)
  await expectSmall(chrome, before, '1,000 prompts')
  await reject(approval)
  await expect.poll(codes).toEqual({ 4001: 1, [-32002]: 999 })

  for (let again = 0; again < 3; again++) {
    const one = request(page, 'eth_requestAccounts')
    await reject(await requestWindow(context))
    expect((await one).error?.code).toBe(4001)
    await rejectedJustNow(wallet.page, again + 2)
  }
  const blocked = await request(page, 'eth_requestAccounts')
  expect(blocked.error?.code).toBe(4100)
})

test('rejects typed data for another chain and unsupported signing methods without a prompt', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const page = await openSite(chrome.context, site.url, localnet.rpcUrl)
  await connect(chrome.context, page)
  const { address } = wallet
  const typed = (chainId: unknown) =>
    JSON.stringify({
      domain: { name: 'Elsewhere', chainId },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        Mail: [{ name: 'text', type: 'string' }],
      },
      primaryType: 'Mail',
      message: { text: 'Hello' },
    })
  const digest = `0x${'5a'.repeat(32)}`
  const refused: [method: string, params: unknown[], code: number][] = [
    ['eth_signTypedData_v4', [address, typed(1)], -32602],
    ['eth_signTypedData_v4', [address, typed('0x1')], -32602],
    // The correct number in the lower 64 bits.
    ['eth_signTypedData_v4', [address, typed(String(2n ** 64n + 31_337n))], -32602],
    ['eth_sign', [address, digest], 4200],
    ['eth_sign', [digest, address], 4200],
    ['eth_signTypedData', [[{ type: 'string', name: 'text', value: 'Hello' }], address], 4200],
    ['eth_signTypedData_v3', [address, typed(31_337)], 4200],
  ]
  for (const [method, params, code] of refused) {
    const { result, error } = await request(page, method, params)
    expect([result, error?.code], `${method} ${params.join()}`).toEqual([undefined, code])
  }
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
  expect(windows(chrome.context.pages())).toEqual([])
  // Control: the same for this chain opens a window, so the chain ID was the reason.
  const asked = request(page, 'eth_signTypedData_v4', [address, typed(31_337)])
  await reject(await requestWindow(chrome.context))
  expect((await asked).error?.code).toBe(4001)
})

test('reveals no account before a site is connected, nor while the wallet is locked', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const page = await openSite(chrome.context, site.url, localnet.rpcUrl)
  const tries = [
    ['eth_accounts'],
    ['wallet_getPermissions'],
    ['personal_sign', ['0x00', wallet.address]],
    ['personal_sign', ['0x00']],
    ['eth_signTypedData_v4', []],
    ['eth_sendTransaction', [{ to: `0x${'11'.repeat(20)}` }]],
    ['eth_signTypedData_v4', [wallet.address, '{}']],
    ['eth_sendTransaction', [{ from: wallet.address, to: wallet.address }]],
    ['wallet_getCapabilities', [wallet.address]],
    ['wallet_swap', [{ amount: '1' }]],
    ['wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', from: wallet.address, calls: [] }]],
  ] as const
  const expectNothingTold = async (page: Page) => {
    for (const [method, params] of tries) {
      const answer = await request(page, method, params)
      const { result, error } = answer
      expect(error === undefined ? result : error.code, method).toEqual(
        error === undefined ? [] : expect.any(Number),
      )
      // Neither in the message nor in its data, ignoring case.
      expect(JSON.stringify(answer).toLowerCase(), method).not.toContain(
        wallet.address.slice(2).toLowerCase(),
      )
    }
  }
  await expectNothingTold(page)
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])

  await connect(chrome.context, page)
  await lock(wallet.page)
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] })
  const stranger = await openSite(chrome.context, site.other, localnet.rpcUrl)
  await expectNothingTold(stranger)
  expect(await callWallet(wallet.page, 'approvals')).toEqual([])
})

async function workerHeapMb(chrome: Browser): Promise<number> {
  const look = await lookAtWorker(chrome)
  if (look === undefined) throw new Error('No worker runs.')
  return look.heapMb
}

/** Expects at most 20 MB of additional memory once all requests are answered. */
async function expectSmall(chrome: Browser, beforeMb: number, what: string): Promise<void> {
  let grown = Number.POSITIVE_INFINITY
  // Answers in flight are no leak.
  await expect(async () => {
    grown = (await workerHeapMb(chrome)) - beforeMb
    expect(grown).toBeLessThan(2)
  }).toPass()
  figure('20', `${what}: the worker's heap grew by ${grown.toFixed(1)} MB from ${beforeMb.toFixed(1)} MB`)
}

function windows(pages: Page[]): Page[] {
  return pages.filter((page) => page.url().endsWith('/popup.html#requests'))
}

/** Returns the duration of `work` in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
