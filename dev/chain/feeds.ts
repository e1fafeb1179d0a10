import {
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  parseEther,
  toHex,
} from 'viem'
import { readArtifact } from '../../contracts/artifact.ts'
import type { Address } from '../../service/config.ts'
import { larger } from '../../src/domain/bounds.ts'
import { type Build, readBuild } from './artifacts.ts'
import { type LocalnetClient, send } from './client.ts'

/** Currencies with a rate, in US dollars with eight decimals. */
export const currencyRates = {
  EUR: 1_16000000n,
  GBP: 1_34000000n,
  JPY: 660000n,
  CHF: 1_25000000n,
  CNY: 14000000n,
} as const
export type FeedCurrency = keyof typeof currencyRates

/** `answer` with eight decimals; `updatedAt` in Unix seconds, default now. */
export type FeedChange = { answer?: bigint; updatedAt?: number; reverts?: boolean }

/** Chainlink's mock of a feed. Requires compiled contracts. */
export function readFeedBuild(): Build {
  return readArtifact('MockV3Aggregator')
}

export function readOracleBuild(): Build {
  return readBuild('@aave/core-v3/artifacts/contracts/misc/AaveOracle.sol/AaveOracle.json')
}

/** Arguments of AaveOracle: no fallback, in US dollars. The addresses provider only matters for changes. */
export function oracleArgs(sources: readonly { asset: Address; feed: Address }[]): unknown[] {
  const none = `0x${'00'.repeat(20)}`
  return [none, sources.map(({ asset }) => asset), sources.map(({ feed }) => feed), none, none, 100_000_000n]
}

/** Its only round is overwritten. A feed that reverted answers again. */
export async function writeFeed(
  client: LocalnetClient,
  feed: Address,
  { answer, updatedAt, reverts }: FeedChange,
): Promise<void> {
  const { abi, deployedBytecode } = readArtifact('MockV3Aggregator')
  await client.setCode({ address: feed, bytecode: deployedBytecode })
  const read = (functionName: string) =>
    client.readContract({ address: feed, abi, functionName }) as Promise<bigint>
  const time = BigInt(updatedAt ?? larger((await client.getBlock()).timestamp, now()))
  const args = [1n, answer ?? (await read('latestAnswer')), time, time]
  await send(client, { to: feed, data: encodeFunctionData({ abi, functionName: 'updateRoundData', args }) })
  // INVALID
  if (reverts) await client.setCode({ address: feed, bytecode: '0xfe' })
}

/** Makes feeds of a saved state as young as the chain, without a block. */
export async function renewFeeds(client: LocalnetClient, feeds: readonly Address[]): Promise<void> {
  const value = toHex(now(), { size: 32 })
  // MockV3Aggregator: latestTimestamp, and getTimestamp[1].
  const slots = [toHex(2n, { size: 32 }), mappingSlot(1n, 5n)]
  await Promise.all(
    feeds.flatMap((address) => slots.map((index) => client.setStorageAt({ address, index, value }))),
  )
}

/** Slot of `mapping[key]` (Solidity's storage layout). */
export function mappingSlot(key: bigint, slot: bigint): `0x${string}` {
  return keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [key, slot]))
}

/** An account that deploys nothing but feeds and their oracle, in this order. */
const owner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee3'

export type PricedAsset<Name extends string> = { name: Name; asset: Address; usd: bigint }

export type OracleAddresses<Name extends string> = {
  oracle: Address
  feeds: Record<Name, Address>
  /** With a description. */
  currencyFeeds: Record<FeedCurrency, Address>
  /** Behind those. */
  aggregators: Record<FeedCurrency, Address>
}

/** Equal on every localnet. */
export function predictOracle<Name extends string>(
  assets: readonly Pick<PricedAsset<Name>, 'name'>[],
): OracleAddresses<Name> {
  const at = (nonce: number) =>
    getContractAddress({ from: owner, nonce: BigInt(nonce) }).toLowerCase() as Address
  const currencies = Object.keys(currencyRates) as FeedCurrency[]
  const from = (start: number) =>
    Object.fromEntries(currencies.map((currency, index) => [currency, at(start + index)])) as Record<
      FeedCurrency,
      Address
    >
  const count = assets.length
  return {
    feeds: Object.fromEntries(assets.map(({ name }, index) => [name, at(index)])) as Record<Name, Address>,
    oracle: at(count),
    aggregators: from(count + 1),
    currencyFeeds: from(count + 1 + currencies.length),
  }
}

export async function deployOracle<Name extends string>(
  client: LocalnetClient,
  assets: readonly PricedAsset<Name>[],
): Promise<void> {
  const { feeds, aggregators, oracle } = predictOracle(assets)
  const rates = Object.entries(currencyRates) as [FeedCurrency, bigint][]
  await client.impersonateAccount({ address: owner })
  await client.setBalance({ address: owner, value: parseEther('1') })
  const deploy = async ({ abi, bytecode }: Build, args: unknown[]) => {
    const hash = await client.deployContract({ account: owner, abi, bytecode, args } as never)
    const { contractAddress } = await client.receiptOf(hash)
    return contractAddress?.toLowerCase()
  }
  for (const { usd } of assets) await deploy(readFeedBuild(), [8, usd])
  const sources = assets.map(({ name, asset }) => ({ asset, feed: feeds[name] }))
  const deployed = await deploy(readOracleBuild(), oracleArgs(sources))
  if (deployed !== oracle) throw new Error(`The oracle was not deployed at ${oracle}.`)
  for (const [, usd] of rates) await deploy(readFeedBuild(), [8, usd])
  for (const [currency] of rates)
    await deploy(readArtifact('FeedProxy'), [aggregators[currency], `${currency} / USD`])
}

function now(): bigint {
  return BigInt(Math.floor(Date.now() / 1_000))
}
