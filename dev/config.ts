import { type ChainConfig, parseConfig } from '../service/config.ts'
import { predictAddress } from './chain/deploy.ts'
import { canonical } from './chain/preinstalls.ts'
import { converters } from './pools/converters.ts'
import { tokens } from './pools/tokens.ts'

/** Source of service/chains/31337.json. */
export function localnetConfig(chainId: number): ChainConfig {
  const config = {
    chainId,
    name: 'Localnet',
    coin: { symbol: 'ETH', name: 'Ether' },
    wrapped: predictAddress('WETH'),
    router: predictAddress('router'),
    ...canonical,
    vault: predictAddress('vault'),
    poolManager: predictAddress('poolManager'),
    vaultV3: predictAddress('vaultV3'),
    connectors: (['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'] as const).map(predictAddress),
    stables: (['USDC', 'USDT', 'DAI'] as const).map(predictAddress),
    factories: [
      {
        kind: 'constant-product',
        source: 'UNISWAP_V2',
        title: 'Uniswap V2',
        address: predictAddress('v2Factory'),
        feePpm: 3_000,
      },
      {
        kind: 'concentrated',
        source: 'UNISWAP_V3',
        title: 'Uniswap V3',
        address: predictAddress('v3Factory'),
      },
      {
        kind: 'constant-product',
        source: 'SUSHI',
        title: 'SushiSwap',
        address: predictAddress('sushiFactory'),
        feePpm: 3_000,
      },
      {
        kind: 'weighted',
        source: 'BALANCER_V2_WEIGHTED',
        title: 'Balancer V2 Weighted',
        address: predictAddress('weightedFactory'),
      },
      {
        kind: 'stable',
        source: 'BALANCER_V2_STABLE',
        title: 'Balancer V2 Stable',
        address: predictAddress('stableFactory'),
      },
      {
        kind: 'solidly',
        source: 'AERODROME_V2',
        title: 'Aerodrome V2',
        address: predictAddress('solidlyFactory'),
      },
      { kind: 'curve', source: 'CURVE', title: 'Curve', address: predictAddress('curveRegistry') },
      {
        kind: 'curve-factory',
        source: 'CURVE_V1_FACTORY',
        title: 'Curve V1 Factory',
        address: predictAddress('curveFactory'),
      },
      {
        kind: 'curve-ng',
        source: 'CURVE_STABLE_NG',
        title: 'Curve Stable NG',
        address: predictAddress('curveFactoryNg'),
      },
      {
        kind: 'pancake-stable',
        source: 'PANCAKESWAP_STABLE',
        title: 'PancakeSwap Stable',
        address: predictAddress('pancakeStableFactory'),
      },
      {
        kind: 'uniswap-v4',
        source: 'UNISWAP_V4',
        title: 'Uniswap V4',
        address: predictAddress('poolManager'),
      },
      {
        kind: 'algebra',
        source: 'ALGEBRA',
        title: 'Algebra Integral',
        address: predictAddress('algebraFactory'),
      },
      {
        kind: 'weighted-v3',
        source: 'BALANCER_V3_WEIGHTED',
        title: 'Balancer V3 Weighted',
        address: predictAddress('weightedV3Factory'),
      },
      {
        kind: 'stable-v3',
        source: 'BALANCER_V3_STABLE',
        title: 'Balancer V3 Stable',
        address: predictAddress('stableV3Factory'),
      },
      {
        kind: 'slipstream',
        source: 'AERODROME_SLIPSTREAM',
        title: 'Aerodrome Slipstream',
        address: predictAddress('slipstreamFactory'),
      },
      {
        kind: 'stable',
        source: 'BALANCER_V2_COMPOSABLE_STABLE',
        title: 'Balancer V2 Composable Stable',
        address: predictAddress('composableFactory'),
      },
      ...converters.map(({ name, ...named }) => ({
        kind: 'converter',
        ...named,
        address: predictAddress(name),
      })),
    ],
    tokens: tokens.map(({ cents, gift, ...listed }) => ({
      address: predictAddress(listed.symbol),
      ...listed,
    })),
  }
  return parseConfig(config, 'The localnet')
}
