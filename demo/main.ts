import { createClient, custom, type EIP1193Provider } from 'viem'
import { Actions } from 'viem/tempo'
import { element } from './elements.ts'
import { createMark, pickToken } from './picker.ts'
import { type SwapResult, showResult, showState } from './result.ts'
import { type DemoToken, ether, readTokens, shorten } from './tokens.ts'
import { findWallets, type Wallet } from './wallets.ts'

// The steps of docs/pages.md: find a wallet, connect, request a swap, show the receipt.

type SwapRequest = {
  token?: string
  pairToken?: string
  amount?: string
  type: 'sell' | 'buy'
  slippage?: number
}

let wallet: Wallet | undefined
let account: string | undefined
let tokens: DemoToken[] = [ether]
const asked: { token?: DemoToken | undefined; pair?: DemoToken | undefined } = { token: ether }
let isPending = false

const form = element('swap', HTMLFormElement)
const [amount, slippage] = [element('amount', HTMLInputElement), element('slippage', HTMLInputElement)]
const [type, client] = [element('type', HTMLSelectElement), element('client', HTMLSelectElement)]

findWallets(showWallet)
readTokens().then((found) => {
  const bySymbol = (symbol: string) => found.find((one) => one.symbol === symbol)
  tokens = found
  asked.token = bySymbol('DAI') ?? asked.token
  asked.pair = bySymbol('WBTC')
  draw()
})
draw()
form.addEventListener('input', draw)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (account === undefined) attempt('eth_requestAccounts', connect)
  else swap()
})
element('disconnect', HTMLButtonElement).addEventListener('click', () =>
  attempt('wallet_revokePermissions', () =>
    request('wallet_revokePermissions', [{ eth_accounts: {} }]).then(() => showAccounts([])),
  ),
)
element('flip', HTMLButtonElement).addEventListener('click', () => {
  ;[asked.token, asked.pair] = [asked.pair, asked.token]
  draw()
})
for (const id of ['token', 'pair'] as const) {
  element(id, HTMLButtonElement).addEventListener('click', async () => {
    asked[id] = (await pickToken(tokens)) ?? asked[id]
    draw()
  })
}

async function connect(): Promise<unknown> {
  const accounts = (await provider().request({ method: 'eth_requestAccounts' })) as string[]
  showAccounts(accounts)
  return accounts
}

async function swap(): Promise<void> {
  const bought = type.value === 'sell' ? asked.pair : asked.token
  const isViem = client.value === 'viem'
  isPending = true
  draw()
  showState('pending', 'Waiting for the wallet', 'Review the swap in the wallet’s window.')
  try {
    const result = await attempt(
      isViem ? 'Actions.wallet.swap' : 'wallet_swap',
      isViem ? swapWithViem : swapByRequest,
    )
    await showResult(result as SwapResult, account ?? '', bought, readContract)
  } catch (error) {
    const { code, message = String(error) } = error as { code?: number; message?: string }
    showState('failed', code === 4001 ? 'Rejected in the wallet' : 'The request failed', message)
  } finally {
    isPending = false
    draw()
  }
}

/** Plain EIP-1193. */
async function swapByRequest(): Promise<unknown> {
  return request('wallet_swap', [{ ...readRequest(), id: crypto.randomUUID() }])
}

/** viem action. */
async function swapWithViem(): Promise<unknown> {
  const client = createClient({ transport: custom(provider()) })
  return Actions.wallet.swap(client, readRequest() as Actions.wallet.swap.Parameters)
}

async function readContract(to: string, data: `0x${string}`): Promise<`0x${string}`> {
  return (await request('eth_call', [{ to, data }, 'latest'])) as `0x${string}`
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
  const { uuid, name, icon } = found.info
  const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'wallet', value: uuid })
  const picture = Object.assign(document.createElement('img'), { src: icon, alt: '', width: 28, height: 28 })
  const label = document.createElement('label')
  label.append(input, picture, name)
  input.addEventListener('change', () => choose(found))
  element('wallets', HTMLElement).append(label)
  element('no-wallet', HTMLElement).hidden = true
  if (wallet === undefined) choose(found)
}

function showAccounts([first]: readonly string[]): void {
  account = first
  const shown = element('account', HTMLElement)
  shown.textContent = first ? shorten(first) : ''
  shown.title = first ?? ''
  shown.hidden = first === undefined
  element('disconnect', HTMLElement).hidden = first === undefined
  draw()
}

/** Empty fields are omitted. */
function readRequest(): SwapRequest {
  const limit = Number(slippage.value.trim().replace(',', '.')) / 100
  return {
    ...(asked.token && { token: asked.token.address }),
    ...(asked.pair && { pairToken: asked.pair.address }),
    ...(amount.value.trim() !== '' && { amount: amount.value.trim() }),
    ...(limit > 0 && { slippage: limit }),
    type: type.value as SwapRequest['type'],
  }
}

function draw(): void {
  const isSale = type.value === 'sell'
  element('amount-label', HTMLElement).textContent = isSale ? 'Sell' : 'Buy'
  element('pair-label', HTMLElement).textContent = isSale ? 'Buy' : 'Sell'
  drawToken('token', asked.token)
  drawToken('pair', asked.pair)
  const main = element('main', HTMLButtonElement)
  main.disabled = wallet === undefined || isPending
  main.textContent =
    account === undefined ? 'Connect wallet' : isPending ? 'Waiting for the wallet…' : 'Request swap'
  element('code', HTMLElement).textContent = writeCode()
}

function drawToken(id: 'token' | 'pair', chosen: DemoToken | undefined): void {
  const name = chosen?.symbol ?? 'Select token'
  element(id, HTMLButtonElement).replaceChildren(...(chosen ? [createMark(chosen.symbol)] : []), name, ' ▾')
}

function writeCode(): string {
  const shown = JSON.stringify(readRequest(), null, 2)
  return client.value === 'viem'
    ? [
        'const client = createClient({ transport: custom(provider) })',
        `const { receipt } = await Actions.wallet.swap(client, ${shown})`,
      ].join('\n')
    : [
        "addEventListener('eip6963:announceProvider', ({ detail }) => {",
        '  provider ??= detail.provider',
        '})',
        "dispatchEvent(new Event('eip6963:requestProvider'))",
        '',
        "await provider.request({ method: 'eth_requestAccounts' })",
        'const { receipt } = await provider.request({',
        "  method: 'wallet_swap',",
        `  params: [${shown.replaceAll('\n', '\n  ')}],`,
        '})',
      ].join('\n')
}

async function attempt(name: string, work: () => Promise<unknown>): Promise<unknown> {
  const entry = log(name, 'waiting for the wallet…')
  try {
    const result = await work()
    entry(result, 'good')
    return result
  } catch (error) {
    const { code, message, data } = error as { code?: number; message?: string; data?: unknown }
    entry({ code, message, ...(data === undefined ? {} : { data }) }, 'bad')
    if (name === 'wallet_swap' || name === 'Actions.wallet.swap') throw error
    return undefined
  }
}

/** Returns the function that completes the line. */
function log(name: string, value: unknown): (value: unknown, kind: string) => void {
  const item = document.createElement('li')
  const title = Object.assign(document.createElement('strong'), { textContent: name })
  const body = document.createElement('pre')
  body.textContent = pretty(value)
  item.append(title, body)
  element('log', HTMLElement).prepend(item)
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
