import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { onboardingTab } from '../../dev/browser/browser.ts'
import { type DevTools, startDevTools, type Target } from '../../dev/browser/devtools.ts'
import { localNetwork, password } from '../../dev/browser/popupPage.ts'
import { type Site, serveSite } from '../../dev/browser/site.ts'
import { decode, encode } from '../../src/domain/json.ts'
import type { WalletApi } from '../../src/protocol.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'

// Back/forward cache and prerendered documents. Needs no RPC.

/** Nothing is asked of its RPC and its service. */
const network = { ...localNetwork, serviceUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' }

const extension = resolve(import.meta.dirname, '../../.output/chrome-mv3')

type PageWindow = typeof window & {
  provider: { request(ask: Ask): Promise<unknown>; on(event: string, hear: (data: unknown) => void): void }
  /** Events and answers, in order of arrival. */
  heard: unknown[]
}
type Ask = { method: string; params?: unknown }

const script = `<script>
  window.heard = []
  addEventListener('eip6963:announceProvider', ({ detail }) => { window.provider = detail.provider })
  dispatchEvent(new Event('eip6963:requestProvider'))
  addEventListener('pageshow', ({ persisted }) => {
    heard.push(persisted ? 'came back' : 'loaded')
    document.title = location.pathname + ' ' + performance.timeOrigin
  })
</script>`
const early = `<script>
  heard.push(document.prerendering ? 'prerendered' : 'seen')
  fetch('/ran')
  provider.request({ method: 'eth_chainId' }).then((id) => heard.push(id, document.prerendering ? 'early' : 'in time'))
</script>`
const ahead = `<script type="speculationrules">
  {"prerender": [{"source": "list", "urls": ["/early"], "eagerness": "immediate"}]}
</script>`
/** True once the script of `/early` has run, in any document. */
let ranEarly = false
const documents = { '/': '', '/elsewhere': '', '/early': early, '/ahead': ahead }

type Shared = { site: Site; bare: Bare }

/** A browser with a wallet, driven without a Playwright page. */
type Bare = DevTools & {
  /** The tab under test. */
  tab(): Promise<Target>
  /** Navigates as by a click on a link. */
  go(path: string): Promise<void>
  back(): Promise<void>
  inPage<Result, Argument = undefined>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  heard(): Promise<unknown[]>
  wallet<Method extends keyof WalletApi>(
    method: Method,
    ...args: Parameters<WalletApi[Method]>
  ): Promise<Awaited<ReturnType<WalletApi[Method]>>>
  stopWorker(): Promise<void>
  isWorkerRunning(): Promise<boolean>
}

const test = base.extend<object, Shared>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const pages = Object.entries(documents).map(([path, more]) => [
        path,
        { type: 'text/html; charset=utf-8', body: `<!doctype html><title>…</title>${script}${more}` },
      ])
      const files = {
        ...Object.fromEntries(pages),
        get '/ran'() {
          ranEarly = true
          return { type: 'text/plain', body: '' }
        },
      }
      const site = await serveSite(import.meta.dirname, { files })
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],
  bare: [
    async ({ site }, use) => {
      const profile = mkdtempSync(join(tmpdir(), 'sluice-history-'))
      const bare = await startBare(profile, site.url)
      await bare.wallet('saveSettings', { added: [network], chainId: 31337 })
      await bare.wallet('create', await createKey(password), await newSecret(12))
      await use(bare)
      await bare.stop()
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
    { scope: 'worker' },
  ],
})

test('opens no port for a page restored from the back/forward cache that never used the provider', async ({
  bare,
}) => {
  await bare.go('/')
  await bare.stopWorker()
  await bare.go('/elsewhere')
  await bare.back()
  await expect.poll(() => bare.heard()).toEqual(['loaded', 'came back'])
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await bare.isWorkerRunning()).toBe(false)
  // A page that used the provider catches up on missed events.
  expect(await bare.inPage(request, { method: 'eth_chainId' })).toEqual({ result: '0x7a69' })
  await bare.stopWorker()
  await bare.go('/elsewhere')
  await bare.back()
  await expect.poll(() => bare.isWorkerRunning()).toBe(true)
})

test('reports missed changes once to a restored page and keeps its connection', async ({ bare, site }) => {
  const [first, second] = await connect(bare)
  await bare.inPage(listen)
  await bare.go('/elsewhere')
  const [connected] = await bare.wallet('sites')
  await bare.wallet('updateSite', { ...connected!, chainId: 1, accounts: [second] })
  await bare.back()
  await expect
    .poll(() => bare.heard())
    .toEqual(['came back', ['chainChanged', '0x1'], ['accountsChanged', [second]]])
  expect(await bare.inPage(request, { method: 'eth_accounts' })).toEqual({ result: [second] })

  // Changes while it is visible are also reported once.
  await bare.wallet('updateSite', { ...connected!, accounts: [first] })
  await bare.go('/elsewhere')
  await bare.wallet('disconnect', site.url)
  await bare.back()
  await expect
    .poll(async () => (await bare.heard()).filter((one) => String(one).startsWith('accountsChanged')))
    .toEqual([
      ['accountsChanged', [second]],
      ['accountsChanged', [first]],
      ['accountsChanged', []],
    ])
})

test('answers a pending request once after its page is restored', async ({ bare }) => {
  await connect(bare)
  const [account] = await bare.inPage(accounts)
  // A signature request is cancelled with its page. A swap request stays open for the user and the page.
  await bare.inPage(askAndListen, { method: 'personal_sign', params: ['0x00', account] })
  await bare.inPage(askAndListen, { method: 'wallet_swap' })
  await expect.poll(async () => (await bare.wallet('approvals')).length).toBe(2)
  await bare.go('/elsewhere')
  await expect.poll(async () => (await bare.wallet('approvals')).map(({ ask }) => ask.kind)).toEqual(['swap'])

  await bare.back()
  await expect.poll(() => bare.heard()).toEqual(['came back', ['personal_sign', 4001, 'withdrawn']])
  const open = await bare.wallet('approvals')
  expect(open.map(({ ask }) => ask.kind)).toEqual(['swap'])
  await bare.wallet('reject', open[0]!.id)
  const both = ['came back', ['personal_sign', 4001, 'withdrawn'], ['wallet_swap', 4001, 'rejected']]
  await expect.poll(() => bare.heard()).toEqual(both)

  // Neither is sent or answered again.
  await bare.go('/elsewhere')
  await bare.back()
  expect(await bare.inPage(request, { method: 'eth_chainId' })).toEqual({ result: '0x7a69' })
  expect(await bare.heard()).toEqual([...both, 'came back'])
  expect(await bare.wallet('approvals')).toEqual([])
})

test('sends no request for a prerendered page before it is shown', async ({ bare }) => {
  ranEarly = false
  await bare.stopWorker()
  await bare.go('/ahead')
  // Evaluating in it would end prerendering, so the script reports itself.
  await expect.poll(() => ranEarly).toBe(true)
  // An unintended request would have started the worker by now.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await bare.isWorkerRunning()).toBe(false)
  await bare.go('/early')
  await expect.poll(() => bare.heard()).toEqual(['prerendered', 'loaded', '0x7a69', 'in time'])
})

/** Reloads the site, connects the first account, and returns both accounts. */
async function connect(bare: Bare): Promise<[`0x${string}`, `0x${string}`]> {
  await bare.go('/')
  const status = await bare.wallet('status')
  const known = status.vault === 'unlocked' ? status.accounts.map(({ address }) => address) : []
  const [first, second = (await bare.wallet('addAccount')).address] = known
  if (first === undefined) throw new Error('The wallet is locked.')
  await bare.wallet('disconnect', await bare.inPage(() => location.origin))
  await bare.inPage(askAndListen, { method: 'eth_requestAccounts' })
  await expect.poll(async () => (await bare.wallet('approvals')).length).toBe(1)
  const [approval] = await bare.wallet('approvals')
  await bare.wallet('approve', approval!.id, { kind: 'connect', accounts: [first], chainId: 31337 })
  await expect.poll(() => bare.inPage(accounts)).toEqual([first])
  expect(await bare.inPage(request, { method: 'eth_chainId' })).toEqual({ result: '0x7a69' })
  await bare.inPage(forget)
  return [first, second]
}

// Functions that run in the page.

function forget() {
  ;(window as unknown as PageWindow).heard.length = 0
}

function listen() {
  const { provider, heard } = window as unknown as PageWindow
  for (const event of ['chainChanged', 'accountsChanged', 'disconnect']) {
    provider.on(event, (data) => heard.push([event, data]))
  }
}

function accounts() {
  const { provider } = window as unknown as PageWindow
  return provider.request({ method: 'eth_accounts' }) as Promise<`0x${string}`[]>
}

function request(ask: Ask) {
  const { provider } = window as unknown as PageWindow
  return provider.request(ask).then(
    (result) => ({ result }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  )
}

/** Returns before the answer arrives. */
function askAndListen(ask: Ask) {
  const { provider, heard } = window as unknown as PageWindow
  provider.request(ask).then(
    (result) => heard.push([ask.method, result]),
    ({ code, data }: { code: number; data?: { reason?: string } }) =>
      heard.push([ask.method, code, data?.reason]),
  )
}

type WithAlarms = { chrome: { alarms: { clearAll(): Promise<boolean> } } }

async function startBare(profile: string, origin: string): Promise<Bare> {
  const devtools = startDevTools({ extension, profile })
  const { targets, open, evaluate } = devtools
  const worker = async () => (await targets()).find(({ type }) => type === 'service_worker')
  await expect.poll(worker).toBeDefined()
  // In front of the site, and a view that the worker serves.
  const findOnboarding = async () => (await targets()).find(({ url }) => url.endsWith(onboardingTab))
  await expect.poll(findOnboarding).toBeDefined()
  const onboarding = await findOnboarding()
  if (onboarding) await devtools.close(onboarding)
  // An extension page without scripts: the popup would keep the worker busy.
  const own = await open(((await worker())?.url ?? '').replace(/[^/]*$/, 'manifest.json'))
  const { targetId } = await open(`${origin}/elsewhere`)

  /** Returns the tab's current target; an activated prerender brings its own. */
  async function tab(): Promise<Target> {
    const pages = (await targets()).filter(({ type, subtype }) => type === 'page' && subtype !== 'prerender')
    const found =
      pages.find((page) => page.targetId === targetId) ?? pages.find(({ url }) => url.startsWith(origin))
    if (found === undefined) throw new Error('The tab is gone.')
    return found
  }

  const inPage: Bare['inPage'] = async (work, argument) => evaluate(await tab(), work, argument)

  /** Waits by title only: attaching to a document prevents prerendering. */
  async function arrive(move: () => Promise<unknown>, path: string): Promise<void> {
    const { title: left } = await tab()
    await move()
    await expect
      .poll(async () => {
        const { title } = await tab()
        return title !== left && title.startsWith(`${path} `)
      })
      .toBe(true)
  }

  let before = '/elsewhere'
  let here = '/elsewhere'
  return {
    ...devtools,
    tab,
    inPage,
    async go(path) {
      await arrive(() => inPage((to) => void setTimeout(() => location.assign(to), 0), path), path)
      before = here
      here = path
    },
    async back() {
      await arrive(() => inPage(() => void setTimeout(() => history.back(), 0)), before)
      here = before
    },
    heard: () => inPage(() => (window as unknown as PageWindow).heard),
    async wallet(method, ...args) {
      const text = await evaluate(
        own,
        (message) => {
          const { chrome } = globalThis as unknown as {
            chrome: { runtime: { sendMessage(text: string): Promise<string> } }
          }
          return chrome.runtime.sendMessage(message)
        },
        encode({ channel: 'wallet', method, args }),
      )
      const answer = decode(text) as { value: never; error?: { code: string; message: string } }
      if (answer.error) throw new Error(`${method}: ${answer.error.code}, ${answer.error.message}`)
      return answer.value
    },
    async stopWorker() {
      // A message in flight, an alarm or a closing approval window would restart the worker.
      await expect(async () => {
        expect((await targets()).filter(({ url }) => url.endsWith('#requests'))).toEqual([])
        await evaluate(own, () => (globalThis as unknown as WithAlarms).chrome.alarms.clearAll())
        await devtools.stopWorkers(own)
        await expect.poll(worker, { timeout: 500 }).toBeUndefined()
        await new Promise((resolve) => setTimeout(resolve, 500))
        expect(await worker()).toBeUndefined()
      }).toPass()
    },
    isWorkerRunning: async () => (await worker()) !== undefined,
  }
}
