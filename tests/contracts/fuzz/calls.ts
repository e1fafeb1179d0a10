import {
  type Address,
  BaseError,
  decodeErrorResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  parseAbi,
} from 'viem'
import { expect, vi } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import type { LocalnetClient } from '../../../dev/chain/client.ts'
import { native } from './ask.ts'

export type Call = { from: Address; to: Address; value?: bigint; data?: Hex; gas?: bigint }
/** Addresses in lower case. */
export type Refusal = [name: string, ...args: unknown[]]
export type Calls = ReturnType<typeof createCalls>

const abi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function getEthBalance(address) view returns (uint256)',
  'function allowance(address, address) view returns (uint256)',
  'function nonces(address) view returns (uint256)',
  'function transfer(address, uint256)',
  'function transferFrom(address, address, uint256)',
  'function approve(address, uint256)',
  'function mint(address, uint256)',
  'function setSurcharge(uint256)',
  'function setRefuses(bytes4, bool)',
  'function createPair(address, address)',
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function getAmountOut(uint256, uint256, uint256) view returns (uint256)',
  'function mint(address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function createAndInitializePoolIfNecessary(address, address, uint24, uint160)',
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96)) returns (uint256)',
  'function uniswapV3SwapCallback(int256, int256, bytes)',
  'function pancakeV3SwapCallback(int256, int256, bytes)',
  'function sellBranch(uint256 source, address holder, uint256 before, address[] tokens, bytes hops, uint256 amount, uint256 firstHop)',
])

/** Permit2 errors that the router bubbles up. */
const passedOn = parseAbi([
  'error AllowanceExpired(uint256)',
  'error InsufficientAllowance(uint256)',
  // Uniswap v4.
  'error PoolNotInitialized()',
  // Balancer v3.
  'error PoolNotInitialized(address)',
  'error PoolPaused(address)',
  'error TokenNotRegistered(address)',
  // Solidly pools.
  ...['IsPaused', 'K', 'InsufficientOutputAmount', 'InsufficientLiquidity', 'InsufficientInputAmount'].map(
    (name) => `error ${name}()` as const,
  ),
])

/** Estimating takes longer than executing. */
const gas = 12_000_000n

/** The node signs for any sender. */
export function createCalls(client: LocalnetClient) {
  const encode = (name: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName: name, args } as never)

  /** viem would wait for another block, which may never come. */
  async function send({ from: account, ...rest }: Omit<Call, 'to'> & { to?: Address }) {
    const hash = await client.sendTransaction({ account, gas, ...rest })
    return vi.waitFor(() => client.getTransactionReceipt({ hash }), { timeout: 100_000, interval: 5 })
  }

  async function write(to: Address, name: string, args: readonly unknown[], from: Address) {
    const receipt = await send({ from, to, data: encode(name, args) })
    expect(receipt.status).toBe('success')
    return receipt
  }

  async function read<T>(address: Address, functionName: string, args: readonly unknown[]): Promise<T> {
    return client.readContract({ address, abi, functionName, args } as never) as Promise<T>
  }

  async function balance(token: Address, owner: Address): Promise<bigint> {
    return token === native ? client.getBalance({ address: owner }) : read(token, 'balanceOf', [owner])
  }

  async function readAll(
    calls: (readonly [to: Address, name: string, ...args: unknown[]])[],
  ): Promise<unknown[]> {
    const contracts = calls.map(([address, functionName, ...args]) => ({ address, abi, functionName, args }))
    return client.multicall({ contracts, allowFailure: false } as never)
  }

  async function ask({ from: account, ...rest }: Call): Promise<Hex> {
    const { data = '0x' } = await client.call({ account, gas, ...rest })
    return data
  }

  async function refusalOf(call: Call): Promise<Refusal> {
    return ask(call).then(
      () => expect.fail('The call went through.'),
      (error) => decodeRefusal(revertData(error)),
    )
  }

  async function deploy(from: Address, name: string, args: unknown[] = []): Promise<Address> {
    const { contractAddress } = await send({ from, data: encodeDeployData({ ...readArtifact(name), args }) })
    return contractAddress!.toLowerCase() as Address
  }

  return { encode, send, write, read, readAll, balance, ask, refusalOf, deploy }
}

export function decodeRefusal(data: Hex): Refusal {
  if (data === '0x') return ['']
  const abi = [...readArtifact('SwapRouter').abi, ...passedOn]
  const { errorName, args = [] } = decodeErrorResult({ abi, data })
  return [errorName, ...args.map(lower)]
}

export function lower<T>(value: T): T {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value.toLowerCase() as T) : value
}

function revertData(error: unknown): Hex {
  const cause = error instanceof BaseError ? error.walk((inner) => typeof dataOf(inner) === 'string') : null
  if (!cause) throw error
  return dataOf(cause) as Hex
}

function dataOf(error: unknown): unknown {
  return (error as { data?: unknown }).data
}
