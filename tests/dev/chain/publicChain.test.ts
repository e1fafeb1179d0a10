import { CHAIN_TO_ADDRESSES_MAP } from '@uniswap/sdk-core'
import {
  domainSeparator,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readBuild } from '../../../dev/chain/artifacts.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { canonical } from '../../../dev/chain/preinstalls.ts'
import { createPublicLocalnet, type PublicLocalnet } from '../../../dev/chain/publicChain.ts'
import { findPublicChain, publicNetworks } from '../../../src/domain/network/chains.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const { abi: quoterAbi } = readBuild(
  '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
)
const { abi: routerAbi } = readBuild(
  '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
)
const wiringAbi = parseAbi([
  'function factory() view returns (address)',
  'function factoryV2() view returns (address)',
  'function WETH9() view returns (address)',
  'function positionManager() view returns (address)',
  'function owner() view returns (address)',
  'function feeToSetter() view returns (address)',
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function token0() view returns (address)',
  'function balanceOf(address) view returns (uint256)',
])
const permitAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address) view returns (uint256)',
  'function version() view returns (string)',
])

const owner = privateKeyToAccount(`0x${'5e'.repeat(32)}`)
const trader = owner.address.toLowerCase() as Address

describe.each([8453, 1] as const)('createPublicLocalnet as chain %i', (chainId) => {
  let localnet: PublicLocalnet
  let snapshot: Hex

  beforeAll(async () => {
    localnet = await createPublicLocalnet({ chainId })
    await localnet.fund(trader)
    await localnet.client.impersonateAccount({ address: trader })
    for (const token of Object.values(localnet.tokens)) await approve(token)
    snapshot = await localnet.client.snapshot()
  })
  beforeEach(async () => {
    await localnet.client.revert({ id: snapshot })
    snapshot = await localnet.client.snapshot()
  })
  afterAll(() => localnet?.stop())

  it('has the chain’s id, and code at every address of its table', async () => {
    const { wrapped, stables, oracle, uniswap, rollup } = findPublicChain(chainId) ?? {}
    const { routesV2: _, ...contracts } = uniswap ?? {}
    const named = [wrapped, ...(stables ?? []), oracle, ...Object.values(contracts)]
    const predeploys = rollup ? ['0x420000000000000000000000000000000000000f' as const] : []
    expect(await localnet.client.getChainId()).toBe(chainId)
    for (const address of [...named, ...predeploys, ...Object.values(canonical)]) {
      const code = await localnet.client.getCode({ address: address as Address })
      expect([address, (code ?? '0x').length > 100]).toEqual([address, true])
    }
  })

  it('connects quoter, router and position manager to the chain’s factories and wrapped token', async () => {
    const { chain, tokens } = localnet
    const { v2Factory, v3Factory, quoter, router, routesV2 } = chain.uniswap
    for (const address of [quoter, router, chain.positions]) {
      expect([await ask(address, 'factory'), await ask(address, 'WETH9')]).toEqual([v3Factory, tokens.WETH])
    }
    expect(await ask(router, 'positionManager')).toBe(chain.positions)
    const { nonfungiblePositionManagerAddress } = CHAIN_TO_ADDRESSES_MAP[chainId]
    expect(chain.positions).toBe(nonfungiblePositionManagerAddress?.toLowerCase())
    expect(await ask(router, 'factoryV2')).toBe(routesV2 ? v2Factory : zeroAddress)
    expect([await ask(v3Factory, 'owner'), await ask(v2Factory, 'feeToSetter')]).toEqual([deployer, deployer])
  })

  it('gives the tokens the labels, decimals and permits of the public ones', async () => {
    const { client, tokens } = localnet
    const labels = Object.entries(tokens).map(async ([symbol, address]) => [
      symbol,
      await client.readContract({ address, abi: erc20Abi, functionName: 'symbol' }),
      await client.readContract({ address, abi: erc20Abi, functionName: 'decimals' }),
    ])
    const decimals: Record<string, number> = { USDC: 6, USDT: 6, USDbC: 6, MOSS: 8 }
    expect(await Promise.all(labels)).toEqual(
      Object.keys(tokens).map((symbol) => [symbol, symbol, decimals[symbol] ?? 18]),
    )
    const address = tokens.USDC
    expect(await client.readContract({ address, abi: permitAbi, functionName: 'version' })).toBe('2')
    expect(await client.readContract({ address, abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' })).toBe(
      domainSeparator({ domain: usdcDomain() }),
    )
  })

  it('has every pool at the factory’s address, with both tokens in it', async () => {
    const { pools, chain, tokens } = localnet
    const { v2Factory, v3Factory } = chain.uniswap
    for (const pool of pools) {
      const pair = pool.pair.map((symbol) => tokens[symbol] as Address)
      const found =
        pool.kind === 'v2'
          ? await ask(v2Factory, 'getPair', pair)
          : await ask(v3Factory, 'getPool', [...pair, pool.fee])
      expect(found).toBe(pool.address)
      expect(await ask(pool.address, 'token0')).toBe(pair.toSorted()[0])
      for (const token of pair) expect(await balance(token, pool.address)).toBeGreaterThan(0n)
    }
  })

  it.each([100, 500, 3_000, 10_000])('quotes at fee %i what the router pays', async (fee) => {
    const { WETH, USDC } = localnet.tokens
    const sale = toPath(WETH, fee, USDC)
    const quoted = await quote(sale, parseEther('3'))
    // Of 3,000 dollars; the pool with the highest fee is shallow.
    const share = Number(quoted) / 9_000e6
    expect(share).toBeGreaterThan(fee === 10_000 ? 0.85 : 0.99)
    expect(share).toBeLessThan(1)
    expect(await swap(sale, parseEther('3'))).toBe(quoted)

    const purchase = toPath(USDC, fee, WETH)
    const bought = await quote(purchase, parseUnits('9000', 6))
    expect(await swap(purchase, parseUnits('9000', 6))).toBe(bought)
  })

  it('quotes a path of three pools and pays it in the native token', async () => {
    const { WETH, USDC, FERN, MOSS } = localnet.tokens
    const there = toPath(MOSS, 10_000, USDC, 500, WETH, 3_000, FERN)
    const quoted = await quote(there, parseUnits('5000', 8))
    expect(await swap(there, parseUnits('5000', 8))).toBe(quoted)

    const back = toPath(FERN, 3_000, WETH)
    const amount = parseEther('100')
    const expected = await quote(back, amount)
    const { router } = localnet.chain.uniswap
    const steps = [
      // Address 2 stands for the router itself.
      call('exactInput', [
        {
          path: back,
          recipient: '0x0000000000000000000000000000000000000002',
          amountIn: amount,
          amountOutMinimum: 0n,
        },
      ]),
      call('unwrapWETH9', [expected, trader]),
    ]
    const before = await localnet.client.getBalance({ address: trader })
    const { gasUsed, effectiveGasPrice } = await localnet.client.execute({
      account: trader,
      to: router,
      data: call('multicall', [maxUint256, steps]),
    })
    const after = await localnet.client.getBalance({ address: trader })
    expect(after - before + gasUsed * effectiveGasPrice).toBe(expected)
  })

  it('swaps USDC with a permit instead of an approval', async () => {
    const { client, chain, tokens } = localnet
    const { router } = chain.uniswap
    const amount = parseUnits('1000', 6)
    await approve(tokens.USDC, 0n)
    const path = toPath(tokens.USDC, 500, tokens.WETH)
    const quoted = await quote(path, amount)
    await expect(swap(path, amount)).rejects.toThrow('STF')

    const nonce = await client.readContract({
      address: tokens.USDC,
      abi: permitAbi,
      functionName: 'nonces',
      args: [trader],
    })
    const signature = await owner.signTypedData({
      domain: usdcDomain(),
      types: {
        Permit: [
          'address owner',
          'address spender',
          'uint256 value',
          'uint256 nonce',
          'uint256 deadline',
        ].map((field) => ({ type: field.split(' ')[0] ?? '', name: field.split(' ')[1] ?? '' })),
      },
      primaryType: 'Permit',
      message: { owner: trader, spender: router, value: amount, nonce, deadline: maxUint256 },
    })
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, `0x${signature.slice(130)}`]
    const steps = [
      call('selfPermit', [tokens.USDC, amount, maxUint256, Number(v), r, s]),
      call('exactInput', [{ path, recipient: trader, amountIn: amount, amountOutMinimum: quoted }]),
    ]
    expect(await gained(tokens.WETH, call('multicall', [maxUint256, steps]))).toBe(quoted)
  })

  it('routes v2 pairs only where the table says so', async () => {
    const { client, chain, tokens } = localnet
    const amount = parseEther('2')
    const data = call('swapExactTokensForTokens', [amount, 0n, [tokens.WETH, tokens.USDC], trader])
    if (!chain.uniswap.routesV2) {
      await expect(client.call({ account: trader, to: chain.uniswap.router, data })).rejects.toThrow()
      return
    }
    const pair = await ask(chain.uniswap.v2Factory, 'getPair', [tokens.WETH, tokens.USDC])
    const [weth, usdc] = [await balance(tokens.WETH, pair), await balance(tokens.USDC, pair)]
    expect(await gained(tokens.USDC, data)).toBe((usdc * amount * 997n) / (weth * 1_000n + amount * 997n))
  })

  it('prices listed tokens by the oracle, and estimates L1 fees on a rollup', async () => {
    const [network] = publicNetworks().filter((one) => one.chainId === chainId)
    const chain = createChain({ ...(network as Network), rpcUrl: localnet.rpcUrl })
    const sale = { sell: nativeTokenAddress, buy: localnet.tokens.USDC, amount: parseEther('1') }
    const [market] = await chain.marketReturns([sale])
    expect(market).toMatchObject({ returns: 3_000_000_000n, source: 'oracle' })
    expect(market?.ageSeconds).toBeLessThan(3_600)
    await localnet.setPrice('WETH', 3_300n * 10n ** 8n)
    expect((await chain.marketReturns([sale]))[0]?.returns).toBe(3_300_000_000n)
    expect(await chain.l1Fee(400)).toBe(chainId === 8453 ? 500n * 10n ** 9n : 0n)
  })

  const call = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: routerAbi, functionName, args: [...args] })

  function usdcDomain() {
    return { name: 'USD Coin', version: '2', chainId, verifyingContract: localnet.tokens.USDC }
  }

  async function ask(address: Address, functionName: string, args: readonly unknown[] = []) {
    const request = { address, abi: wiringAbi, functionName, args } as never
    const answer: unknown = await localnet.client.readContract(request)
    return typeof answer === 'string' ? answer.toLowerCase() : answer
  }

  function balance(token: Address, holder: unknown) {
    return ask(token, 'balanceOf', [holder]) as Promise<bigint>
  }

  async function approve(token: Address, amount = maxUint256) {
    const args = [localnet.chain.uniswap.router, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await localnet.client.execute({ account: trader, to: token, data })
  }

  async function quote(path: Hex, amount: bigint): Promise<bigint> {
    const { result } = await localnet.client.simulateContract({
      address: localnet.chain.uniswap.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInput',
      args: [path, amount],
    })
    return (result as readonly [bigint])[0]
  }

  /** Returns what the trader gained of the path’s last token. */
  function swap(path: Hex, amountIn: bigint): Promise<bigint> {
    const args = [{ path, recipient: trader, amountIn, amountOutMinimum: 0n }]
    return gained(`0x${path.slice(-40)}`, call('exactInput', args))
  }

  async function gained(token: Address, data: Hex): Promise<bigint> {
    const before = await balance(token, trader)
    await localnet.client.execute({ account: trader, to: localnet.chain.uniswap.router, data })
    return (await balance(token, trader)) - before
  }
})

/** Tokens and fees by turns. */
function toPath(...steps: (Address | number)[]): Hex {
  return encodePacked(
    steps.map((step) => (typeof step === 'number' ? 'uint24' : 'address')),
    steps,
  )
}
