import { createClient, custom, type EIP1193Provider } from 'viem'
import { Actions } from 'viem/tempo'
import { findWallets, type Wallet } from './wallets.ts'

// The four steps of docs/pages.md.

type Ask = { token?: string; pairToken?: string; amount?: string; type: 'sell' | 'buy'; slippage?: number }

let wallet: Wallet | undefined
let account: string | undefined

findWallets(showWallet)
showTokens()
draw()
element('connect').addEventListener('click', () => attempt('eth_requestAccounts', connect))
element('disconnect').addEventListener('click', () => attempt('wallet_revokePermissions', disconnect))
element('swap').addEventListener('input', draw)
element('swap').addEventListener('submit', (event) => {
  event.preventDefault()
  const way = ((event as SubmitEvent).submitter as HTMLButtonElement).value
  attempt(way === 'raw' ? 'wallet_swap' : 'Actions.wallet.swap', way === 'raw' ? swapByRequest : swapWithViem)
})

async function connect(): Promise<unknown> {
  const accounts = (await provider().request({ method: 'eth_requestAccounts' })) as string[]
  showAccounts(accounts)
  return accounts
}

async function disconnect(): Promise<unknown> {
  return provider().request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
}

/** Plain EIP-1193. */
async function swapByRequest(): Promise<unknown> {
  return request('wallet_swap', [{ ...readAsk(), id: crypto.randomUUID() }])
}

/** viem action. */
async function swapWithViem(): Promise<unknown> {
  const client = createClient({ transport: custom(provider()) })
  return Actions.wallet.swap(client, readAsk() as Actions.wallet.swap.Parameters)
}

function choose(found: Wallet): void {
  wallet = found
  found.provider.on('accountsChanged', (accounts) => {
    log('accountsChanged', accounts)
    showAccounts(accounts)
  })
  found.provider.on('chainChanged', (chainId) => log('chainChanged', chainId))
  found.provider.on('message', (message) => log('message', message))
  for (const input of document.querySelectorAll<HTMLInputElement>('#wallets input')) {
    input.checked = input.value === found.info.uuid
  }
  // Connected sites need no prompt.
  request('eth_accounts', []).then((accounts) => showAccounts(accounts as string[]))
  draw()
}

function showWallet(found: Wallet): void {
  const { uuid, name, icon, rdns } = found.info
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'wallet', value: uuid })
  const picture = Object.assign(document.createElement('img'), { src: icon, alt: '', width: 28, height: 28 })
  const small = Object.assign(document.createElement('span'), { textContent: rdns, className: 'dim' })
  const label = document.createElement('label')
  label.append(input, picture, name, small)
  const item = document.createElement('li')
  item.append(label)
  input.addEventListener('change', () => choose(found))
  element('wallets').append(item)
  element('no-wallet').hidden = true
  if (wallet === undefined) choose(found)
}

function showAccounts([first]: readonly string[]): void {
  account = first
  element('who').textContent = first ?? 'Not connected'
  draw()
}

/** Only `npm start` serves the token list. */
async function showTokens(): Promise<void> {
  const reply = await fetch('./tokens.json').catch(() => undefined)
  if (!reply?.ok || !reply.headers.get('content-type')?.includes('json')) return
  const tokens = (await reply.json()) as Record<string, string>
  for (const [symbol, address] of Object.entries(tokens)) {
    element('tokens').append(
      Object.assign(document.createElement('option'), { value: address, label: symbol }),
    )
  }
  field('token').value = tokens.DAI ?? ''
  field('pair').value = tokens.WBTC ?? ''
  draw()
}

/** Empty fields are omitted. */
function readAsk(): Ask {
  const text = (id: string) => field(id).value.trim()
  const slippage = Number(text('slippage').replace(',', '.')) / 100
  return {
    ...(text('token') === '' ? {} : { token: text('token') }),
    ...(text('pair') === '' ? {} : { pairToken: text('pair') }),
    ...(text('amount') === '' ? {} : { amount: text('amount') }),
    ...(text('slippage') === '' ? {} : { slippage }),
    type: text('type') as Ask['type'],
  }
}

function draw(): void {
  const shown = JSON.stringify(readAsk(), null, 2)
  element('code').textContent = [
    '// by request',
    `const { receipt } = await wallet.provider.request({ method: 'wallet_swap', params: [${shown}] })`,
    '',
    '// with viem',
    'const client = createClient({ transport: custom(wallet.provider) })',
    `const { receipt } = await Actions.wallet.swap(client, ${shown})`,
  ].join('\n')
  enable('connect', wallet !== undefined)
  enable('disconnect', account !== undefined)
  for (const button of document.querySelectorAll<HTMLButtonElement>('#swap button')) {
    button.disabled = account === undefined
  }
}

async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
  const entry = log(name, 'waiting for the wallet…')
  try {
    entry(await work(), 'good')
  } catch (error) {
    const { code, message, data } = error as { code?: number; message?: string; data?: unknown }
    entry({ code, message, ...(data === undefined ? {} : { data }) }, 'bad')
  }
}

/** Returns the function that completes the line. */
function log(name: string, value: unknown): (value: unknown, kind: string) => void {
  const item = document.createElement('li')
  const title = Object.assign(document.createElement('strong'), { textContent: name })
  const body = document.createElement('pre')
  body.textContent = pretty(value)
  item.append(title, body)
  element('log').prepend(item)
  return (result, kind) => {
    body.textContent = pretty(result)
    item.className = kind
  }
}

function pretty(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? item.toString() : item), 2)
}

function provider(): EIP1193Provider {
  if (wallet === undefined) throw new Error('Choose a wallet first.')
  return wallet.provider
}

function request(method: string, params: unknown[]): Promise<unknown> {
  // viem types only standard methods.
  return (provider() as { request(ask: { method: string; params: unknown[] }): Promise<unknown> }).request({
    method,
    params,
  })
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

function field(id: string): HTMLInputElement {
  return element(id) as HTMLInputElement
}

function enable(id: string, may: boolean): void {
  ;(element(id) as HTMLButtonElement).disabled = !may
}
