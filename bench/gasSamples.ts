import { erc20Abi, maxUint256 } from 'viem'
import { deployer } from '../dev/chain/client.ts'
import type { Localnet } from '../dev/localnet.ts'
import { tokens } from '../dev/pools/tokens.ts'
import type { Address } from '../service/config.ts'
import type { Engine } from '../service/engine.ts'
import { connectRpc } from '../service/indexer/node.ts'
import type { SettledRoute } from '../service/routing/gasParts.ts'
import { encodeSwap } from '../service/swap/calldata.ts'
import { simulateSwap } from '../service/swap/simulate.ts'
import { nativeTokenAddress } from '../service/tokens/registry.ts'
import { createRandom, type Random } from './random.ts'
import { toAmount, toRouteLimits } from './routing/trades.ts'

/** `used` of the transaction; `isNewHolder` if the recipient held none of the bought token. */
export type GasSample = { route: SettledRoute; used: number; feePpm: number; isNewHolder: boolean }

const feePpm = 10_000

/**
 * Executes `warmUps` random swaps of all kinds, then measures up to `draws` more at that state: through pools
 * that were swapped in that direction and ticks that were crossed before, since empty slots cost more. One in
 * ten pays a fee to a new referrer.
 */
export async function* drawGasSamples(
  localnet: Localnet,
  engine: Engine,
  { seed, warmUps, draws }: { seed: number; warmUps: number; draws: number },
): AsyncGenerator<GasSample> {
  const { client, config } = localnet
  const node = connectRpc(localnet.rpcUrl)
  const random = createRandom(seed)
  const drawTrade = createTradeDraw(localnet, engine, random)
  const filled = new Set<string>()
  let strangers = 0
  await fundDeployer(localnet)
  await engine.refresh()

  for (let i = 0; i < warmUps + draws; i++) {
    const trade = drawTrade()
    const route = await engine.route(trade)
    if (route === undefined) continue
    const slots = slotsOf(route)
    if (i < warmUps) {
      await client.execute({ ...callOf(trade, route, stranger(), 0), gas: 12_000_000n })
      for (const slot of slots) filled.add(slot)
      await engine.refresh()
      continue
    }
    if (!slots.every((slot) => filled.has(slot))) continue
    const isNewHolder = trade.buy !== nativeTokenAddress && random.chance(0.5)
    const fee = random.chance(0.1) ? feePpm : 0
    const used = await measure(trade, route, isNewHolder ? stranger() : deployer, fee)
    if (used !== undefined) yield { route, used, feePpm: fee, isNewHolder }
  }

  function callOf(
    { sell, buy, amount, limits }: DrawnTrade,
    route: SettledRoute,
    receiver: Address,
    feePpm: number,
  ) {
    const whole = amount + (amount * BigInt(feePpm)) / BigInt(1_000_000 - feePpm)
    return encodeSwap({
      ...{ config, route, sell, buy, amount: whole, receiver, minReturn: 1n, deadline: 2n ** 40n, feePpm },
      ...{ referrer: feePpm > 0 ? stranger() : undefined, permit: undefined, flags: limits.apart ? 1n : 0n },
    })
  }

  async function measure(...[trade, route, receiver, feePpm]: Parameters<typeof callOf>) {
    const call = { from: deployer, ...callOf(trade, route, receiver, feePpm) }
    const outcome = await simulateSwap(node, call, deployer, engine.block()!, [])
    return outcome.status === 'done' ? Number(outcome.gasUsed) : undefined
  }

  /** Holds no tokens. */
  function stranger(): Address {
    return `0x${(0xc0ffee00 + ++strangers).toString(16).padStart(40, '0')}`
  }
}

export type DrawnTrade = ReturnType<ReturnType<typeof createTradeDraw>>

/** Draws trades of all kinds and sizes, three in ten of them through converters. */
export function createTradeDraw({ config, ...localnet }: Localnet, engine: Engine, random: Random) {
  const traded = tokens.filter(({ isFoT }) => isFoT !== true)
  const sources = engine.sources.map(({ id }) => id)
  return drawTrade

  function drawTrade() {
    if (random.chance(0.3)) return drawConversion()
    const sold = random.pick(traded)
    const bought = random.pick(traded.filter((token) => token !== sold))
    const [sellsNative, buysNative] = [
      sold.symbol === 'WETH' && random.chance(0.5),
      bought.symbol === 'WETH' && random.chance(0.5),
    ]
    const sell = localnet.tokens[sold.symbol]
    const priced = { address: sell, decimals: sold.decimals, usd: Number(sold.cents) / 100 }
    const amount = toAmount(priced, 10 ** random.between(-1, 6.3))
    const limits = {
      ...toRouteLimits(config, random.pick([0n, 10n ** 9n, 10n ** 11n])),
      apart: random.chance(0.2),
      complexityLevel: random.pick([0, 1, 2]),
    }
    if (random.chance(0.5)) limits.sources = new Set(['WETH', random.pick(sources)])
    return {
      sell: sellsNative ? nativeTokenAddress : sell,
      buy: buysNative ? nativeTokenAddress : localnet.tokens[bought.symbol],
      amount,
      limits,
    }
  }

  /** Shares are no connectors, and the peg module is dearer than pools. */
  function drawConversion() {
    const { savingsVault, pooledShares, wrappedShares } = localnet.contracts
    const { USDC, DAI, WETH } = localnet.tokens
    const [one, other, source] = random.pick([
      [DAI, savingsVault, undefined],
      [USDC, savingsVault, undefined],
      [WETH, savingsVault, undefined],
      [pooledShares, wrappedShares, undefined],
      [USDC, DAI, 'MAKER_PSM'],
    ] as const)
    const [sell, buy] = random.chance(0.5) ? [one, other] : [other, one]
    const usd = sell === pooledShares || sell === wrappedShares || sell === WETH ? 3_000 : 1
    const priced = { address: sell, decimals: sell === USDC ? 6 : 18, usd }
    const amount = toAmount(priced, 10 ** random.between(-1, 4))
    const limits = toRouteLimits(config, random.pick([0n, 10n ** 9n, 10n ** 11n]))
    if (source !== undefined) limits.sources = new Set(['WETH', source])
    return { sell, buy, amount, limits: { ...limits, apart: random.chance(0.2), complexityLevel: 2 } }
  }
}

/** Pools by direction, and ticks. */
export function slotsOf({ edges, tokens }: SettledRoute): string[] {
  return edges.flatMap(({ pool, from, sold }) => {
    const sell = tokens[from] as Address
    const crossed = pool.steps?.(sell, sold).crossed ?? []
    return [`${pool.address} ${sell}`, ...crossed.map((tick) => `${pool.address} ${tick}`)]
  })
}

export async function fundDeployer({
  client,
  config,
  contracts,
  tokens: addresses,
}: Localnet): Promise<void> {
  await client.setBalance({ address: deployer, value: 10n ** 27n })
  await client.writeContractSync({
    address: addresses.WETH,
    abi: [{ type: 'function', name: 'deposit', inputs: [], outputs: [], stateMutability: 'payable' }],
    functionName: 'deposit',
    value: 10n ** 26n,
  })
  const { savingsVault, pooledShares, wrappedShares } = contracts
  for (const address of [...Object.values(addresses), savingsVault, pooledShares, wrappedShares]) {
    await client.writeContractSync({
      address,
      abi: erc20Abi,
      functionName: 'approve',
      args: [config.router, maxUint256],
    })
  }
}
