import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { createApi } from '../../../src/api/createClient.ts'
import { start } from '../../../src/background/main.ts'
import { toCsv, toJson } from '../../../src/domain/activity/activityExport.ts'
import type { Decision } from '../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError, type WalletError } from '../../../src/errors.ts'
import { createChain } from '../../../src/evm/client.ts'
import { diagnose } from '../../../src/state/backup/diagnostics.ts'
import { formatError } from '../../../src/ui/messages/errors/errors.ts'
import { createKey, unwrapUnchecked } from '../../../src/vault/password.ts'
import { readPrivateKey } from '../../../src/vault/privateKey.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import { newSecret, readPhrase, showPhrase } from '../../../src/vault/words/phrase.ts'
import { memoryBackup, onDisk, openBrowser, openPage, wallet } from '../../helpers/background/popup.ts'
import { accepting } from '../../helpers/background/sendStage.ts'
import { accept, until, useStage } from '../../helpers/background/worker.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'
import { refusal } from '../../helpers/node/faultServer.ts'
import { standInAround } from '../../helpers/state/fakes.ts'

// Searches all output of a wallet's life for secrets.

const stage = useStage()
const password = 'kanarienvogel 4711 im bergwerk'
const serviceKey = 'canaryServiceKey0123456789abcdef'
const nodeKey = 'canaryNodeKey0123456789abcdef'
const lone = `0x${'c4'.repeat(31)}7e` as const
const site = 'https://shop.example'

/** Every spelling, by name. */
const secrets = new Map<string, string[]>()
let addresses: Address[] = []

/** By channel. `settings` contain service keys and RPC URLs, and go to own views only. */
const said = {
  logged: '',
  thrown: '',
  told: '',
  pages: '',
  pageErrors: '',
  kept: '',
  settings: '',
  files: '',
}
let diagnostics = ''
const errors: WalletError[] = []

let service: HttpServer
let node: HttpServer
let isEcho = false
const backup = memoryBackup()

beforeAll(async () => {
  service = await startHttpServer(async ({ url = '/', headers }, response) => {
    if (isEcho) {
      const words = `Invalid key ${headers.authorization} for ${url}`
      const status = url.includes('quote') ? 400 : url.includes('swap') ? 403 : 500
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(refusal(status, 'VALIDATION_FAILED', words)))
    }
    const answer = await fetch(new URL(url, stage.service.url))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  node = await startHttpServer(async ({ url = '/' }, response, body) => {
    response.setHeader('content-type', 'application/json')
    const { id, method } = JSON.parse(body)
    if (isEcho && method !== 'eth_chainId') {
      const error = { code: -32000, message: `no: ${url} ${body}` }
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    const headers = { 'content-type': 'application/json' }
    response.end(await (await fetch(stage.localnet.rpcUrl, { method: 'POST', headers, body })).text())
  })
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const)
    vi.spyOn(console, method).mockImplementation((...all: unknown[]) => {
      said.logged += deep(all)
    })
  await live()
}, 120_000)

afterAll(async () => {
  vi.restoreAllMocks()
  openBrowser()
  await service?.stop()
  await node?.stop()
})

/** Includes causes and hidden fields. */
function deep(value: unknown): string {
  return inspect(value, {
    depth: Number.POSITIVE_INFINITY,
    showHidden: true,
    maxStringLength: null,
    maxArrayLength: null,
  })
}

function begin(): void {
  fakeBrowser.runtime.onMessage.removeAllListeners()
  fakeBrowser.alarms.onAlarm.removeAllListeners()
  start({
    createChain: (network) => createChain(network),
    createApi,
    backup,
  })
}

function openFakeBrowser(): void {
  openBrowser()
  const send = fakeBrowser.runtime.sendMessage as (message: string) => Promise<unknown>
  const listened = (message: string) => {
    const { channel, method } = JSON.parse(message)
    if (channel === 'events') said[method === 'settings' ? 'settings' : 'told'] += message
    return send(message)
  }
  fakeBrowser.runtime.sendMessage = listened as typeof fakeBrowser.runtime.sendMessage
}

async function fail(run: () => unknown): Promise<void> {
  const error = await Promise.resolve()
    .then(run)
    .then(() => undefined, toWalletError)
  if (error === undefined) return expect.fail(`Did not fail: ${run}`)
  errors.push(error)
  said.thrown += deep(error) + Object.values(formatError(error)).join(' ')
}

function openSite() {
  const answers = new Map<number, { result?: unknown; error?: unknown }>()
  const page = openPage(site, (text) => {
    const message = JSON.parse(text)
    said.pages += text
    if (message.error !== undefined) said.pageErrors += text
    if (message.id !== undefined) answers.set(message.id, message)
  })
  let last = 0
  return async (method: string, params: unknown = [], decide?: (id: string) => Promise<Decision>) => {
    const id = ++last
    page.say(JSON.stringify({ id, method, params }))
    if (decide !== undefined) {
      const open = await until(async () => (await wallet.approvals())[0], `${method} to be asked`)
      await wallet.approve(open.id, await decide(open.id))
    }
    return until(async () => answers.get(id), `${method} to be answered`)
  }
}

async function accounts(): Promise<Address[]> {
  const status = await wallet.status()
  if (status.vault !== 'unlocked') throw new Error('The wallet is locked.')
  return status.accounts.map(({ address }) => address)
}

function spell(name: string, text: string, hex?: string): void {
  const bytes = hex === undefined ? Buffer.from(text) : Buffer.from(hex.replace(/^0x/, ''), 'hex')
  const ways = [text, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]
  const wide = Buffer.from(text, 'utf16le').toString('hex')
  secrets.set(name, [
    ...ways.map((way) => way.replace(/=+$/, '')),
    wide,
    [...bytes].join(','),
    deep([...bytes]),
  ])
}

async function live(): Promise<void> {
  openFakeBrowser()
  begin()
  const key: NewKey = await createKey(password)
  const secret = await newSecret(12)
  const phrase = await showPhrase(secret.entropy)
  const words = phrase.split(' ')
  spell('password', password)
  spell('data key', key.dataKey, Buffer.from(key.dataKey, 'base64').toString('hex'))
  spell('phrase', phrase)
  secrets.set(
    'words',
    words.slice(1).map((word, at) => `${words[at]} ${word}`),
  )
  spell('entropy', secret.entropy.slice(2), secret.entropy)
  spell('seed', secret.seed.slice(2), secret.seed)
  spell('private key', lone.slice(2), lone)
  await fail(() => readPhrase(`${phrase} ${words[0]}`))
  await fail(() => readPhrase(phrase.replace(words[0]!, 'canaryword')))
  await fail(() => wallet.create({ ...key, dataKey: `${key.dataKey}x` }, secret))
  await fail(() => wallet.create(key, { ...secret, entropy: `${secret.entropy}00` }))
  await wallet.create(key, secret)
  await fail(() => wallet.create(key, secret))
  await fail(() => readPrivateKey(`${lone}c4`))
  await fail(() => wallet.addKey(`${lone}c4` as typeof lone))
  await wallet.addKey(lone)
  await fail(() => wallet.addKey(lone))
  await fail(() => wallet.addPhrase(secret))
  addresses = await accounts()
  const [account] = addresses as [Address]
  spell(
    'first key',
    (await wallet.revealKey(key.dataKey, account)).slice(2),
    await wallet.revealKey(key.dataKey, account),
  )
  await fail(() => wallet.reveal(Buffer.alloc(32, 9).toString('base64')))
  await fail(() => wallet.revealKey(key.dataKey, `0x${'22'.repeat(20)}`))

  await wallet.lock()
  await fail(() => wallet.reveal(key.dataKey))
  const wrong = await unwrapUnchecked(await wallet.wrappedKey(), `${password}!`)
  await fail(() => wallet.unlock(wrong))
  await fail(() => wallet.unlock(`${key.dataKey}x`))
  begin()
  await until(
    () =>
      wallet.unlock(key.dataKey).then(
        () => true,
        () => undefined,
      ),
    'the wallet to open',
  )

  spell('service key', serviceKey)
  spell('node key', nodeKey)
  const network = {
    ...stage.network,
    serviceUrl: service.url,
    serviceKey,
    rpcUrl: `${node.url}/v3/${nodeKey}`,
  }
  await wallet.saveSettings({ networks: [network] })
  await fail(() => wallet.saveSettings({ networks: [{ ...network, serviceUrl: `nowhere ${serviceKey}` }] }))
  await stage.localnet.fund(account)
  await stage.service.engine.refresh()

  const { USDC, DAI } = stage.localnet.tokens
  const trade = { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: 10n ** 17n }
  await wallet.tokens(31337)
  await wallet.quote({ trade })
  const review = await wallet.review({ id: 'ab'.repeat(16), trade, slippageBps: 50, account })
  await wallet.swap(accept(account, trade, review))
  await until(async () => (await wallet.swaps())[0]?.outcome.status === 'done' || undefined, 'the swap')
  const transfer = { chainId: 31337, account, token: DAI, to: addresses[1]!, amount: 5n }
  await wallet.send({ ...transfer, id: 'cd'.repeat(16), feeCap: 10n ** 18n })
  await until(
    async () => (await wallet.callBatches())[0]?.outcome.status === 'done' || undefined,
    'the transfer',
  )
  await fail(() => wallet.previewTransfer({ ...transfer, amount: 10n ** 40n }))

  const page = openSite()
  await page('eth_requestAccounts', [], async () => ({
    kind: 'connect',
    accounts: [account],
    chainId: 31337,
  }))
  await page('personal_sign', ['0x48656c6c6f', account], async () => ({ kind: 'sign-message' }))
  const call = { from: account, to: addresses[1], value: '0x1' }
  await page('eth_sendTransaction', [call], async (id) => accepting(await wallet.previewCalls(id)))
  await page('personal_sign', ['0x48656c6c6f', addresses[1]])
  await page('eth_sendTransaction', [{ ...call, from: addresses[1] }])
  await page('eth_sign', [account, '0x00'])
  await page('wallet_nothing', [{ password: 'x' }])

  isEcho = true
  await fail(() => wallet.quote({ trade: { ...trade, amount: 7n } }))
  await fail(() =>
    wallet.review({ id: 'ef'.repeat(16), trade: { ...trade, amount: 7n }, slippageBps: 50, account }),
  )
  await fail(() => wallet.liquiditySources(31337))
  await fail(() => wallet.balances(31337, account, [DAI]))
  await fail(() => wallet.previewTransfer(transfer))
  await fail(() => wallet.call(31337, DAI, '0x'))
  await wallet.health(31337)
  await page('eth_call', [{ to: DAI, data: '0x' }, 'latest'])
  await page('eth_estimateGas', [{ to: DAI, data: '0x' }])
  await page('wallet_swap', [{ token: `0x${'33'.repeat(20)}`, amount: '1' }])
  begin()
  await fail(() => wallet.quote({ trade: { ...trade, amount: 8n } }))
  await fail(() => wallet.allowance(31337, account, DAI, USDC))

  const settings = await wallet.settings()
  const faults = errors.map(({ code }) => ({ code, at: 0 }))
  const view = {
    userAgent: 'Chrome/156.0',
    width: 360,
    height: 600,
    pixelRatio: 2,
    language: 'de',
    isOnline: true,
    faults,
  }
  const around = {
    ...standInAround,
    sizes: async () =>
      Object.fromEntries(Object.entries(await onDisk()).map(([name, one]) => [name, deep(one).length])),
    hosts: async () => [`${service.url}/*`, `${node.url}/*`],
  }
  diagnostics = JSON.stringify(await diagnose(wallet, around, view, settings))
  const entries = [...(await wallet.swaps()), ...(await wallet.callBatches())]
  said.files = toCsv(entries, () => undefined) + toJson(entries, () => undefined)
  const { settings: stored, ...disk } = await onDisk()
  const { unlocked: _, ...session } = (await fakeBrowser.storage.session.get(null)) as Record<string, unknown>
  said.settings += deep(stored)
  said.kept = deep([disk, session, await fakeBrowser.storage.sync.get(null), await backup.read()])
}

function found(text: string, names = [...secrets.keys()]): string[] {
  const low = text.toLowerCase()
  return names.filter((name) => secrets.get(name)?.some((way) => low.includes(way.toLowerCase())))
}

describe('secrets over the lifetime of a wallet', () => {
  it('captures output on every searched channel except the console', () => {
    const { logged: _, ...rest } = said
    for (const [name, text] of Object.entries(rest)) expect([name, text.length > 100]).toEqual([name, true])
    expect(diagnostics).toContain('"hasKey":true')
    expect(secrets.size).toBe(10)
    expect(addresses).toHaveLength(2)
    expect(new Set(errors.map(({ code }) => code)).size).toBeGreaterThan(7)
    expect(said.settings).toContain(serviceKey)
  })

  it.each(['logged', 'thrown', 'told', 'pages', 'kept', 'files'] as const)(
    'leaks no secret in the output channel %s',
    (way) => {
      expect(found(said[way])).toEqual([])
    },
  )

  it('writes nothing to the console', () => {
    expect(said.logged).toBe('')
  })

  it('exposes only the service key and the RPC key in the settings', () => {
    expect(found(said.settings)).toEqual(['service key', 'node key'])
  })

  it('creates diagnostics without secrets, addresses, hosts or paths', () => {
    expect(found(diagnostics)).toEqual([])
    expect(diagnostics).not.toMatch(/0x[0-9a-f]{8}|127\.0\.0\.1|canary|shop/i)
  })

  it('discloses no address to a dapp in an error unless the dapp already knew it', () => {
    const [account, second] = addresses as [Address, Address]
    // The page knows both already.
    const others = said.pageErrors.match(/0x[0-9a-f]{40}(?![0-9a-f])/gi) ?? []
    const named = [account, second, stage.localnet.tokens.DAI, `0x${'33'.repeat(20)}`].map((one) =>
      one.toLowerCase(),
    )
    expect(others.filter((one) => !named.includes(one.toLowerCase()))).toEqual([])
  })
})
