import type { Address, Token } from './token.ts'

/** Token known by its symbol, with its addresses per public chain, bridged ones included. */
type WellKnown = { symbol: string; decimals: number; addresses: { [chainId: number]: Address[] } }

/**
 * Returns the built-in well-known tokens of a chain, independent of service lists. Pegged tokens of BNB Chain
 * have 18 decimals.
 */
export function wellKnownOn(chainId: number): Token[] {
  return table.flatMap(({ symbol, decimals, addresses }) =>
    (addresses[chainId] ?? []).map((address) => ({
      address,
      symbol,
      name: symbol,
      decimals: chainId === 56 ? 18 : decimals,
      listed: true,
      eip2612: false,
      taxed: false,
      tags: [],
    })),
  )
}

/** Address of a token on one chain. */
type Placed = { chainId: number; address: Address }

/** Returns where else a well-known token is, by built-in addresses: its main one of each other chain. */
export function wellKnownElsewhere(chainId: number, address: Address): Placed[] {
  const known = table.find(({ addresses }) => addresses[chainId]?.[0] === address)
  return Object.entries(known?.addresses ?? {}).flatMap(([id, [main]]) =>
    main === undefined || Number(id) === chainId ? [] : [{ chainId: Number(id), address: main }],
  )
}

/**
 * From @uniswap/default-token-list 22.21, @sushiswap/default-token-list 43.3 and @bgd-labs/aave-address-book
 * 4.44.
 */
const table: WellKnown[] = [
  {
    symbol: 'USDC',
    decimals: 6,
    addresses: {
      1: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
      10: ['0x0b2c639c533813f4aa9d7837caf62653d097ff85', '0x7f5c764cbc14f9669b88837ca1490cca17c31607'],
      56: ['0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'],
      100: ['0xddafbb505ad214d7b80b1f830fccc89b60fb7a83'],
      130: ['0x078d782b760474a361dda0af3839290b0ef57ad6'],
      137: ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', '0x2791bca1f2de4661ed88a30c99a7a9449aa84174'],
      8453: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
      42161: ['0xaf88d065e77c8cc2239327c5edb3a432268e5831', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'],
      43114: ['0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'],
      59144: ['0x176211869ca2b568f2a7d4ee941e073a821ee1ff'],
    },
  },
  {
    symbol: 'USDT',
    decimals: 6,
    addresses: {
      1: ['0xdac17f958d2ee523a2206206994597c13d831ec7'],
      10: ['0x94b008aa00579c1307b0ef2c499ad98a8ce58e58'],
      56: ['0x55d398326f99059ff775485246999027b3197955'],
      100: ['0x4ecaba5870353805a9f068101a40e0f32ed605c6'],
      130: ['0x588ce4f028d8e7b53b687865d6a67b3a54c75518'],
      137: ['0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
      42161: ['0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'],
      43114: ['0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
      59144: ['0xa219439258ca9da29e9cc4ce5596924745e12b93'],
    },
  },
  {
    symbol: 'DAI',
    decimals: 18,
    addresses: {
      1: ['0x6b175474e89094c44da98b954eedeac495271d0f'],
      10: ['0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      56: ['0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3'],
      130: ['0x20cab320a855b39f724131c69424240519573f81'],
      137: ['0x8f3cf7ad23cd3cadbd9735aff958023239c6a063'],
      8453: ['0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
      42161: ['0xda10009cbd5d07dd0cecc66161fc93d7c9000da1'],
      43114: ['0xd586e7f844cea2f87f50152665bcbc2c279d8d70'],
    },
  },
  {
    symbol: 'WETH',
    decimals: 18,
    addresses: {
      1: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
      10: ['0x4200000000000000000000000000000000000006'],
      100: ['0x6a023ccd1ff6f2045c3309768ead9e68f978f6e1'],
      130: ['0x4200000000000000000000000000000000000006'],
      137: ['0x7ceb23fd6bc0add59e62ac25578270cff1b9f619'],
      8453: ['0x4200000000000000000000000000000000000006'],
      42161: ['0x82af49447d8a07e3bd95bd0d56f35241523fbab1'],
      43114: ['0x49d5c2bdffac6ce2bfdb6640f4f80f226bc10bab'],
      59144: ['0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f'],
    },
  },
  {
    symbol: 'WBTC',
    decimals: 8,
    addresses: {
      1: ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'],
      10: ['0x68f180fcce6836688e9084f035309e29bf0a2095'],
      100: ['0x8e5bbbb09ed1ebde8674cda39a0c169401db4252'],
      130: ['0x927b51f251480a681271180da4de28d44ec4afb8'],
      137: ['0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6'],
      42161: ['0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f'],
      43114: ['0x50b7545627a5162f82a992c33b87adc75187b218'],
      59144: ['0x3aab2285ddcddad8edf438c1bab47e1a9d05a9b4'],
    },
  },
  {
    symbol: 'cbBTC',
    decimals: 8,
    addresses: {
      1: ['0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'],
      130: ['0xb6a3e8e5715fd4c99ecedaaae121bde4ab6a1ef1'],
      8453: ['0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'],
      42161: ['0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'],
    },
  },
  {
    symbol: 'LINK',
    decimals: 18,
    addresses: {
      1: ['0x514910771af9ca656af840dff83e8264ecf986ca'],
      10: ['0x350a791bfc2c21f9ed5d10980dad2e2638ffa7f6'],
      56: ['0xf8a0bf9cf54bb92f17374d9e9a321e6a111a51bd'],
      100: ['0xe2e73a1c69ecf83f464efce6a5be353a37ca09b2'],
      130: ['0x5a53b6d19d8edcb7923f0d840eebb3f09bbeefb7'],
      137: ['0x53e0bca35ec356bd5dddfebbd1fc0fd03fabad39'],
      42161: ['0xf97f4df75117a78c1a5a0dbb814af92458539fb4'],
      43114: ['0x5947bb275c521040051d82396192181b413227a3'],
    },
  },
  {
    symbol: 'UNI',
    decimals: 18,
    addresses: {
      1: ['0x1f9840a85d5af5bf1d1762f925bdaddc4201f984'],
      10: ['0x6fd9d7ad17242c41f7131d257212c54a0e816691'],
      56: ['0xbf5140a22578168fd562dccf235e5d43a02ce9b1'],
      130: ['0x8f187aa05619a017077f5308904739877ce9ea21'],
      137: ['0xb33eaad8d922b1083446dc23f610c2567fb5180f'],
      8453: ['0xc3de830ea07524a0761646a6a4e4be0e114a3c83'],
      42161: ['0xfa7f8980b0f1e64a2062791cc3b0871572f1f7f0'],
    },
  },
  {
    symbol: 'AAVE',
    decimals: 18,
    addresses: {
      1: ['0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9'],
      10: ['0x76fb31fb4af56892a25e32cfc43de717950c9278'],
      56: ['0xfb6115445bff7b52feb98650c87f44907e58f802'],
      100: ['0xdf613af6b44a31299e48131e9347f034347e2f00'],
      130: ['0x02a24c380da560e4032dc6671d8164cfbeeaae1e'],
      137: ['0xd6df932a45c0f255f85145f286ea0b292b21c90b'],
      8453: ['0x63706e401c06ac8513145b7687a14804d17f814b'],
      42161: ['0xba5ddd1f9d7f570dc94a51479a000e3bce967196'],
      43114: ['0x63a72806098bd3d9520cc43356dd78afe5d386d9'],
    },
  },
  {
    symbol: 'wstETH',
    decimals: 18,
    addresses: {
      1: ['0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0'],
      10: ['0x1f32b1c2345538c0c6f582fcb022739c4a194ebb'],
      56: ['0x26c5e01524d2e6280a48f2c50ff6de7e52e9611c'],
      100: ['0x6c76971f98945ae98dd7d4dfca8711ebea946ea6'],
      137: ['0x03b54a6e9a984069379fae1a4fc4dbae93b3bccd'],
      8453: ['0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452'],
      42161: ['0x5979d7b546e38e414f7e9822514be443a4800529'],
      59144: ['0xb5bedd42000b71fdde22d3ee8a79bd49a568fc8f'],
    },
  },
  {
    symbol: 'ARB',
    decimals: 18,
    addresses: {
      1: ['0xb50721bcf8d664c30412cfbc6cf7a15145234ad1'],
      130: ['0x5cc70a9df8e293affb14dfca1e7f851418a4b40d'],
      42161: ['0x912ce59144191c1204e64559fe8253a0e49e6548'],
    },
  },
  {
    symbol: 'OP',
    decimals: 18,
    addresses: {
      10: ['0x4200000000000000000000000000000000000042'],
    },
  },
  {
    symbol: 'GNO',
    decimals: 18,
    addresses: {
      1: ['0x6810e776880c02933d47db1b9fc05908e5386b96'],
      100: ['0x9c58bacc331c9aa871afd802db6379a98e80cedb'],
      130: ['0xc4c6c3a3043ad5ece5c91290630a7735e125a938'],
      137: ['0x5ffd62d3c3ee2e81c00a7b9079fb248e7df024a8'],
      42161: ['0xa0b862f60edef4452f25b4160f177db44deb6cf1'],
    },
  },
  {
    symbol: 'stETH',
    decimals: 18,
    addresses: {
      1: ['0xae7ab96520de3a18e5e111b5eaab095312d7fe84'],
    },
  },
]
