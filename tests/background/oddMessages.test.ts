import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { SwapApi } from '../../src/api/client.ts'
import { start } from '../../src/background/main.ts'
import { WalletError } from '../../src/errors.ts'
import type { Chain } from '../../src/evm/client.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { memoryBackup, openBrowser, openPage, wallet } from '../helpers/background/popup.ts'
import { key } from '../helpers/background/worker.ts'
import { figure } from '../helpers/figures.ts'
import { oddJson } from '../helpers/oddMessages.ts'
import { runs } from '../helpers/runs.ts'

const away = new Proxy(
  {},
  {
    get: (_target, name) =>
      name === 'then'
        ? undefined
        : async () => Promise.reject(new WalletError('node-unreachable', 'Nobody is there.')),
  },
)
const popup = { id: fakeBrowser.runtime.id, url: fakeBrowser.runtime.getURL('/popup.html' as never) }

const uncaught: unknown[] = []
const note = (error: unknown) => void uncaught.push(error)
const prototype = Object.getOwnPropertyNames(Object.prototype).sort()

beforeEach(async () => {
  openBrowser()
  start({ createChain: () => away as Chain, createApi: () => away as SwapApi, backup: memoryBackup() })
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  await wallet.create(key, await newSecret(12))
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  openBrowser()
})

const src = resolve(import.meta.dirname, '../../src')
const read = (file: string) => readFileSync(join(src, file), 'utf8')
const walletTypes = [...read('protocol.ts').matchAll(/^export type \w+Api = \{(.*?)\n\}/gms)]
const walletMethods = walletTypes.flatMap(([, type = '']) =>
  [...type.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!),
)
const pageMethods = [
  ...new Set(
    readdirSync(join(src, 'background/dapp'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap(
        (file) => read(`background/dapp/${file}`).match(/\b(eth|wallet|personal|net|web3)_\w+/g) ?? [],
      ),
  ),
]

const later = () => new Promise((resolve) => setImmediate(resolve))

function isUnharmed(): void {
  expect(uncaught).toEqual([])
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(prototype)
  expect(({} as { x?: unknown }).x).toBeUndefined()
}

describe('arbitrary messages', () => {
  it('covers more than 60 wallet methods and more than 50 dapp methods', () => {
    expect(walletMethods.length).toBeGreaterThan(60)
    expect(pageMethods.length).toBeGreaterThan(50)
  })

  it('answers or drops popup messages without uncaught or internal errors', async () => {
    const trigger = fakeBrowser.runtime.onMessage.trigger as (...args: unknown[]) => Promise<unknown[]>
    // These would lock or delete the wallet.
    const open = walletMethods.filter((name) => name !== 'lock' && name !== 'reset')
    const methods = fc.constantFrom(...open, '__proto__', 'constructor', 'then', '')
    const call = fc
      .tuple(methods, fc.array(oddJson, { maxLength: 3 }))
      .map(
        ([method, args]) => `{"channel":"wallet","method":${JSON.stringify(method)},"args":[${args.join()}]}`,
      )
    const message = fc.oneof({ weight: 6, arbitrary: call }, oddJson, fc.anything())
    let [sent, answered] = [0, 0]
    const internal = new Set<string>()
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        sent++
        const [kept] = await trigger(one, popup, (reply: string) => {
          answered++
          if (JSON.parse(reply).error?.code === 'internal') internal.add(JSON.parse(String(one)).method)
        })
        expect([true, undefined]).toContain(kept)
        await later()
      }),
      { numRuns: runs(500, 50_000) },
    )
    isUnharmed()
    expect([sent, answered > sent / 3]).toEqual([runs(500, 50_000), true])
    expect([...internal]).toEqual([])
    figure('27', `${sent} odd messages to the popup’s door, ${answered} answered, none as a fault of ours`)
    expect((await wallet.settings()).networks.length).toBeGreaterThan(0)
  })

  it('answers or drops dapp messages without uncaught errors', async () => {
    const methods = fc.constantFrom(...pageMethods, '__proto__', 'constructor', 'then')
    const request = fc
      .tuple(fc.oneof(fc.nat().map(String), oddJson), methods, oddJson)
      .map(([id, method, params]) => `{"id":${id},"method":${JSON.stringify(method)},"params":${params}}`)
    const message = fc.oneof({ weight: 6, arbitrary: request }, oddJson, fc.anything())
    let [sent, answered] = [0, 0]
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        // None waits for another.
        const page = openPage(`https://s${sent++}.example`, () => answered++)
        page.say(one)
        await later()
        page.close()
      }),
      { numRuns: runs(500, 50_000) },
    )
    isUnharmed()
    expect([sent, answered > sent / 3]).toEqual([runs(500, 50_000), true])
    figure('27', `${sent} odd messages to the pages’ door, ${answered} answered: nothing harmed`)
    expect((await wallet.settings()).networks.length).toBeGreaterThan(0)
  })
})
