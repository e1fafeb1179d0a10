import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther } from 'viem'
import { deployer } from '../../dev/chain/client.ts'
import type { Localnet } from '../../dev/localnet.ts'
import type { Address } from '../../service/config.ts'
import type { Pool } from '../../service/pools/pool.ts'
import { toPool } from '../../service/pools/registry.ts'
import { wrapped } from '../../service/pools/wrappedNative.ts'
import type { SettledRoute } from '../../service/routing/gasParts.ts'
import { withNativeHops } from '../../service/routing/nativeHops.ts'
import { encodeSwap } from '../../service/swap/calldata.ts'
import { encodeRouterCall } from '../../src/api/direct/routerCalldata.ts'
import { toAmount } from '../routing/trades.ts'
import type { PeerMarket, PeerRoute, PeerTrade } from './peer.ts'

/** `gas` is that of the transaction. */
export type Executed = { received: bigint; gas: number }

/** Simulated transactions at the newest block, which they leave as it is; undefined if one reverts. */
export type Executor = {
  /** Swaps through every pool in every direction: a pool's first swap fills empty slots and costs more. */
  warmUp(market: PeerMarket): Promise<void>
  /** By our router contract. */
  ours(trade: PeerTrade, route: SettledRoute): Promise<Executed | undefined>
  /** By SwapRouter02, which has the chain's Uniswap pools. */
  uniswap(trade: PeerTrade, route: PeerRoute, minReturn: bigint): Promise<Executed | undefined>
}

type PoolFee = (pool: Address) => number

/** The recipient of every trade; it holds nothing before. */
const recipient: Address = '0x00000000000000000000000000000000000c0ffe'

const wethAbi = parseAbi(['function deposit() payable'])

/** Gives the deployer every token and approves both routers. `feeOf` returns 0 for a v2 pool. */
export async function createExecutor(localnet: Localnet, feeOf: PoolFee): Promise<Executor> {
  const { client, config, contracts, tokens, chainId } = localnet
  await client.setBalance({ address: deployer, value: parseEther('1000000000') })
  const deposit = encodeFunctionData({ abi: wethAbi, functionName: 'deposit' })
  await client.execute({ to: tokens.WETH, data: deposit, value: parseEther('100000000') })
  for (const token of Object.values(tokens)) {
    for (const spender of [config.router, contracts.swapRouter]) {
      const args = [spender, maxUint256] as const
      await client.execute({
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
      })
    }
  }

  /** Routes are often the same at every gas price, and simulations leave the state as it is. */
  const known = new Map<string, Promise<Executed | undefined>>()

  function run(buy: Address, to: Address, data: `0x${string}`): Promise<Executed | undefined> {
    const executed = known.get(to + data) ?? simulate(buy, to, data)
    known.set(to + data, executed)
    return executed
  }

  async function simulate(buy: Address, to: Address, data: `0x${string}`): Promise<Executed | undefined> {
    const args = [recipient] as const
    const read = { to: buy, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }) }
    const calls = [read, { to, data }, read].map((call) => ({ account: deployer, ...call }))
    const { timestamp } = await client.getBlock()
    const [block] = await client.simulateBlocks({
      blocks: [{ blockOverrides: { time: timestamp + 1n }, calls }],
    })
    const [before, swapped, after] = block?.calls ?? []
    if (swapped?.status !== 'success' || !before || !after) return undefined
    return { received: BigInt(after.data) - BigInt(before.data), gas: Number(swapped.gasUsed) }
  }

  async function swapOnce(pool: Pool, sell: Address, buy: Address, amount: bigint): Promise<void> {
    const hop = { pool, from: 0, to: 1, weight: 0, sold: amount, bought: pool.quote(sell, buy, amount) }
    const plain = { tokens: [sell, buy], branches: [{ weight: 0, edges: [hop] }], returns: 1n }
    const ends = { coin: wrapped(config.wrapped), sellsCoin: false, buysCoin: false }
    const named = pool.isNative ? withNativeHops(amount, plain, ends) : plain
    if (named === undefined) throw new Error(`The pool ${pool.address} fills ${amount} only by one name.`)
    const edges = named.branches.flatMap((branch) => branch.edges)
    const { to, data } = encodeSwap({
      ...{ config, route: { ...named, edges, amount, gas: 0n }, sell, buy, amount },
      ...{ receiver: deployer, minReturn: 1n },
      ...{ feePpm: 0, referrer: undefined, permit: undefined, deadline },
    })
    await client.execute({ to, data })
  }

  return {
    async warmUp({ pools, tokens }) {
      const amounts = new Map(tokens.map((token) => [token.address, toAmount(token, warmUpUsd)]))
      for (const snapshot of pools) {
        const pool = toPool(snapshot)
        for (const sell of pool.tokens) {
          const amount = amounts.get(sell) as bigint
          for (const buy of pool.tokens) {
            if (sell !== buy && pool.quote(sell, buy, amount) > 0n) await swapOnce(pool, sell, buy, amount)
          }
        }
      }
    },

    ours({ sell, buy, amount }, route) {
      const { to, data } = encodeSwap({
        ...{ config, route, sell, buy, amount, receiver: recipient, minReturn: route.returns },
        ...{ feePpm: 0, referrer: undefined, permit: undefined, deadline },
      })
      return run(buy, to, data)
    },

    uniswap({ sell, buy, amount }, { branches }, minReturn) {
      const legs = branches.map(({ amount: own, legs }) => {
        const path = {
          tokens: [sell, ...legs.map((leg) => leg.buy)],
          fees: legs.map(({ pool }) => feeOf(pool)),
        }
        return { amount: own, returns: 0n, path: { ...path, gas: 0n, returned: [] } }
      })
      const trade = { chainId, sell, buy, amount }
      return run(buy, contracts.swapRouter, encodeRouterCall({ trade, legs, minReturn, recipient, deadline }))
    },
  }
}

/** Dollars. */
const warmUpUsd = 10

const deadline = 2n ** 40n
