import { concatHex, encodeAbiParameters, parseAbiParameters } from 'viem'
import { decodeReturned } from '../../domain/abi/decodeStrict.ts'
import type { DirectContracts } from '../../domain/network/swapSource.ts'
import { type Address, type Hex, zeroAddress } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import { once } from '../../lib/once.ts'
import { pathQuoterCode } from './pathQuoterCode.ts'

/** Path through pools without those of another path. A hop of fee 0 is a v2 pair; else in millionths. */
export type QuotedPath = {
  tokens: Address[]
  fees: number[]
  /** Used by the pools for the whole amount. */
  gas: bigint
  /** `returned[i]`: for `i + 1` parts of the amount. */
  returned: bigint[]
}

/** `unitReturns`: for `unit` of the wrapped native token; 0 if unknown. `time` of the block, Unix seconds. */
export type PathQuotes = { paths: QuotedPath[]; unitReturns: bigint; time: bigint }

/** `sell` and `buy` are contracts. */
export type PathRequest = { sell: Address; buy: Address; amount: bigint }

export const parts = 10n
/** One more than used, as a later path may fit better. */
const maxPaths = 4n
/** Two connectors between the ends. */
const maxTokens = 4
/** Sums of these fit into calldata. */
const maxReturned = 2n ** 250n
const maxTime = 2n ** 64n
/** Wei of the native token. */
export const unit = 10n ** 16n
/** Uniswap v3 factories enable these. */
const fees = [100, 500, 3_000, 10_000]

const request = once(() =>
  parseAbiParameters([
    'Request request',
    'struct Request { address quoter; address v2Factory; address wrapped; address sell; address buy; uint256 amount; uint256 parts; uint256 maxPaths; uint256 unit; uint24[] fees; address[] connectors; }',
  ]),
)

const result = once(() =>
  parseAbiParameters([
    'Result result',
    'struct Result { Path[] paths; uint256 unitReturns; uint256 time; }',
    'struct Path { address[] tokens; uint24[] fees; uint256 gas; uint256[] returned; }',
  ]),
)

/** Encodes the creation of contracts/PathQuoter.sol, whose constructor returns the quotes. */
export function encodePathRequest(contracts: DirectContracts, { sell, buy, amount }: PathRequest): Hex {
  const { quoter, v2Factory = zeroAddress, wrapped, connectors } = contracts
  const values = { quoter, v2Factory, wrapped, sell, buy, amount, parts, maxPaths, unit, fees, connectors }
  return concatHex([pathQuoterCode, encodeAbiParameters(request(), [values])])
}

/** Throws `node-refused` unless the RPC answers quotes of the requested pair. */
export function parsePathQuotes(returned: Hex, { sell, buy }: PathRequest): PathQuotes {
  const { paths, ...rest } = decode(returned)
  // Splits are computed from every path.
  if (BigInt(paths.length) > maxPaths || rest.time > maxTime) throw garbled()
  const isWhole = paths.every(
    ({ tokens, fees, returned }) =>
      tokens[0] === sell &&
      tokens.at(-1) === buy &&
      tokens.length === fees.length + 1 &&
      tokens.length <= maxTokens &&
      BigInt(returned.length) === parts &&
      returned.every((amount) => amount <= maxReturned),
  )
  if (!isWhole) throw garbled()
  return { paths: paths.map((path) => ({ ...path, ...toLists(path) })), ...rest }
}

function toLists({ tokens, fees, returned }: ReturnType<typeof decode>['paths'][number]) {
  return { tokens: [...tokens], fees: [...fees], returned: [...returned] }
}

function decode(returned: Hex) {
  try {
    const [found] = decodeReturned(result(), returned)
    return found
  } catch (cause) {
    throw garbled(cause)
  }
}

function garbled(cause?: unknown): WalletError {
  return new WalletError(
    'node-refused',
    'The network’s RPC answered eth_call with something else than quotes.',
    { method: 'eth_call' },
    { cause },
  )
}
