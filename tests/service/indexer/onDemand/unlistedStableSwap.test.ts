import { type Abi, encodeFunctionData, erc20Abi, getContractAddress, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { deployer } from '../../../../dev/chain/client.ts'
import { readPackageContract } from '../../../../dev/chain/packageContracts.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Address } from '../../../../service/config.ts'
import { createChain } from '../../../../service/indexer/chain.ts'
import { createPoolState } from '../../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../../service/indexer/readUpdate.ts'
import { nativeTokenAddress } from '../../../../service/tokens/registry.ts'
import { deployContract } from '../../../helpers/node/deployContract.ts'
import { createNativeStableSwaps } from '../../../helpers/node/nativeStableSwaps.ts'
import { startTripCounter } from '../../../helpers/node/tripCounter.ts'
import { listTokens, startListed } from '../../../helpers/service/listedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
  await localnet.client.setBalance({ address: deployer, value: 10n ** 27n })
})
afterAll(() => localnet.stop())

const receiver: Address = '0x00000000000000000000000000000000000c0ffe'
const none: Address = '0x0000000000000000000000000000000000000000'

function call(to: Address, abi: Abi, functionName: string, args: unknown[]) {
  const data = encodeFunctionData({ abi, functionName, args })
  return localnet.client.execute({ account: deployer, to, data, gas: 10_000_000n })
}

async function readPool(pool: Address) {
  const ledger = createPoolState()
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  ledger.apply((await readUpdate(localnet.config, chain, ledger))!)
  return ledger.standing(pool)
}

/** Opens a pool of USDC and a new token of 8 decimals. */
async function openPool(kind: keyof typeof factories) {
  const { USDC } = localnet.tokens
  const { name, contract, create, args } = factories[kind]
  const token = await deployContract(localnet, readArtifact('Token'), ['Old', 'OLD', 8])
  await call(token, readArtifact('Token').abi, 'mint', [deployer, 10n ** 13n])
  const factory = localnet.contracts[kind]
  const nonce = BigInt(await localnet.client.getTransactionCount({ address: factory }))
  const pool = getContractAddress({ from: factory, nonce }).toLowerCase() as Address
  await call(factory, readPackageContract(name).abi, create, args([USDC, token]))
  await call(USDC, erc20Abi, 'approve', [pool, 10n ** 11n])
  await call(token, erc20Abi, 'approve', [pool, 10n ** 13n])
  await call(pool, readPackageContract(contract).abi, 'add_liquidity', [[10n ** 11n, 10n ** 13n / 2n], 0n])
  return { pool, token }
}

const numbers = [100n, 1_000_000n]
const factories = {
  curveFactoryNg: {
    ...{ name: 'CurveFactoryNg', contract: 'CurvePoolNg', create: 'deploy_plain_pool' },
    args: (coins: Address[]) => [coins, ...numbers, 5n * 10n ** 10n, [0, 0], coins],
  },
  curveFactory: {
    ...{ name: 'CurveFactory', contract: 'CurvePool', create: 'deploy_plain_pool' },
    args: (coins: Address[]) => [[...coins, none, none], ...numbers],
  },
  pancakeStableFactory: {
    ...{ name: 'PancakeStableFactory', contract: 'PancakeStablePool', create: 'createSwapPair' },
    args: (coins: Address[]) => [coins, ...numbers],
  },
}

it('trades an unlisted token in its pools of the native one', async () => {
  const swaps = createNativeStableSwaps(localnet)
  const [token, other] = [await swaps.createToken('stETH'), await swaps.createToken('rETH')]
  await swaps.call(token, erc20Abi, 'approve', [localnet.config.router, maxUint256])
  const pools = [
    await swaps.createPool([nativeTokenAddress, token], 10n ** 21n),
    await swaps.createPool([token, nativeTokenAddress, other], 10n ** 21n),
  ]
  const service = await startListed(listTokens(localnet), localnet.rpcUrl)
  const query = { dst: nativeTokenAddress, src: token, amount: String(10n ** 19n) }
  expect((await service.ask('quote', query)).status).toBe(200)
  for (const pool of pools) {
    expect(service.pools.standing(pool)).toEqual(await readPool(pool))
    expect(service.pools.standing(pool)?.listing.tokens).toContain(localnet.tokens.WETH)
  }
  const options = { from: deployer, origin: deployer, slippage: '1', receiver }
  const { status, body } = await service.ask('swap', { ...query, ...options })
  expect(status, JSON.stringify(body)).toBe(200)
  const before = await localnet.client.getBalance({ address: receiver })
  const { to, data } = body.tx
  await localnet.client.execute({ account: deployer, to, data, gas: 2_000_000n })
  expect((await localnet.client.getBalance({ address: receiver })) - before).toBe(BigInt(body.dstAmount))
  await service.stop()
})

it("trades an unlisted token in pools of Curve's registry, but not where a token is lent", async () => {
  const swaps = createNativeStableSwaps(localnet)
  const [token, other] = [await swaps.createToken('A'), await swaps.createToken('B')]
  const { abi } = readPackageContract('CurveRegistry')
  const args = [deployer, [token, other], 100n, 4_000_000n, 100n]
  const lent = await deployContract(localnet, readPackageContract('CurvePool'), args)
  await call(localnet.contracts.curveRegistry, abi, 'add_pool', [lent, '0x3ba0b9a9'])
  const pools = [
    await swaps.registerPool([nativeTokenAddress, token], 10n ** 20n),
    await swaps.registerPool([token, other, nativeTokenAddress], 10n ** 20n),
  ]
  const service = await startListed(listTokens(localnet), localnet.rpcUrl)
  const query = { src: token, dst: other, amount: String(10n ** 18n) }
  expect((await service.ask('quote', query)).status).toBe(200)
  for (const pool of pools) expect(service.pools.standing(pool)).toEqual(await readPool(pool))
  expect(service.pools.coverage.poolsOf(token)).toEqual(new Set(pools))
  expect(await readPool(lent)).toBeUndefined()
  await service.stop()
})

it.each(Object.keys(factories) as (keyof typeof factories)[])(
  'trades an unlisted token in a pool of %s that is older than the service',
  async (kind) => {
    const { USDC } = localnet.tokens
    const { pool, token } = await openPool(kind)
    const counter = await startTripCounter(localnet.rpcUrl, 20)
    const service = await startListed(listTokens(localnet), counter.url)
    counter.take()
    const query = { src: token, dst: USDC, amount: '1000000000' }
    expect((await service.ask('quote', query)).status).toBe(200)
    expect(counter.take().trips).toBe(3)
    expect(service.pools.standing(pool)).toEqual(await readPool(pool))

    const options = { from: deployer, origin: deployer, slippage: '1', disableEstimate: 'true' }
    const { status, body } = await service.ask('swap', { ...query, ...options })
    expect(status, JSON.stringify(body)).toBe(200)
    await call(token, erc20Abi, 'approve', [body.tx.to, maxUint256])
    const read = { address: USDC, abi: erc20Abi, functionName: 'balanceOf', args: [deployer] } as const
    const before = await localnet.client.readContract(read)
    await localnet.client.execute({ account: deployer, to: body.tx.to, data: body.tx.data, gas: 2_000_000n })
    expect((await localnet.client.readContract(read)) - before).toBe(BigInt(body.dstAmount))
    await service.engine.refresh()
    expect(service.pools.standing(pool)).toEqual(await readPool(pool))
    await service.stop()
    await counter.stop()
  },
)
