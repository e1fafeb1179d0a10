import { type Hex, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { compileContracts } from '../../../../contracts/compile.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Address } from '../../../../service/config.ts'
import { createChain } from '../../../../service/indexer/chain.ts'
import { createPoolFinder, type FoundPools } from '../../../../service/indexer/onDemand/poolFinder.ts'
import { poolFinderCode } from '../../../../service/indexer/onDemand/poolFinderCode.ts'
import { createPoolDiscovery } from '../../../../service/indexer/poolDiscovery.ts'
import type { TokenPair } from '../../../../service/indexer/update.ts'
import type { PoolInfo } from '../../../../service/pools/poolType.ts'
import { poolTypes } from '../../../../service/pools/registry.ts'
import { nativeTokenAddress } from '../../../../service/tokens/registry.ts'
import { createNativeStableSwaps } from '../../../helpers/node/nativeStableSwaps.ts'
import { type NodeProxy, notFound, type Question, startProxy } from '../../../helpers/node/rpcProxy.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
const proxies: NodeProxy[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  const { DAI } = localnet.tokens
  await createNativeStableSwaps(localnet).createPool([nativeTokenAddress, DAI], 10n ** 20n)
})
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  await localnet.stop()
})

/** `answer` may change or answer a request of the finder; `asked` counts them. */
async function startFinder(
  answer: (call: Question) => object | undefined = () => undefined,
  more: Address[] = [],
) {
  const asked = { finder: 0, others: 0 }
  const proxy = await startProxy(localnet.rpcUrl, (question) => {
    const isFinder = (question.params[0] as { data?: Hex })?.data?.startsWith(poolFinderCode) ?? false
    asked[isFinder ? 'finder' : 'others']++
    return isFinder ? answer(question) : undefined
  })
  proxies.push(proxy)
  const { config } = localnet
  const factories = more.map((address) => ({ ...config.factories[1]!, address }))
  const chain = createChain(proxy.url, config.multicall)
  const finder = createPoolFinder({ ...config, factories: [...config.factories, ...factories] }, chain)
  return { find: finder, head: await chain.header(), asked, chain }
}

function allPairs(tokens: readonly Address[]): TokenPair[] {
  return tokens.flatMap((one, i) => tokens.slice(i + 1).map((other): TokenPair => [one, other]))
}

const sorted = (pools: readonly PoolInfo[]) => pools.toSorted((a, b) => (a.address < b.address ? -1 : 1))

async function all({ pools, others }: Pick<FoundPools, 'pools' | 'others'>): Promise<PoolInfo[]> {
  return [...pools, ...(await others)]
}

/** As the factories' events tell; keys of Uniswap v4 with hooks cannot be guessed. */
async function announced() {
  const { config, rpcUrl } = localnet
  const chain = createChain(rpcUrl, config.multicall)
  const all = await createPoolDiscovery(config, chain)(undefined, (await chain.header()).number)
  return sorted(
    all.filter(({ kind, fixed }) => {
      const { hooks = zeroAddress } = fixed as { hooks?: Address }
      return poolTypes[kind].lookup !== undefined && hooks === zeroAddress
    }),
  )
}

describe('createPoolFinder', () => {
  it('runs the code of the compiled PoolFinder.sol', async () => {
    await compileContracts()
    expect(poolFinderCode).toBe(readArtifact('PoolFinder').bytecode)
  })

  it('finds every pool that the factories have announced, in one request and some for kinds that need more', async () => {
    const { find, head, asked } = await startFinder()
    const before = asked.others
    const tokens = Object.values(localnet.tokens)
    const { codeless, ...found } = await find(allPairs(tokens), tokens, head)
    const pools = await all(found)
    expect(sorted(pools)).toEqual(await announced())
    expect(pools.length).toBeGreaterThan(20)
    expect(codeless).toEqual([])
    // Solidly pools' formula and units; tokens and decimals of four StableSwap factories.
    expect(asked).toEqual({ finder: 1, others: before + 1 + 4 })
  })

  it('tells which tokens have no code, also without a pair', async () => {
    const { find, head } = await startFinder()
    const [nowhere, elsewhere] = ['0xaa', '0xbb'].map((start) => start.padEnd(42, '0')) as [Address, Address]
    const { LINK, USDC } = localnet.tokens
    const { v2Router } = localnet.contracts
    expect((await find([[nowhere, USDC]], [nowhere, LINK], head)).codeless).toEqual([nowhere])
    const { codeless, ...found } = await find([], [v2Router, elsewhere], head)
    expect([codeless, await all(found)]).toEqual([[elsewhere], []])
  })

  it('leaves out factories that fail, have no code or answer nonsense', async () => {
    const { contracts, tokens } = localnet
    const odd = [contracts.v2Router, tokens.USDC, `0x${'ab'.repeat(20)}` as const, contracts.permit2]
    const { find, head } = await startFinder(undefined, odd)
    const known = Object.values(tokens)
    expect(sorted(await all(await find(allPairs(known), [], head)))).toEqual(await announced())
  })

  it('asks for a page after the other when gas ends', async () => {
    const { find, head, asked } = await startFinder(({ params }) => {
      Object.assign(params[0] as object, { gas: numberToHex(4_000_000) })
      return undefined
    })
    const tokens = Object.values(localnet.tokens)
    expect(sorted(await all(await find(allPairs(tokens), tokens, head)))).toEqual(await announced())
    expect(asked.finder).toBeGreaterThan(1)
  })

  it('asks for thousands of pairs in requests of a bounded size', async () => {
    const sizes: number[] = []
    const { find, head } = await startFinder(({ params }) => {
      sizes.push(((params[0] as { data: string }).data.length - 2) / 2)
      return undefined
    })
    const { LINK } = localnet.tokens
    const many = Array.from(
      { length: 1_500 },
      (_, i): Address => `0x${(i + 1).toString(16).padStart(40, 'd')}`,
    )
    const found = await find(
      [...many, ...Object.values(localnet.tokens)].flatMap((one): TokenPair[] =>
        one === LINK ? [] : [[LINK, one]],
      ),
      [LINK],
      head,
    )
    const own = (await announced()).filter(({ tokens }) => tokens.includes(LINK))
    expect(sorted(await all(found))).toEqual(own)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(49_152)
  })

  it.each([
    ['refuses creation code', notFound],
    ['answers nonsense', { result: '0x0102' }],
    ['answers nothing', { result: '0x' }],
  ])('finds the same by Multicall3, and never tries again, when the RPC %s', async (_what, answer) => {
    const { find, head, asked } = await startFinder(() => answer)
    const nowhere = `0x${'ab'.repeat(20)}` as const
    const tokens = [...Object.values(localnet.tokens), nowhere]
    for (let i = 0; i < 2; i++) {
      const { codeless, ...found } = await find(allPairs(tokens), tokens, head)
      expect(sorted(await all(found))).toEqual(await announced())
      expect(codeless).toEqual([nowhere])
    }
    expect(asked.finder).toBe(1)
  })
})
