import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createIncomingTransfers } from '../../../src/background/activity/incoming.ts'
import type { Activity } from '../../../src/domain/activity/activity.ts'
import type { IncomingTransfer } from '../../../src/domain/activity/incoming.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { type NodeProxy, notFound, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let usdc: Address
let dai: Address
let proxy: NodeProxy | undefined
let items: Map<string, string>
let heard: IncomingTransfer[]
let account: Address
let tracked: Address[]
let sent: Activity[]
let made = 0

beforeAll(async () => {
  localnet = await createLocalnet()
  usdc = localnet.tokens.USDC
  dai = localnet.tokens.DAI
  await localnet.client.setBalance({ address: deployer, value: parseEther('1000') })
})
afterAll(() => localnet.stop())

beforeEach(async () => {
  await proxy?.stop()
  proxy = undefined
  items = new Map()
  heard = []
  sent = []
  tracked = [usdc, dai]
  account = `0x${(++made).toString(16).padStart(40, 'a')}` as Address
})

const networkAt = (rpcUrl: string): Network => localNetwork({ chainId: localnet.chainId, rpcUrl })

type PricesOf = Parameters<typeof createIncomingTransfers>[0]['pricesOf'] & object

/** A worker; another one on the same storage is a restart. */
function createWorker(rpcUrl = localnet.rpcUrl, more: { pricesOf?: PricesOf; now?(): number } = {}) {
  const chain = createChain(networkAt(rpcUrl))
  const incoming = createIncomingTransfers({
    local: memoryArea(items),
    networks: { chain: async () => chain },
    sent: async () => sent,
    onReceived: (one) => heard.push(one),
    now: () => 5_000,
    ...more,
  })
  return {
    list: incoming.list,
    async look(tokens = [nativeTokenAddress, usdc, dai], isComplete = true): Promise<void> {
      const block = await chain.blockNumber()
      const balances = await chain.balances(account, tokens)
      const isTracked = async () => new Set(tracked)
      const { chainId } = localnet
      await incoming.observe({ chainId, account, balances, block, isComplete, tracked: isTracked })
    },
  }
}

async function startNode(answer: (question: Question) => object | undefined): Promise<NodeProxy> {
  proxy = await startProxy(localnet.rpcUrl, answer)
  return proxy
}

const pay = (value: bigint) => localnet.client.execute({ to: account, value, gas: 100_000n })

const transferData = (amount: bigint, to = account) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

/** From a holder without a key. */
async function give(token: Address, amount: bigint, holder: Address = giver): Promise<Hex> {
  const { client } = localnet
  await client.impersonateAccount({ address: holder })
  await client.setBalance({ address: holder, value: parseEther('10') })
  const data = transferData(amount)
  const { transactionHash } = await client.execute({ account: holder, to: token, data, gas: 200_000n })
  await client.stopImpersonatingAccount({ address: holder })
  return transactionHash
}

const sentBy = (sender: Address, hash: Hex) =>
  ({ intent: { account: sender }, steps: [{ hash }] }) as unknown as Activity

const giver: Address = `0x${'61'.repeat(20)}`
beforeAll(() => localnet.fund(giver))

const refusing =
  (...methods: string[]) =>
  (question: Question) =>
    methods.includes(question.method) ? notFound : undefined

describe('native tokens', () => {
  it('tells the sender, the block and its time of a payment', async () => {
    const worker = createWorker()
    await worker.look()
    const { transactionHash, blockNumber } = await pay(parseEther('10'))
    await worker.look()
    const { timestamp } = await localnet.client.getBlock({ blockNumber })
    const [entry] = await worker.list()
    expect(entry).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      account,
      chainId: localnet.chainId,
      token: nativeTokenAddress,
      amount: parseEther('10'),
      createdAt: Number(timestamp) * 1_000,
      from: deployer,
      hash: transactionHash,
      block: blockNumber,
    })
    expect(heard).toEqual([entry])
  })

  it('stores the price of what has just arrived, and none for older transfers or without prices', async () => {
    const asked: unknown[] = []
    let nowMs = 0
    const pricesOf: PricesOf = async (...question) => {
      asked.push(question)
      if (asked.length === 3) throw new Error('No answer.')
      return { [nativeTokenAddress]: { usd: 3n, per: 4n, source: 'oracle' } }
    }
    const worker = createWorker(localnet.rpcUrl, { pricesOf, now: () => nowMs })
    await worker.look()
    expect(asked).toEqual([])
    for (const [amount, lateMs] of [
      [1n, 1_000],
      [2n, 3_600_000],
      [3n, 1_000],
    ] as const) {
      const { blockNumber } = await pay(amount)
      const { timestamp } = await localnet.client.getBlock({ blockNumber })
      nowMs = Number(timestamp) * 1_000 + lateMs
      await worker.look()
    }
    expect(asked[0]).toEqual([localnet.chainId, [nativeTokenAddress]])
    const found = new Map((await createWorker().list()).map(({ amount, price }) => [amount, price]))
    expect(found).toEqual(
      new Map([
        [1n, { usd: 3n, per: 4n }],
        [2n, undefined],
        [3n, undefined],
      ]),
    )
  })

  it('makes no entry of what an account had before it was first seen', async () => {
    await pay(1n)
    const worker = createWorker()
    await worker.look()
    await worker.look()
    expect(await worker.list()).toEqual([])
  })

  it('finds a payment hundreds of blocks ago with few requests', async () => {
    const node = await startNode(() => undefined)
    const worker = createWorker(node.url)
    await worker.look()
    await localnet.client.mine({ blocks: 90 })
    const { transactionHash } = await pay(7n)
    await localnet.client.mine({ blocks: 90 })
    node.methods.length = 0
    await worker.look()
    expect(await worker.list()).toMatchObject([{ amount: 7n, from: deployer, hash: transactionHash }])
    expect(node.methods.filter((method) => method === 'eth_getBalance').length).toBeLessThanOrEqual(10)
    expect(node.methods.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(1)
  })

  it('tells several payments of one look apart', async () => {
    const worker = createWorker()
    await worker.look()
    await pay(1n)
    await localnet.client.mine({ blocks: 3 })
    await pay(2n)
    await worker.look()
    expect((await worker.list()).map(({ amount, from }) => ({ amount, from })).sort()).toEqual(
      expect.arrayContaining([
        { amount: 1n, from: deployer },
        { amount: 2n, from: deployer },
      ]),
    )
    expect(heard).toHaveLength(2)
  })

  it('tells only the block of what no transaction of it paid', async () => {
    const worker = createWorker()
    await worker.look()
    await localnet.client.mine({ blocks: 1 })
    await localnet.client.setBalance({ address: account, value: 9n })
    await localnet.client.mine({ blocks: 1 })
    await worker.look()
    const [entry] = await worker.list()
    expect(entry).toMatchObject({ amount: 9n, block: expect.any(BigInt) })
    expect(entry).not.toHaveProperty('from')
    expect(entry).not.toHaveProperty('hash')
  })

  it('tells only the amount when the RPC keeps no older state', async () => {
    let head = 0n
    const node = await startNode(({ method, params }) => {
      if (method === 'eth_getBalance' && params[1] !== 'latest' && BigInt(String(params[1])) < head)
        return { error: { code: -32000, message: 'missing trie node' } }
      return undefined
    })
    const worker = createWorker(node.url)
    await worker.look()
    await localnet.client.mine({ blocks: 5 })
    const { blockNumber } = await pay(3n)
    head = blockNumber
    await worker.look()
    const [entry] = await worker.list()
    expect(entry).toEqual({
      id: expect.any(String),
      account,
      chainId: localnet.chainId,
      token: nativeTokenAddress,
      amount: 3n,
      createdAt: 5_000,
    })
  })

  it('counts only payments that others sent when the account sent something itself', async () => {
    await localnet.client.setBalance({ address: account, value: parseEther('1') })
    const worker = createWorker()
    await worker.look()
    const { client } = localnet
    await client.impersonateAccount({ address: account })
    // Unwraps: the native tokens come from a contract, in an own transaction.
    await client.setBalance({ address: account, value: parseEther('5') })
    await client.execute({ account, to: localnet.tokens.WETH, data: '0xd0e30db0', value: parseEther('2') })
    await worker.look()
    const withdraw = `0x2e1a7d4d${parseEther('2').toString(16).padStart(64, '0')}` as Hex
    await client.execute({ account, to: localnet.tokens.WETH, data: withdraw })
    const { transactionHash } = await pay(4n)
    await worker.look()
    expect(await worker.list()).toMatchObject([{ amount: 4n, from: deployer, hash: transactionHash }])
  })

  it('makes no entry of a failed payment', async () => {
    const worker = createWorker()
    await worker.look()
    // Code that reverts.
    await localnet.client.setCode({ address: account, bytecode: '0x5f5ffd' })
    const hash = await localnet.client.sendTransaction({ to: account, value: 5n, gas: 100_000n })
    await localnet.client.receiptOf(hash)
    await localnet.client.setBalance({ address: account, value: 6n })
    await localnet.client.mine({ blocks: 1 })
    await worker.look()
    expect((await worker.list()).map(({ amount, from }) => [amount, from])).toEqual([[6n, undefined]])
  })
})

describe('other tokens', () => {
  it('tells the sender, the block and the transaction by the log', async () => {
    const worker = createWorker()
    await worker.look()
    const hash = await give(usdc, 1_500_000n)
    await worker.look()
    expect(await worker.list()).toMatchObject([{ token: usdc, amount: 1_500_000n, from: giver, hash }])
    expect(heard).toHaveLength(1)
  })

  it('stores a transfer once, also after a restart and when its blocks are read again', async () => {
    await createWorker().look()
    await give(usdc, 5n)
    await createWorker().look()
    // A record from before: the same blocks are read again.
    const [[key, text]] = [...items] as [[string, string]]
    items.set(key, text.replaceAll(`\\"${usdc}\\":{\\"#bigint\\":\\"5\\"}`, ''))
    expect(items.get(key)).not.toBe(text)
    await createWorker().look()
    const after = createWorker()
    await after.look()
    expect(await after.list()).toHaveLength(1)
    expect(heard).toHaveLength(1)
  })

  it('makes no entry of tokens that are neither listed nor added', async () => {
    tracked = [dai]
    const node = await startNode(() => undefined)
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 5n)
    await worker.look()
    expect(await worker.list()).toEqual([])
    expect(node.methods).not.toContain('eth_getLogs')
  })

  it('makes no entry of a transfer of nothing', async () => {
    const worker = createWorker()
    await worker.look()
    await give(usdc, 0n)
    await give(usdc, 2n)
    await worker.look()
    expect((await worker.list()).map(({ amount }) => amount)).toEqual([2n])
  })

  it('makes no entry of what an own transaction brought', async () => {
    const worker = createWorker()
    await worker.look()
    await give(dai, 1n)
    const hash = await give(usdc, 5n)
    sent.push(sentBy(account, hash))
    await worker.look()
    expect(await worker.list()).toMatchObject([{ token: dai }])

    // As a swap in another wallet with the same key: the account itself is the sender of the transaction.
    const { client } = localnet
    await client.impersonateAccount({ address: giver })
    await client.execute({
      account: giver,
      to: usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [account, 9n] }),
    })
    await client.impersonateAccount({ address: account })
    await client.setBalance({ address: account, value: parseEther('1') })
    const pull = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [giver, account, 9n],
    })
    await client.execute({ account, to: usdc, data: pull })
    await worker.look([usdc, dai])
    expect((await worker.list()).filter(({ token }) => token === usdc)).toEqual([])
  })

  it('tells a transfer from another account of the wallet', async () => {
    const worker = createWorker()
    await worker.look()
    const hash = await give(usdc, 5n)
    sent.push(sentBy(giver, hash))
    await worker.look()
    expect(await worker.list()).toMatchObject([{ token: usdc, amount: 5n, from: giver, hash }])
  })

  it('tells only the amount when the RPC serves no logs', async () => {
    const node = await startNode(refusing('eth_getLogs'))
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 8n)
    await worker.look()
    const [entry] = await worker.list()
    expect(entry).toMatchObject({ token: usdc, amount: 8n, createdAt: 5_000 })
    expect(Object.keys(entry!)).not.toEqual(expect.arrayContaining(['from']))
    await worker.look()
    expect(heard).toHaveLength(1)
  })

  it('makes no entry without a log when the account sent something meanwhile', async () => {
    const node = await startNode(refusing('eth_getLogs'))
    await localnet.client.setBalance({ address: account, value: parseEther('1') })
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 8n)
    await localnet.client.impersonateAccount({ address: account })
    await localnet.client.execute({ account, to: giver, value: 1n })
    await worker.look()
    expect(await worker.list()).toEqual([])
  })

  it('splits the range for an RPC that limits it', async () => {
    let ranges: bigint[] = []
    const node = await startNode(({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const size = BigInt(toBlock) - BigInt(fromBlock) + 1n
      ranges.push(size)
      return size > 50n ? { error: { code: -32600, message: 'block range is too large' } } : undefined
    })
    const worker = createWorker(node.url)
    await worker.look()
    ranges = []
    await give(usdc, 3n)
    await localnet.client.mine({ blocks: 120 })
    await worker.look()
    expect(await worker.list()).toMatchObject([{ amount: 3n, from: giver }])
    expect(ranges[0]).toBeGreaterThan(100n)
    expect(ranges.length).toBeLessThanOrEqual(12)
  })

  it('goes on where an RPC with short ranges ended the last read', async () => {
    const ranges: [bigint, bigint][] = []
    const node = await startNode(({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
      if (to - from >= 10n) return { error: { code: -32600, message: 'block range is too large' } }
      ranges.push([from, to])
      return undefined
    })
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 3n)
    await localnet.client.mine({ blocks: 600 })
    await give(usdc, 4n)
    await give(dai, 5n)
    await worker.look()
    expect((await worker.list()).map(({ amount }) => amount)).toEqual([3n])
    expect(ranges.length).toBeLessThanOrEqual(24)
    // A restart in between.
    const next = createWorker(node.url)
    for (let looks = 0; looks < 3; looks++) await next.look()
    expect((await next.list()).map(({ amount }) => amount).sort()).toEqual([3n, 4n, 5n])
    expect(heard).toHaveLength(3)
    const known = ranges.length
    await next.look()
    expect(ranges).toHaveLength(known)
    // No block was left out.
    const gaps = ranges.slice(1).filter(([from], index) => from > (ranges[index]?.[1] ?? 0n) + 1n)
    expect(gaps).toEqual([])
  })

  it('tells more than 20 transfers, some with each read', async () => {
    const worker = createWorker()
    await worker.look()
    for (let index = 0; index < 23; index++) await give(usdc, BigInt(index + 1))
    await worker.look()
    expect(await worker.list()).toHaveLength(20)
    await worker.look()
    expect((await worker.list()).map(({ amount }) => Number(amount)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 23 }, (_, index) => index + 1),
    )
  })

  it('waits for the log of an RPC that lags behind, and then tells it', async () => {
    let isLagging = true
    const node = await startNode(({ method }) =>
      method === 'eth_getLogs' && isLagging ? { result: [] } : undefined,
    )
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 6n)
    await worker.look()
    expect(await worker.list()).toEqual([])
    isLagging = false
    await worker.look()
    expect(await worker.list()).toMatchObject([{ amount: 6n, from: giver }])
  })

  it('ignores logs of other tokens and recipients that an RPC adds', async () => {
    const node = await startNode(({ method }) => {
      if (method !== 'eth_getLogs') return undefined
      const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
      const log = {
        address: usdc,
        topics: [transferTopic, word(giver), word(account)],
        data: `0x${'1'.padStart(64, '0')}`,
        blockNumber: '0x1',
        transactionHash: `0x${'9'.repeat(64)}`,
        logIndex: '0x0',
      }
      const other = { ...log, topics: [transferTopic, word(giver), word(deployer)] }
      return { result: [log, other, { ...log, address: giver }] }
    })
    const worker = createWorker(node.url)
    await worker.look()
    await give(usdc, 6n)
    for (let looks = 0; looks < 4; looks++) await worker.look()
    expect(await worker.list()).toEqual([])
  })
})

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

describe('storage', () => {
  it('keeps at most 100 transfers of an account on a network', async () => {
    await createWorker().look()
    const [[key, text]] = [...items] as [[string, string]]
    const record = JSON.parse(JSON.parse(text))
    const big = (value: bigint) => ({ '#bigint': String(value) })
    record.transfers = Array.from({ length: 100 }, (_, index) => ({
      id: String(index),
      account,
      chainId: localnet.chainId,
      token: usdc,
      amount: big(1n),
      createdAt: 1_000 + index,
    }))
    items.set(key, JSON.stringify(JSON.stringify(record)))
    await give(usdc, 5n)
    const worker = createWorker()
    await worker.look()
    const list = await worker.list()
    expect(list).toHaveLength(100)
    expect(list[0]).toMatchObject({ amount: 5n, from: giver })
    expect(list.at(-1)).toMatchObject({ id: '1' })
  })

  it('drops dust before other transfers', async () => {
    await give(usdc, 1_000_000n)
    await createWorker().look()
    await give(usdc, 2_000_000n)
    await createWorker().look()
    const [[key, text]] = [...items] as [[string, string]]
    const record = JSON.parse(JSON.parse(text))
    const [real] = record.transfers
    real.createdAt -= 10_000
    const dust = Array.from({ length: 99 }, (_, index) => ({
      ...real,
      id: `dust ${index}`,
      createdAt: real.createdAt + index + 1,
    }))
    record.transfers = [...record.transfers, ...dust]
    record.dust = dust.map(({ id }) => id)
    items.set(key, JSON.stringify(JSON.stringify(record)))
    await give(usdc, 2_999n)
    await give(usdc, 3_100n)
    const worker = createWorker()
    await worker.look()
    const list = await worker.list()
    expect(list).toHaveLength(100)
    expect(list.map(({ amount }) => amount)).toContain(2_000_000n)
    expect(list.map(({ amount }) => amount)).toContain(3_100n)
    const stored = JSON.parse(JSON.parse(items.get(key) ?? ''))
    // Below a thousandth of the balance.
    const small = list.find(({ amount }) => amount === 2_999n)
    expect(stored.dust).toContain(small?.id)
    expect(stored.dust).toHaveLength(98)
  })

  it('goes on when the chain was started anew', async () => {
    await createWorker().look()
    const [[key, text]] = [...items] as [[string, string]]
    const later = (found: string) => found.replace(/\d+/, (block) => String(Number(block) + 5_000))
    items.set(key, text.replace(/\\"block\\":\{\\"#bigint\\":\\"\d+/g, later))
    expect(items.get(key)).not.toBe(text)
    const worker = createWorker()
    await pay(1n)
    await give(usdc, 1n)
    for (let looks = 0; looks < 3; looks++) await worker.look()
    expect(await worker.list()).toEqual([])
    await pay(2n)
    await give(usdc, 3n)
    await worker.look()
    expect((await worker.list()).map(({ amount }) => amount).sort()).toEqual([2n, 3n])
  })

  it('starts anew after a damaged record', async () => {
    await createWorker().look()
    const [[key]] = [...items] as [[string, string]]
    items.set(key, '"{\\"seen\\":1}"')
    const worker = createWorker()
    await worker.look()
    expect(await worker.list()).toEqual([])
    await give(usdc, 5n)
    await worker.look()
    expect(await worker.list()).toHaveLength(1)
  })
})
