import { encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { simulateAll } from '../../../src/background/swap/simulate.ts'
import type { SwapTransaction, Trade } from '../../../src/domain/swap/quote.ts'
import { requireMatch, type SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { WalletError } from '../../../src/errors.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import { createSwapJudge } from '../../helpers/background/swapJudge.ts'
import { createDirectStage } from '../../helpers/node/directSwaps.ts'
import { openV3Pool } from '../../helpers/node/v3Pools.ts'
import { legV3, multicall, refund, sweep, toRouter, unwrap } from '../../helpers/samples/directCalls.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// SwapRouter02 has no lock, and pays with the account's wrapped tokens when its native ones are gone.

const account: Address = '0xa11ce00000000000000000000000000000000001'
const ether = parseEther('1')
const liquidity = parseEther('1000')

let localnet: Localnet
let stage: ReturnType<typeof createDirectStage>
let judge: ReturnType<typeof createSwapJudge>
let weth: Address
let evil: Address
let taxed: Address

beforeAll(async () => {
  localnet = await createLocalnet()
  const { client, tokens, contracts } = localnet
  weth = tokens.WETH
  stage = createDirectStage(localnet, [weth, tokens.USDC, tokens.USDT, tokens.DAI])
  judge = createSwapJudge({ localnet, chain: stage.chain, direct: stage.contracts })
  const { Reentrant } = await compileFile('Reentrant.sol', ['Reentrant'])
  const { Taxed } = await compileFile('Taxes.sol', ['Taxed'])
  evil = await deploy(Reentrant, [contracts.swapRouter, weth])
  // Place.OutOfPool
  taxed = await deploy(Taxed, [1])
  await localnet.fund(account)
  await client.impersonateAccount({ address: account })
  // Of an earlier swap: more than a sale of native tokens needs.
  for (const token of [weth, tokens.USDC]) await approve(token)
  for (const token of [evil, taxed]) {
    const pool = await openV3Pool(localnet, [weth, token], liquidity)
    await send(token, encodeFunctionData({ abi: openAbi, functionName: 'open', args: [pool] }))
  }
})
afterAll(() => localnet?.stop())

const openAbi = [
  {
    type: 'function',
    name: 'open',
    inputs: [{ type: 'address' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
] as const

async function deploy({ abi, bytecode }: Artifact, args: unknown[]): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  return (await localnet.client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
}

const send = (to: Address, data: Hex) => localnet.client.execute({ account, to, data })

function approve(token: Address) {
  const args = [stage.contracts.router, maxUint256] as const
  return send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
}

function balanceOf(token: Address, owner: Address): Promise<bigint> {
  const { client } = localnet
  if (token === nativeTokenAddress) return client.getBalance({ address: owner })
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

/** Honest calldata of the wallet. */
async function order(sell: Address, buy: Address, amount: bigint) {
  const trade: Trade = { chainId: localnet.chainId, sell, buy, amount }
  const transaction = await stage.api.swap(trade, { from: account, origin: account, slippageBps: 100 })
  return toDeal(trade, transaction)
}

function toDeal(trade: Trade, transaction: SwapTransaction) {
  const agreed: SwapExpectations = {
    account,
    trade,
    floor: (transaction.returns * 99n) / 100n,
    router: stage.contracts.router,
  }
  return { agreed, transaction }
}

/** Sends it, and reverts it. Changes without the network fee. */
async function lossesOf({ to, data, value }: SwapTransaction, tokens: Address[]) {
  const { client } = localnet
  const snapshot = await client.snapshot()
  try {
    const before = await Promise.all(tokens.map((token) => balanceOf(token, account)))
    const hash = await client.sendTransaction({ account, to, data, value, gas: 2_000_000n })
    const { status, gasUsed, effectiveGasPrice } = await client.receiptOf(hash)
    const after = await Promise.all(tokens.map((token) => balanceOf(token, account)))
    const fee = gasUsed * effectiveGasPrice
    const changes = tokens.map(
      (token, at) => (after[at] ?? 0n) - (before[at] ?? 0n) + (token === nativeTokenAddress ? fee : 0n),
    )
    return { status, changes, taken: await balanceOf(nativeTokenAddress, evil) }
  } finally {
    await client.revert({ id: snapshot })
  }
}

const unseen = { status: 'unknown', reason: 'The RPC cannot simulate.' } as const

function codeOf(act: () => void): Pick<WalletError, 'code' | 'facts'> | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    const { code, facts } = error as WalletError
    return { code, facts }
  }
}

describe('a bought token that calls the router during the swap', () => {
  it('would make the account pay twice for native tokens', async () => {
    const { agreed, transaction } = await order(nativeTokenAddress, evil, ether)
    const { status, changes, taken } = await lossesOf(transaction, [nativeTokenAddress, weth, evil])
    expect(status).toBe('success')
    expect(changes.slice(0, 2)).toEqual([-ether, -ether])
    // All that the calldata says holds, though.
    expect(changes[2]).toBeGreaterThanOrEqual(agreed.floor)
    expect(taken).toBe(ether)
  })

  it('gets no signature: the calldata is not binding, and the simulation shows what leaves', async () => {
    const { agreed, transaction } = await order(nativeTokenAddress, evil, ether)
    const terms = await judge.verify(agreed, transaction)
    expect(terms.isBinding).toBe(false)
    expect(codeOf(() => requireMatch(unseen, terms, []))).toMatchObject({
      code: 'unsafe-transaction',
      facts: { fact: 'untried' },
    })
    const { to, data, value } = transaction
    const { verdict } = await simulateAll(stage.chain, [{ to, data, value }], agreed)
    expect(verdict.status).toBe('unexpected')
    expect(codeOf(() => requireMatch(verdict, terms, []))).toMatchObject({
      code: 'unexpected-change',
      facts: { kind: 'leaves', token: weth, amount: String(ether) },
    })
  })

  it('would take the rest of a split, too, which is not binding either', async () => {
    const { agreed, transaction: honest } = await order(nativeTokenAddress, evil, ether)
    const leg = { tokens: [weth, evil], to: toRouter, amount: ether / 2n, fees: [3_000] }
    const calls = [legV3(leg), legV3(leg), sweep(evil, agreed.floor, account), refund()]
    const transaction = { ...honest, data: multicall(calls, await inTenMinutes()) }
    expect((await judge.verify(agreed, transaction)).isBinding).toBe(false)
    const { status, changes } = await lossesOf(transaction, [nativeTokenAddress, weth])
    expect([status, changes]).toEqual(['success', [-ether, -ether]])
  })

  it('makes a swap of other tokens revert, when it takes those between two pools', async () => {
    const usdc = localnet.tokens.USDC
    const { agreed, transaction: honest } = await order(usdc, weth, 3_000_000_000n)
    const leg = { tokens: [usdc, weth, evil], to: account, amount: 3_000_000_000n, min: 1n }
    const trade = { ...agreed.trade, buy: evil }
    const data = multicall([legV3({ ...leg, fees: [500, 3_000] })], await inTenMinutes())
    const transaction = { ...honest, trade, data }
    expect(await judge.verify({ ...agreed, trade, floor: 1n }, transaction)).toMatchObject({ floor: 1n })
    const { status, changes } = await lossesOf(transaction, [usdc, weth])
    expect([status, changes]).toEqual(['reverted', [0n, 0n]])
  })
})

describe('a sold token that calls the router during the swap', () => {
  it('makes the swap revert, when it takes what the router holds for the payout', async () => {
    await localnet.client.execute({
      to: evil,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [account, ether * 2n] }),
    })
    await approve(evil)
    const { agreed, transaction: honest } = await order(evil, nativeTokenAddress, ether)
    const leg = { tokens: [evil, weth], to: toRouter, amount: ether / 2n, fees: [3_000] }
    const calls = [legV3(leg), legV3(leg), unwrap(agreed.floor, account)]
    const transaction = { ...honest, data: multicall(calls, await inTenMinutes()) }
    expect((await judge.verify(agreed, transaction)).isBinding).toBe(true)
    const { status, changes } = await lossesOf(transaction, [evil, nativeTokenAddress, weth])
    expect([status, changes]).toEqual(['reverted', [0n, 0n, 0n]])
  })
})

describe('a bought token that keeps a part of each transfer', () => {
  it('arrives below the minimum, as v3 pools count what they send', async () => {
    const { agreed, transaction } = await order(weth, taxed, ether)
    const { status, changes } = await lossesOf(transaction, [taxed])
    expect(status).toBe('success')
    expect(changes[0]).toBeLessThan(agreed.floor)
  })

  it('gets no signature: the calldata is not binding, and the simulation shows what arrives', async () => {
    const { agreed, transaction } = await order(weth, taxed, ether)
    const terms = await judge.verify(agreed, transaction)
    expect(terms).toEqual({ floor: agreed.floor, isBinding: false })
    const { to, data, value } = transaction
    const { verdict } = await simulateAll(stage.chain, [{ to, data, value }], agreed)
    expect(codeOf(() => requireMatch(verdict, terms, []))?.code).toBe('below-floor')
  })
})

async function inTenMinutes(): Promise<bigint> {
  return (await stage.chain.blockTime()) + 600n
}
