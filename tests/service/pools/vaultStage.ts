import {
  type AbiFunction,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  parseUnits,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { type Build, readBuild } from '../../../dev/chain/artifacts.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { toLowerAddress } from '../../../service/indexer/address.ts'

const tasks = '@balancer-labs/v2-deployments/dist/tasks'

const makers = {
  weighted2021: `${tasks}/deprecated/20210418-weighted-pool/artifact/WeightedPoolFactory.json`,
  weightedPair2021: `${tasks}/deprecated/20210418-weighted-pool/artifact/WeightedPool2TokensFactory.json`,
  weighted2022: `${tasks}/20220908-weighted-pool-v2/artifact/WeightedPoolFactory.json`,
  weighted2023: `${tasks}/20230206-weighted-pool-v3/artifact/WeightedPoolFactory.json`,
  stable2021: `${tasks}/deprecated/20210624-stable-pool/artifact/StablePoolFactory.json`,
  stable2022: `${tasks}/20220609-stable-pool-v2/artifact/StablePoolFactory.json`,
  composableFirst: `${tasks}/deprecated/20220906-composable-stable-pool/artifact/ComposableStablePoolFactory.json`,
  composable2022: `${tasks}/20221122-composable-stable-pool-v2/artifact/ComposableStablePoolFactory.json`,
  composable2023: `${tasks}/20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json`,
}
type Maker = keyof typeof makers

export type Order = {
  maker: Maker
  /** Per token: decimals and whole units deposited. */
  tokens: readonly { decimals: number; amount: number }[]
  /** With 18 decimals. */
  fee: bigint
  /** In percent. */
  weights?: readonly number[]
  amplification?: number
  /** Per token; one with 18 decimals where absent. */
  rates?: readonly ({ rate: bigint; seconds: bigint } | undefined)[]
}

export type Staged = {
  order: Order
  address: Address
  poolId: Hex
  tokens: readonly Address[]
  /** Of tokens without a rate zero. */
  rateProviders: readonly Address[]
}

export type Sale = { poolId: Hex; sell: Address; buy: Address; amount: bigint }

const abi = parseAbi([
  'function mint(address, uint256)',
  'function approve(address, uint256)',
  'function grantRole(bytes32, address)',
  'event PoolCreated(address indexed pool)',
  'function getPoolId() view returns (bytes32)',
  'function getActionId(bytes4) view returns (bytes32)',
  'function setSwapFeePercentage(uint256)',
  'function startAmplificationParameterUpdate(uint256, uint256)',
  'function stopAmplificationParameterUpdate()',
  'function setPaused(bool)',
  'function pause()',
  'function enableRecoveryMode()',
  'function setRate(uint256)',
  'function updateTokenRateCache(address)',
  'function setTokenRateCacheDuration(address, uint256)',
  'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  'function getPoolTokens(bytes32) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
  'struct Join { address[] assets; uint256[] maxAmountsIn; bytes userData; bool fromInternalBalance; }',
  'function joinPool(bytes32 poolId, address sender, address recipient, Join request)',
  'struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }',
  'struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }',
  // Reverts, so it can be called as a view.
  'function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) view returns (int256[])',
  'struct Single { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }',
  'function swap(Single singleSwap, Funds funds, uint256 limit, uint256 deadline) payable returns (uint256)',
])

const funds = { sender: deployer, fromInternalBalance: false, recipient: deployer, toInternalBalance: false }
const day = 86_400n
/** Enough for the largest factory. */
const gas = 25_000_000n

export type VaultStage = Awaited<ReturnType<typeof createVaultStage>>

/** A second vault with all factories; its authorizer obeys the deployer. */
export async function createVaultStage({ client, config, tokens: { WETH } }: Localnet) {
  const fromBlock = Number(await client.getBlockNumber())
  const authorizer = await deploy(build('20210418-authorizer/artifact/Authorizer'), [deployer])
  const vaultArgs = [authorizer, WETH, 90n * day, 30n * day]
  const vault = await deploy(build('20210418-vault/artifact/Vault'), vaultArgs)
  const feeProvider = await deploy(
    build('20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider'),
    [vault, 10n ** 18n, 10n ** 18n],
  )
  const factories = {} as Record<Maker, Address>
  for (const [maker, path] of Object.entries(makers) as [Maker, string][]) {
    const factory = readBuild(path)
    // Early factories take one argument, the latest three.
    const wanted = factory.abi.find(({ type }) => type === 'constructor') as { inputs?: readonly unknown[] }
    const args = [vault, feeProvider, 'the factory', 'its pools'].slice(0, wanted.inputs?.length)
    factories[maker] = await deploy(factory, args)
  }

  function build(name: string): Build {
    return readBuild(`${tasks}/${name}.json`)
  }

  async function deploy({ abi, bytecode }: Build, args: unknown[]): Promise<Address> {
    const data = encodeDeployData({ abi, bytecode, args })
    const { contractAddress } = await client.execute({ data, gas })
    return toLowerAddress(contractAddress!)
  }

  async function write(to: Address, functionName: string, args: unknown[]) {
    const data = encodeFunctionData({ abi, functionName, args } as never)
    return client.execute({ to, data, gas })
  }

  async function createToken(decimals: number): Promise<Address> {
    const token = await deploy(readArtifact('Token'), ['Token', 'T', decimals])
    await write(token, 'mint', [deployer, 2n ** 200n])
    await write(token, 'approve', [vault, maxUint256])
    return token
  }

  async function join({ poolId }: Staged, assets: readonly Address[], userData: Hex): Promise<void> {
    const request = {
      assets,
      maxAmountsIn: assets.map(() => maxUint256),
      userData,
      fromInternalBalance: false,
    }
    await write(vault, 'joinPool', [poolId, deployer, deployer, request])
  }

  /** May include the pool's shares. */
  async function assetsOf({ poolId }: Staged): Promise<Address[]> {
    const read = { address: vault, abi, functionName: 'getPoolTokens', args: [poolId] } as const
    return (await client.readContract(read))[0].map(toLowerAddress)
  }

  return {
    config: {
      ...config,
      factories: Object.entries(factories).map(([maker, address]) => ({
        kind: maker.startsWith('weighted') ? ('weighted' as const) : ('stable' as const),
        ...{ source: maker, title: maker, address, feePpm: 0, fromBlock },
      })),
    } satisfies ChainConfig,

    async open(order: Order): Promise<Staged> {
      const made: { token: Address; amount: bigint; weight: bigint; provider: Address; seconds: bigint }[] =
        []
      for (const [i, { decimals, amount }] of order.tokens.entries()) {
        const { rate, seconds = 0n } = order.rates?.[i] ?? {}
        const provider = rate === undefined ? zeroAddress : await deploy(readPackageContract('FixedRate'), [])
        if (rate !== undefined) await write(provider, 'setRate', [rate])
        made.push({
          ...{ provider, seconds },
          token: await createToken(decimals),
          amount: parseUnits(amount.toFixed(decimals), decimals),
          weight: BigInt(order.weights?.[i] ?? 0) * 10n ** 16n,
        })
      }
      made.sort((a, b) => (a.token < b.token ? -1 : 1))
      const tokens = made.map(({ token }) => token)
      const weights = made.map(({ weight }) => weight)
      const values: Record<string, unknown> = {
        ...{ name: 'Pool', symbol: 'P', tokens, weights, normalizedWeights: weights },
        rateProviders: made.map(({ provider }) => provider),
        tokenRateCacheDurations: made.map(({ seconds }) => seconds),
        exemptFromYieldProtocolFeeFlags: tokens.map(() => false),
        amplificationParameter: BigInt(order.amplification ?? 0),
        oracleEnabled: true,
        ...{ swapFeePercentage: order.fee, owner: deployer },
      }
      const factory = readBuild(makers[order.maker])
      const create = factory.abi.find(
        (item) => item.type === 'function' && item.name === 'create',
      ) as AbiFunction
      const args = create.inputs.map(({ name = '' }) => values[name])
      const data = encodeFunctionData({ abi: factory.abi, functionName: 'create', args })
      const { logs } = await client.execute({ to: factories[order.maker], data, gas })
      const address = toLowerAddress(parseEventLogs({ abi, logs, eventName: 'PoolCreated' })[0]!.args.pool)
      const poolId = await client.readContract({ address, abi, functionName: 'getPoolId' })
      const staged = { order, address, poolId, tokens, rateProviders: made.map(({ provider }) => provider) }

      if (made.every(({ amount }) => amount === 0n)) return staged
      const assets = await assetsOf(staged)
      const amounts = assets.map((asset) => made.find(({ token }) => token === asset)?.amount ?? 0n)
      // JoinKind.INIT
      const userData = encodeAbiParameters(parseAbiParameters('uint256, uint256[]'), [0n, amounts])
      await join(staged, assets, userData)
      return staged
    },

    /** JoinKind.EXACT_TOKENS_IN_FOR_BPT_OUT */
    async join(staged: Staged, amounts: readonly bigint[]): Promise<void> {
      const shape = parseAbiParameters('uint256, uint256[], uint256')
      await join(staged, await assetsOf(staged), encodeAbiParameters(shape, [1n, amounts, 0n]))
    },

    /** Returns what the vault paid. */
    async swap({ poolId }: Staged, assetIn: Address, assetOut: Address, amount: bigint): Promise<bigint> {
      const single = { poolId, kind: 0, assetIn, assetOut, amount, userData: '0x' }
      const { logs } = await write(vault, 'swap', [single, funds, 0n, maxUint256])
      return parseEventLogs({ abi, logs, eventName: 'Swap' })[0]!.args.amountOut
    },

    setRate: (provider: Address, rate: bigint) => write(provider, 'setRate', [rate]),

    renewRate: ({ address }: Staged, token: Address) => write(address, 'updateTokenRateCache', [token]),

    setRateDuration: ({ address }: Staged, token: Address, seconds: bigint) =>
      write(address, 'setTokenRateCacheDuration', [token, seconds]),

    async enableRecovery({ address }: Staged): Promise<void> {
      const selector = toFunctionSelector('enableRecoveryMode()')
      const read = { address, abi, functionName: 'getActionId', args: [selector] } as const
      await write(authorizer, 'grantRole', [await client.readContract(read), deployer])
      await write(address, 'enableRecoveryMode', [])
    },

    setFee: ({ address }: Staged, fee: bigint) => write(address, 'setSwapFeePercentage', [fee]),

    async startRamp({ address }: Staged, amplification: bigint, seconds: bigint): Promise<void> {
      const { timestamp } = await client.getBlock()
      await write(address, 'startAmplificationParameterUpdate', [amplification, timestamp + seconds])
    },

    stopRamp: ({ address }: Staged) => write(address, 'stopAmplificationParameterUpdate', []),

    async pause({ address, order }: Staged): Promise<void> {
      const isEarly = order.maker.endsWith('2021')
      const selector = toFunctionSelector(isEarly ? 'setPaused(bool)' : 'pause()')
      const read = { address, abi, functionName: 'getActionId', args: [selector] } as const
      await write(authorizer, 'grantRole', [await client.readContract(read), deployer])
      await (isEarly ? write(address, 'setPaused', [true]) : write(address, 'pause', []))
    },

    /** Undefined where the vault reverts. */
    async ask(sales: readonly Sale[], blockNumber: bigint): Promise<(bigint | undefined)[]> {
      const answers = await client.multicall({
        contracts: sales.map(({ poolId, sell, buy, amount }) => {
          const step = { poolId, assetInIndex: 0n, assetOutIndex: 1n, amount, userData: '0x' as const }
          const args = [0, [step], [sell, buy], funds] as const
          return { address: vault, abi, functionName: 'queryBatchSwap', args } as const
        }),
        batchSize: 40_000,
        blockNumber,
      })
      return answers.map(({ result }) => (result ? -(result[1] ?? 0n) : undefined))
    },
  }
}
