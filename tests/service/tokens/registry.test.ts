import { encodeAbiParameters, type Hex, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Artifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens, nativeTokenAddress, requireDecimals } from '../../../service/tokens/registry.ts'
import { createChain } from '../../../src/evm/client.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import { limited, startFaultyNode } from '../../helpers/node/faultyNode.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

it('lists the native token and the tokens of the config by address', () => {
  const { listed } = createTokens(localnet.config, connectRpc(localnet.rpcUrl))
  expect(listed.get(nativeTokenAddress)).toMatchObject({
    address: nativeTokenAddress,
    symbol: 'ETH',
    decimals: 18,
  })
  expect(listed.get(localnet.tokens.USDC)).toMatchObject({ symbol: 'USDC', decimals: 6, eip2612: true })
  expect(listed.size).toBe(localnet.config.tokens.length + 1)
})

it('reads an unlisted token from its contract', async () => {
  const unlisted = { ...localnet.config, tokens: [] }
  const tokens = createTokens(unlisted, connectRpc(localnet.rpcUrl))
  await tokens.requireKnown(localnet.tokens.WBTC)
  expect(await tokens.info(localnet.tokens.WBTC)).toEqual({
    address: localnet.tokens.WBTC,
    symbol: 'WBTC',
    name: 'Wrapped Bitcoin',
    decimals: 8,
    logoURI: '',
    tags: [],
  })
})

/** Returns 18 for `decimals()`, else `word`. */
function oldToken(word: Hex): Hex {
  const answerWord = `7f${word.slice(2)}5f5260205ff3`
  const answerDecimals = '5b60125f5260205ff3'
  return `0x5f3560e01c63313ce56714603557${answerWord}${answerDecimals}`
}

it('reads a symbol and a name encoded as bytes32, like those of MKR', async () => {
  const token = `0x${'71'.repeat(20)}` as const
  await localnet.client.setCode({ address: token, bytecode: oldToken(stringToHex('MKR', { size: 32 })) })
  const tokens = createTokens(localnet.config, connectRpc(localnet.rpcUrl))
  expect(await tokens.info(token)).toMatchObject({ symbol: 'MKR', name: 'MKR', decimals: 18 })
})

it('accepts tokens without decimals, symbol or name (EIP-20), with the same results as the wallet', async () => {
  const network = { chainId: localnet.chainId, name: 'Local', coin: { symbol: 'ETH', name: 'Ether' } }
  const chain = createChain({
    ...network,
    ...{ serviceUrl: '', rpcUrl: localnet.rpcUrl, confirmations: 1, quoteEveryMs: 1_000 },
  })
  const tokens = createTokens({ ...localnet.config, tokens: [] }, connectRpc(localnet.rpcUrl))
  const { Bare, FarLabels, Collectible, Feed } = await compileFile('Labels.sol', labels)
  const bare = await deploy(Bare, [localnet.config.wrapped])
  const far = await deploy(FarLabels)
  expect(await tokens.info(bare)).toEqual({
    address: bare,
    symbol: `${bare.slice(0, 6)}…${bare.slice(-4)}`,
    name: '',
    decimals: 0,
    logoURI: '',
    tags: ['no-decimals'],
  })
  expect(await tokens.info(far)).toMatchObject({ symbol: 'FAR', name: 'Far away', decimals: 9, tags: [] })
  for (const address of [bare, far, localnet.tokens.USDT]) {
    const { symbol, name, decimals, tags } = await chain.token(address)
    expect(await tokens.info(address)).toMatchObject({ symbol, name, decimals, tags })
  }
  for (const contract of [Collectible, Feed]) {
    const address = await deploy(contract)
    await expect(tokens.info(address)).rejects.toMatchObject({ code: 'UNKNOWN_TOKEN' })
    await expect(chain.token(address)).rejects.toMatchObject({ code: 'unknown-token' })
  }
})

it('accepts a listed token without decimals only with 0 decimals', async () => {
  const node = connectRpc(localnet.rpcUrl)
  const { Bare } = await compileFile('Labels.sol', ['Bare'])
  const bare = {
    address: await deploy(Bare, [localnet.config.wrapped]),
    symbol: 'B',
    name: 'B',
    logoURI: '',
    tags: [],
  }
  await requireDecimals({ ...localnet.config, tokens: [{ ...bare, decimals: 0 }] }, node)
  await expect(
    requireDecimals({ ...localnet.config, tokens: [{ ...bare, decimals: 18 }] }, node),
  ).rejects.toThrow('has 0 decimals, not 18')
})

it('rejects a contract without balances with UNKNOWN_TOKEN', async () => {
  const tokens = createTokens(localnet.config, connectRpc(localnet.rpcUrl))
  await expect(tokens.info(localnet.contracts.v2Factory)).rejects.toMatchObject({ code: 'UNKNOWN_TOKEN' })
})

it('rejects an address without a contract', async () => {
  const tokens = createTokens(localnet.config, connectRpc(localnet.rpcUrl))
  const nobody = `0x${'99'.repeat(20)}` as const
  await expect(tokens.requireKnown(nobody)).rejects.toMatchObject({
    code: 'UNKNOWN_TOKEN',
    meta: [{ type: 'token', value: nobody }],
  })
})

it('does not answer UNKNOWN_TOKEN when the RPC is down', async () => {
  const tokens = createTokens(localnet.config, connectRpc('http://127.0.0.1:1'))
  await expect(tokens.requireKnown(`0x${'99'.repeat(20)}`)).rejects.not.toHaveProperty(
    'code',
    'UNKNOWN_TOKEN',
  )
  await expect(tokens.info(`0x${'99'.repeat(20)}`)).rejects.not.toHaveProperty('code', 'UNKNOWN_TOKEN')
})

it('throws when the RPC limits the request for a symbol', async () => {
  const node = await startFaultyNode(localnet.rpcUrl, ({ method, params }) => {
    const [call] = params as [{ data?: string }]
    // `symbol()`
    return method === 'eth_call' && call.data === '0x95d89b41' ? limited : undefined
  })
  const tokens = createTokens({ ...localnet.config, tokens: [] }, connectRpc(node.url))
  await expect(tokens.info(localnet.tokens.WBTC)).rejects.toThrow('rate limited')
  await node.stop()
})

it('compares the decimals in the config with the chain, and names wrong entries', async () => {
  const node = connectRpc(localnet.rpcUrl)
  await requireDecimals(localnet.config, node)
  const [first, second, ...rest] = localnet.config.tokens
  const nobody = `0x${'99'.repeat(20)}` as const
  const wrong = [{ ...first!, decimals: 6 }, { ...second!, address: nobody }, ...rest]
  await expect(requireDecimals({ ...localnet.config, tokens: wrong }, node)).rejects.toThrow(
    `wrong about its tokens: ${first!.symbol} (${first!.address}) has ${first!.decimals} decimals, not 6; ${second!.symbol} (${nobody}) has no decimals, not ${second!.decimals}.`,
  )
})

/** Returns 18 for `decimals()`, else `text`. */
function wordyToken(text: string): Hex {
  const answer = encodeAbiParameters([{ type: 'string' }], [text]).slice(2)
  const size = (answer.length / 2).toString(16).padStart(4, '0')
  // codecopy(0, 0x23, size), return(0, size); at 0x1a: return 18
  const head = `5f3560e01c63313ce56714601a5761${size}60235f3961${size}5ff3`
  return `0x${head}5b60125f5260205ff3${answer}`
}

it('truncates names and removes invisible characters', async () => {
  const token = `0x${'72'.repeat(20)}` as const
  const long = `\u0000\u202eB\nA\u2028D${'\u{1f4b0}'.repeat(5_000)}`
  await localnet.client.setCode({ address: token, bytecode: wordyToken(long) })
  const tokens = createTokens(localnet.config, connectRpc(localnet.rpcUrl))
  expect(await tokens.info(token)).toMatchObject({
    symbol: `BAD${'\u{1f4b0}'.repeat(29)}`,
    name: `BAD${'\u{1f4b0}'.repeat(61)}`,
    decimals: 18,
  })
})

const labels = ['Bare', 'FarLabels', 'Collectible', 'Feed'] as const

async function deploy({ abi, bytecode }: Artifact, args: unknown[] = []): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  const { contractAddress } = await localnet.client.receiptOf(hash)
  return contractAddress?.toLowerCase() as Address
}
