import { type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { canonical } from '../../../dev/chain/preinstalls.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { RunningService } from '../../../service/server.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { defaultSettings } from '../../../src/config.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { ownRouter } from '../../../src/domain/swap/routers.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError } from '../../../src/errors.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  type Wanted,
} from '../../helpers/background/worker.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'
import { type NodeProxy, notFound, startProxy } from '../../helpers/node/rpcProxy.ts'
import { startUnhurried } from '../../helpers/service/unhurriedService.ts'

// Nothing is at our router's address, which the service names anyway; the RPC cannot simulate.

const chainId = 1
const { address: router } = ownRouter(chainId)!
const thief: Address = '0xbad0000000000000000000000000000000000002'
const wallet: Address = '0xbad0000000000000000000000000000000000003'

let localnet: Localnet
let service: RunningService
let liar: HttpServer
let simulating: NodeProxy
let blind: NodeProxy

beforeAll(async () => {
  localnet = await createLocalnet({ chainId })
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
  // Renames localnet's router to that address.
  const local = new RegExp(localnet.contracts.router.slice(2), 'gi')
  liar = await startHttpServer(async ({ url = '/' }, response) => {
    const answer = await fetch(new URL(url, service.url))
    response.statusCode = answer.status
    response.setHeader('content-type', 'application/json')
    response.end((await answer.text()).replace(local, router.slice(2)))
  })
  simulating = await startProxy(localnet.rpcUrl, () => undefined)
  blind = await startProxy(localnet.rpcUrl, ({ method, params }) => {
    if (method === 'eth_simulateV1') return notFound
    if (method === 'eth_call' && params.length > 2)
      return { error: { code: -32602, message: 'too many arguments' } }
    return undefined
  })
})
afterAll(async () => {
  await Promise.all([liar?.stop(), simulating?.stop(), blind?.stop()])
  await service?.stop()
  await localnet?.stop()
})

const original = new Map<Address, Hex>()
afterEach(async () => {
  for (const [address, bytecode] of original) await localnet.client.setCode({ address, bytecode })
  original.clear()
})

async function putCode(address: Address, bytecode: Hex): Promise<void> {
  if (!original.has(address)) original.set(address, (await localnet.client.getCode({ address })) ?? '0x')
  await localnet.client.setCode({ address, bytecode })
}

async function open(network: Partial<Network> = {}): Promise<Browser> {
  const [ethereum] = defaultSettings().networks.filter((one) => one.chainId === chainId)
  const base = {
    ...ethereum!,
    serviceUrl: liar.url,
    rpcUrl: blind.url,
    wrapped: localnet.tokens.WETH,
    confirmations: 1,
  }
  const browser = await createBrowser({ localnet, service, network: { ...base, ...network } }, { chainId })
  return browser
}

const buying = (amount = parseEther('5')): Trade => ({
  chainId,
  sell: nativeTokenAddress,
  buy: localnet.tokens.USDC,
  amount,
})
const selling = (): Trade => ({
  chainId,
  sell: localnet.tokens.USDC,
  buy: nativeTokenAddress,
  amount: 900_000_000n,
})

/** Throws if anything was signed. */
async function refusal(browser: Browser, trade: Trade, wanted: Wanted = {}): Promise<string> {
  const worker = createWorker(browser)
  const before = await localnet.client.getBalance({ address: browser.account })
  const said = await worker.review(trade, wanted).then(
    async (review) => {
      const intent = accept(browser.account, trade, review, wanted)
      await worker.swap(intent)
      const { outcome } = await worker.over(intent.id)
      return outcome.status === 'failed' ? say(outcome) : `${outcome.status} in the end`
    },
    (error: unknown) => say(toWalletError(error)),
  )
  const signed = (await worker.journal.list()).flatMap(({ steps }) => steps).filter(isSigned)
  const lost = before - (await localnet.client.getBalance({ address: browser.account }))
  expect({ said, signed, lost }).toEqual({ said, signed: [], lost: 0n })
  return said
}

function say({ code, facts }: { code: string; facts: Record<string, string | undefined> }): string {
  return facts.fact === undefined ? code : `${code}: ${facts.fact}`
}

describe('address of a known router', () => {
  it('rejects a payment when no contract is deployed at the router', async () => {
    expect(await refusal(await open(), buying())).toBe('unsafe-transaction: code')
    expect(await refusal(await open({ rpcUrl: simulating.url }), buying())).toBe('unsafe-transaction: code')
  })

  it('rejects an approval when no contract is deployed at the router', async () => {
    expect(await refusal(await open(), selling())).toBe('unsafe-transaction: code')
  })

  it('signs nothing when the router is an account that delegates to code (EIP-7702)', async () => {
    const code: Hex = `0xef0100${localnet.contracts.router.slice(2)}`
    await putCode(router, code)
    expect(await refusal(await open(), buying())).toBe('unsafe-transaction: code')
    expect(await refusal(await open(), selling())).toBe('unsafe-transaction: code')
  })

  it('requires a simulation when the code of the router is unknown', async () => {
    // STOP: takes everything, does nothing.
    await putCode(router, '0x00')
    expect(await refusal(await open(), buying())).toBe('unsafe-transaction: untried')
    expect(await refusal(await open({ rpcUrl: simulating.url }), buying())).toMatch(/below-floor|price-moved/)
  })

  it('requires a simulation while the RPC does not return the code of the router', async () => {
    await putCode(router, '0x00')
    const silent = await startProxy(blind.url, ({ method, params }) =>
      method === 'eth_getCode' && params[0] === router
        ? { error: { code: -32000, message: 'busy' } }
        : undefined,
    )
    expect(await refusal(await open({ rpcUrl: silent.url }), buying())).toBe('unsafe-transaction: untried')
    await silent.stop()
  })

  it('signs nothing when the router’s contract is gone between review and signing', async () => {
    const browser = await open({
      serviceUrl: service.url,
      router: localnet.contracts.router,
      rpcUrl: simulating.url,
    })
    const review = await createWorker(browser).review(buying())
    await putCode(localnet.contracts.router, '0x')
    const worker = createWorker(browser)
    const intent = accept(browser.account, buying(), review)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({
      status: 'failed',
      facts: { fact: 'code' },
    })
    expect(await localnet.client.getTransactionCount({ address: browser.account })).toBe(0)
  })

  it('rejects a payment to a pinned router without a contract', async () => {
    expect(await refusal(await open({ router }), buying())).toBe('unsafe-transaction: code')
  })
})

describe('wrapped native token', () => {
  const wrapping = (wrapped: Address): Trade => ({
    chainId,
    sell: nativeTokenAddress,
    buy: wrapped,
    amount: parseEther('5'),
  })

  it('rejects a deposit when no contract is deployed at the wrapped token', async () => {
    const said = await refusal(await open({ wrapped: thief }), wrapping(thief))
    expect(said).toBe('unsafe-transaction: code')
  })

  it('rejects a deposit to code that credits nothing, with or without a simulation', async () => {
    // Stops on any payment, else delegates to WETH9 (EIP-1167).
    const keeps: Hex = `0x34603157363d3d373d3d3d363d73${localnet.tokens.WETH.slice(2)}5af43d82803e903d91602f57fd5bf35b00`
    await putCode(wallet, keeps)
    // Copies name and decimals.
    for (const slot of [0, 1, 2]) {
      const index = `0x${slot.toString(16).padStart(64, '0')}` as const
      const value = await localnet.client.getStorageAt({ address: localnet.tokens.WETH, slot: index })
      await localnet.client.setStorageAt({ address: wallet, index, value: value! })
    }
    expect(await refusal(await open({ wrapped: wallet }), wrapping(wallet))).toBe(
      'unsafe-transaction: untried',
    )
    const seen = await open({ wrapped: wallet, rpcUrl: simulating.url })
    expect(await refusal(seen, wrapping(wallet))).toMatch(/below-floor/)
  })

  it('wraps without a simulation when the code is a known WETH9', async () => {
    const browser = await open()
    const worker = createWorker(browser)
    const trade = wrapping(localnet.tokens.WETH)
    const intent = accept(browser.account, trade, await worker.review(trade))
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toEqual({ status: 'done', received: trade.amount })
  })
})

describe('Permit2 and Multicall3', () => {
  const { permit2, multicall } = canonical

  it('offers Permit2 only when its exact code is deployed', async () => {
    const offered = async () => {
      const { networks } = createWorker(await open({ rpcUrl: simulating.url }))
      const chain = await networks.chain(chainId)
      return (await chain.permit2(localnet.tokens.USDC, thief, router)) !== undefined
    }
    expect(await offered()).toBe(true)
    const code = (await localnet.client.getCode({ address: permit2 }))!
    for (const other of ['0x', `${code}00`, `0xef0100${permit2.slice(2)}`] as const) {
      await putCode(permit2, other)
      expect(await offered()).toBe(false)
    }
  })

  it('ignores answers of another contract at the Multicall3 address', async () => {
    // Opened before, since the service reads by Multicall3 too.
    const browser = await open({ rpcUrl: simulating.url })
    const read = async () => {
      const { networks } = createWorker(browser)
      const chain = await networks.chain(chainId)
      return chain.balances(thief, [nativeTokenAddress, localnet.tokens.USDC])
    }
    expect(await read()).toEqual({ [nativeTokenAddress]: 0n, [localnet.tokens.USDC]: 0n })
    const code = (await localnet.client.getCode({ address: multicall }))!
    // Returns 1 to every call.
    for (const other of ['0x', `${code}00`, '0x600160005260206000f3'] as const) {
      await putCode(multicall, other)
      expect(await read()).toEqual({ [nativeTokenAddress]: 0n, [localnet.tokens.USDC]: 0n })
    }
  })

  it('reads contract code once for each chain', async () => {
    const browser = await open({
      serviceUrl: service.url,
      router: localnet.contracts.router,
      rpcUrl: simulating.url,
    })
    simulating.methods.length = 0
    const worker = createWorker(browser)
    await worker.review(buying(parseEther('1')))
    const first = simulating.methods.filter((method) => method === 'eth_getCode').length
    await worker.review(buying(parseEther('1')))
    await worker.review(buying(parseEther('2')))
    expect(first).toBe(2)
    expect(simulating.methods.filter((method) => method === 'eth_getCode')).toHaveLength(first)
  })
})
