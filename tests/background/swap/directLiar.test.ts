import { encodeAbiParameters, maxUint256, parseAbiParameters, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { encodePathRequest, type PathQuotes, parsePathQuotes } from '../../../src/api/direct/pathQuoter.ts'
import { pathQuoterCode } from '../../../src/api/direct/pathQuoterCode.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError, WalletError } from '../../../src/errors.ts'
import { accept, type Browser, createBrowser, createWorker } from '../../helpers/background/worker.ts'
import { createDirectStage, directNetwork } from '../../helpers/node/directSwaps.ts'
import { type NodeProxy, startProxy } from '../../helpers/node/rpcProxy.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs, and the worker reviews again and again.')

// The RPC lies about the quotes alone; the simulation is honest.

let localnet: Localnet
let proxy: NodeProxy
let browser: Browser
let stranger: Address
/** Replaces what PathQuoter returns. */
let lie: Hex | undefined

beforeAll(async () => {
  localnet = await createLocalnet()
  stranger = localnet.tokens.LINK
  proxy = await startProxy(localnet.rpcUrl, ({ method, params }) => {
    const [call] = params as [{ data?: string } | undefined]
    const isQuote = method === 'eth_call' && call?.data?.startsWith(pathQuoterCode)
    return isQuote && lie !== undefined ? { result: lie } : undefined
  })
  const network = { ...directNetwork(localnet), rpcUrl: proxy.url }
  const service = { engine: { refresh: async () => undefined } }
  browser = await createBrowser({ localnet, network, service: service as never })
})
afterAll(async () => {
  await proxy?.stop()
  await localnet?.stop()
})
afterEach(() => {
  lie = undefined
})

// Written from contracts/PathQuoter.sol.
const result = parseAbiParameters([
  'Result result',
  'struct Result { Path[] paths; uint256 unitReturns; uint256 time; }',
  'struct Path { address[] tokens; uint24[] fees; uint256 gas; uint256[] returned; }',
])
const encode = (quotes: PathQuotes): Hex => encodeAbiParameters(result, [quotes])

type Trades = 'ETH for DAI' | 'USDC for DAI' | 'USDC for ETH'

function tradeOf(name: Trades): Trade {
  const { USDC, DAI } = localnet.tokens
  const [sell, buy] = {
    'ETH for DAI': [nativeTokenAddress, DAI],
    'USDC for DAI': [USDC, DAI],
    'USDC for ETH': [USDC, nativeTokenAddress],
  }[name] as [Address, Address]
  return { chainId: 31337, sell, buy, amount: sell === USDC ? 2_000_000_000n : parseEther('1') }
}

async function honestQuotes({ sell, buy, amount }: Trade): Promise<PathQuotes> {
  const { contracts, chain } = createDirectStage(localnet)
  const toContract = (token: Address) => (token === nativeTokenAddress ? contracts.wrapped : token)
  const request = { sell: toContract(sell), buy: toContract(buy), amount }
  return parsePathQuotes(await chain.runConstructor(encodePathRequest(contracts, request)), request)
}

type Path = PathQuotes['paths'][number]

const eachPath = (change: (path: Path) => Path) => (quotes: PathQuotes) => ({
  ...quotes,
  paths: quotes.paths.map(change),
})
const times = (factor: bigint) =>
  eachPath((path) => ({ ...path, returned: path.returned.map((amount) => amount * factor) }))

/** The honest answer, bent. */
const lies: Record<string, (quotes: PathQuotes) => PathQuotes> = {
  'quotes 2 % too high': eachPath((path) => ({
    ...path,
    returned: path.returned.map((amount) => (amount * 102n) / 100n),
  })),
  'quotes twice as high': times(2n),
  'quotes a billion times as high': times(10n ** 9n),
  'quotes of all there is': eachPath((path) => ({ ...path, returned: path.returned.map(() => maxUint256) })),
  'quotes of nothing': times(0n),
  'gas of all there is': eachPath((path) => ({ ...path, gas: maxUint256 })),
  'a time of all there is': (quotes) => ({ ...quotes, time: maxUint256 }),
  'a time in a year': (quotes) => ({ ...quotes, time: quotes.time + 31_536_000n }),
  'a path through a stranger': eachPath((path) => ({
    ...path,
    tokens: [path.tokens[0]!, stranger, path.tokens.at(-1)!],
    fees: [3_000, 3_000],
  })),
  'a path through a stranger and v2 pairs': eachPath((path) => ({
    ...path,
    tokens: [path.tokens[0]!, stranger, path.tokens.at(-1)!],
    fees: [0, 0],
  })),
  'a path of pools that do not exist': eachPath((path) => ({ ...path, fees: path.fees.map(() => 7) })),
  'another bought token': eachPath((path) => ({ ...path, tokens: path.tokens.with(-1, stranger) })),
  'another sold token': eachPath((path) => ({ ...path, tokens: path.tokens.with(0, stranger) })),
  'a mix of v2 pairs and v3 pools': eachPath((path) => ({
    ...path,
    tokens: [path.tokens[0]!, localnet.tokens.USDT, path.tokens.at(-1)!],
    fees: [0, 500],
  })),
  'too few fees': eachPath((path) => ({ ...path, fees: path.fees.slice(1) })),
  'too many fees': eachPath((path) => ({ ...path, fees: [...path.fees, 500] })),
  'a path of one token': eachPath((path) => ({ ...path, tokens: path.tokens.slice(0, 1), fees: [] })),
  'a path of no token': eachPath((path) => ({ ...path, tokens: [], fees: [] })),
  'a path of 200 pools': eachPath((path) => {
    const there = Array.from(
      { length: 199 },
      (_, hop) => path.tokens[hop % 2 === 0 ? 0 : path.tokens.length - 1]!,
    )
    return { ...path, tokens: [...there, path.tokens.at(-1)!], fees: there.map(() => 500) }
  }),
  'too few parts': eachPath((path) => ({ ...path, returned: path.returned.slice(1) })),
  'too many parts': eachPath((path) => ({ ...path, returned: [...path.returned, 1n] })),
  'no parts': eachPath((path) => ({ ...path, returned: [] })),
  'no paths': (quotes) => ({ ...quotes, paths: [] }),
  'a thousand paths': (quotes) => ({
    ...quotes,
    paths: Array.from({ length: 1_000 }, () => quotes.paths[0]!),
  }),
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** No encoding of quotes. */
const garbage: Record<string, (honest: Hex) => Hex> = {
  nothing: () => '0x',
  'a byte': () => '0x00',
  'a word': () => `0x${word(32n)}`,
  zeros: () => `0x${'00'.repeat(4_096)}`,
  ones: () => `0x${'ff'.repeat(4_096)}`,
  'the first half': (honest) => honest.slice(0, 2 + 64 * Math.floor(honest.length / 128)) as Hex,
  'another revert': () => `0x08c379a0${word(32n)}${word(0n)}`,
  'an array of 2^255 paths': (honest) => withWord(honest, 4, 2n ** 255n),
  'an array of a million paths': (honest) => withWord(honest, 4, 1_000_000n),
  'paths that share their bytes': () => {
    const count = 20_000n
    const offsets = Array.from({ length: Number(count) }, () => word(32n * count)).join('')
    return `0x${word(32n)}${word(96n)}${word(0n)}${word(0n)}${word(count)}${offsets}${word(128n).repeat(8)}`
  },
  'a fee above 24 bits': (honest) =>
    honest.replace(new RegExp(`${word(500n)}|${word(3_000n)}|${word(100n)}`), word(2n ** 24n)) as Hex,
  'four megabytes': () => `0x${word(32n)}${'00'.repeat(4_000_000)}`,
}

function withWord(data: Hex, at: number, value: bigint): Hex {
  return `0x${data.slice(2, 2 + 64 * at)}${word(value)}${data.slice(66 + 64 * at)}`
}

/** Reviews, confirms where the wallet lets the user, and returns why nothing was signed. */
async function reasonOf(trade: Trade): Promise<string> {
  const worker = createWorker(browser)
  try {
    const review = await worker.review(trade)
    const intent = accept(browser.account, trade, review)
    await worker.swap(intent)
    const { outcome } = await worker.over(intent.id)
    return outcome.status === 'failed' ? `${review.verdict.status}, ${outcome.code}` : outcome.status
  } catch (error) {
    // Anything else is a crash.
    expect(error).toBeInstanceOf(WalletError)
    return toWalletError(error).code
  }
}

const sent = () => proxy.methods.filter((method) => method === 'eth_sendRawTransaction').length

const refused = 'node-refused'
const fails = 'reverts, would-fail'
const tooLow = 'below-floor, below-floor'

/** Otherwise no quotes at all. */
const ends: Record<string, string> = {
  'quotes 2 % too high': tooLow,
  'quotes twice as high': tooLow,
  'quotes a billion times as high': tooLow,
  'quotes of nothing': 'no-route',
  'no paths': 'no-route',
  'gas of all there is': 'unsafe-transaction',
  'a time in a year': 'unsafe-transaction',
  'a path through a stranger': 'unsafe-transaction',
  'a path through a stranger and v2 pairs': 'unsafe-transaction',
  'a path of pools that do not exist': fails,
  // Through a token that is no connector here.
  'a mix of v2 pairs and v3 pools': 'unsafe-transaction',
}

describe.each<Trades>(['ETH for DAI', 'USDC for DAI', 'USDC for ETH'])('a lying RPC, %s', (name) => {
  it.each(Object.keys(lies))('gets no signature for a swap by %s', async (what) => {
    const trade = tradeOf(name)
    lie = encode(lies[what]!(await honestQuotes(trade)))
    const before = sent()
    expect(await reasonOf(trade)).toBe(ends[what] ?? refused)
    expect(sent()).toBe(before)
  })

  it.each(Object.keys(garbage))('gets no signature for a swap by %s instead of quotes', async (what) => {
    const trade = tradeOf(name)
    lie = garbage[what]!(encode(await honestQuotes(trade)))
    const before = sent()
    expect(await reasonOf(trade)).toBe(refused)
    expect(sent()).toBe(before)
  })
})

describe('a lying RPC', () => {
  it('only chooses among splits by a wrong price of gas, and pays what the user accepted', async () => {
    const trade = tradeOf('USDC for DAI')
    lie = encode({ ...(await honestQuotes(trade)), unitReturns: maxUint256 })
    const { chain } = createDirectStage(localnet)
    const read = async () => (await chain.balances(browser.account, [trade.buy]))[trade.buy] ?? 0n
    const before = await read()
    const worker = createWorker(browser)
    const review = await worker.review(trade)
    const intent = accept(browser.account, trade, review)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome.status).toBe('done')
    expect((await read()) - before).toBeGreaterThanOrEqual(review.floor)
  })
})
