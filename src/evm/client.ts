import type * as v from 'valibot'
import type { Call } from '../domain/activity/callBatch.ts'
import { type FeeLimits, getFeeLimits } from '../domain/network/feeLimits.ts'
import type { Network, NodeHealth } from '../domain/network/network.ts'
import { getDirectContracts } from '../domain/network/swapSource.ts'
import type { MarketRequest, MarketReturns } from '../domain/swap/market.ts'
import type { FeeSpeed } from '../domain/swap/swap.ts'
import { blankImmutables } from '../domain/swap/swapRouter02.ts'
import { maxUint256 } from '../domain/token/amount.ts'
import { type Address, type Hex, isNative, nativeTokenAddress, type Token } from '../domain/token/token.ts'
import type { Currency } from '../domain/value/currency.ts'
import type { TokenPrices } from '../domain/value/price.ts'
import { type ErrorDetails, toWalletError, WalletError } from '../errors.ts'
import { readBlockInterval } from './blockInterval.ts'
import { getCodeHash, isContractCode } from './codeHash.ts'
import { readCurrencyRate } from './currencyRate.ts'
import {
  allowanceData,
  approvalData,
  balanceData,
  newToken,
  readAllowances,
  readMirror,
  readToken,
  tokenReads,
} from './erc20.ts'
import { type Fees, readFeeHistory, readFees } from './fees.ts'
import {
  type Arrival,
  type BlockRange,
  type NativeState,
  readNativeArrivals,
  readNativeState,
  readTokenArrivals,
  type TokenArrivals,
} from './incoming.ts'
import { readL1Fee } from './l1Fee.ts'
import type { Feeds } from './oracle.ts'
import {
  type Permit2Info,
  type PermitInfo,
  permit2AllowanceCall,
  readPermit,
  readPermit2,
  readPermit2Allowance,
} from './permits.ts'
import { createPrices } from './prices.ts'
import { type RpcCall, toRpcCall } from './rpc/call.ts'
import { createFallback, type FallbackDeps } from './rpc/fallback.ts'
import { multicall, nativeBalanceCall, readNumber } from './rpc/multicall.ts'
import { pollLimits } from './rpc/node.ts'
import { createProxyRequest, type ProxyRequest } from './rpc/proxyRequest.ts'
import { createRpc, readAs } from './rpc/rpc.ts'
import { isRevert, parseRpcError } from './rpc/rpcError.ts'
import { rpcErrorKind } from './rpc/rpcErrorKind.ts'
import type { Receipt } from './rpc/schemas.ts'
import * as answers from './rpc/schemas.ts'
import { getMinedRevert, type Reverted } from './simulation/minedRevert.ts'
import { type SimulateRequest, type SimulationResult, simulate } from './simulation/simulate.ts'

/** Client of one chain. Amounts are base units, fees wei. */
export type Chain = {
  /** Throws `wrong-chain`. */
  verify(): Promise<void>
  health(): Promise<NodeHealth[]>
  missingFeatures(): Promise<string[][]>
  proxyRequest: ProxyRequest
  /** Returns what the constructor of `creationCode` returns on the newest block. Throws `reverted`. */
  runConstructor(creationCode: Hex): Promise<Hex>
  blockNumber(): Promise<bigint>
  /** Seconds since 1970. */
  blockTime(): Promise<bigint>
  /** Milliseconds; undefined without a rhythm. */
  blockInterval(): Promise<number | undefined>
  /** `withPrices` reads the oracle in the same request, for `prices`. */
  balances(owner: Address, tokens: Address[], withPrices?: boolean): Promise<Record<Address, bigint>>
  /** The native token has an unlimited allowance. */
  position(owner: Address, token: Address, spender: Address): Promise<SwapBalances>
  /** Throws `unknown-token`. */
  token(address: Address): Promise<Token>
  /** Maximum over all RPCs. */
  nonces(owner: Address): Promise<{ mined: number; pending: number }>
  nonceAtBlock(owner: Address, block: bigint): Promise<number>
  fees(speed?: FeeSpeed): Promise<GasPrice>
  feesBySpeed(): Promise<(speed: FeeSpeed) => Fees>
  /** In wei; 0 except on rollups. */
  l1Fee(bytes: number): Promise<bigint>
  feeLimits: FeeLimits
  blockGasLimit(): Promise<bigint | undefined>
  /** Throws `reverted`, `not-enough-gas`. */
  estimateGas(call: RpcCall): Promise<bigint>
  /** True for USDT-like tokens, whose allowance must first be zero. */
  needsReset(owner: Address, token: Address, spender: Address, amount: bigint): Promise<boolean>
  /** Idempotent. Throws `underpriced` while a transaction with the same nonce pays more. */
  send(raw: Hex): Promise<'sent' | 'known' | 'nonce-used'>
  /** Wei. */
  nativeBalance(owner: Address): Promise<bigint>
  /** False for an account with a delegation (EIP-7702). */
  isContract(address: Address): Promise<boolean>
  /**
   * keccak256 of the code, cached; of direct swaps' router with blank immutables. Undefined for accounts,
   * also with a delegation (EIP-7702).
   */
  codeHash(address: Address): Promise<Hex | undefined>
  balanceChangeInBlock(
    owner: Address,
    block: bigint,
    token?: Address,
  ): Promise<{ grown: bigint; sent: number }>
  /** Of the newest block. */
  nativeState(owner: Address): Promise<NativeState>
  /** Payments that raised the native balance between two states. */
  nativeArrivals(owner: Address, before: NativeState, after: NativeState): Promise<Arrival[]>
  /** Transfers of `tokens` to `owner`. Undefined if the RPC serves no logs. */
  tokenArrivals(owner: Address, tokens: Address[], range: BlockRange): Promise<TokenArrivals | undefined>
  /** Simulates `calls` in order. `gas` limits the first, and is a minimum for later ones. */
  simulate(from: Address, calls: Call[], asked?: SimulateRequest): Promise<SimulationResult>
  /** ERC-7631. */
  mirror(token: Address): Promise<Address | undefined>
  /** Undefined without permits, or if the domain separator does not match. */
  permit(token: Address, owner: Address): Promise<PermitInfo | undefined>
  permit2(token: Address, owner: Address, spender: Address): Promise<Permit2Info | undefined>
  /** Greater than zero. */
  allowances(
    owner: Address,
    tokens: Address[],
    spenders: Address[],
  ): Promise<{ token: Address; spender: Address; amount: bigint }[]>
  /** Permit2 allowances greater than zero. */
  permit2Allowances(
    owner: Address,
    tokens: Address[],
    spenders: Address[],
  ): Promise<{ token: Address; spender: Address; amount: bigint; expiration: bigint }[]>
  /** Tokens without a price are absent. */
  prices(tokens: Address[]): Promise<TokenPrices>
  /** For tokens of `prices`: the oracle lists the token, or did not say, so no other price may stand in. */
  isOfOracle(token: Address): boolean
  feeds: Feeds
  /** US dollars of one unit, with eight decimals. Undefined for a feed that cannot be trusted. */
  currencyRate(feed: Address, currency: Currency): Promise<bigint | undefined>
  /** At market price, independent of the swap service. */
  marketReturns(asks: MarketRequest[]): Promise<(MarketReturns | undefined)[]>
  transaction(hash: Hex): Promise<'pending' | 'mined' | undefined>
  receipt(hash: Hex): Promise<Receipt | undefined>
  minedRevert(asked: Reverted): Promise<{ reason: string; facts: ErrorDetails } | undefined>
  /** Missing answers of RPCs. */
  missedAnswers(): Promise<number>
  /** Unparsed. */
  plainReceipt(hash: Hex): Promise<Record<string, unknown> | undefined>
}

/** Wei per gas. `isLegacy`: both are the gas price. */
export type GasPrice = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; isLegacy?: true }

export type SwapBalances = { balance: bigint; allowance: bigint; native: bigint }

/** One URL may serve several nodes, so it expires. */
const refusedMs = 60_000

/** Creates a `Chain`. Limits: docs/security/journal.md, RPCs. */
export function createChain(network: Network, parts: FallbackDeps = {}): Chain {
  const nodes = createFallback(network, parts)
  const reads = createRpc(nodes.ask(pollLimits))
  const hints = createRpc(nodes.ask({ ...pollLimits, retries: 0 }))
  const sends = createRpc(nodes.ask({ deadlineMs: 10_000, retries: 0 }))
  const askAll = nodes.askAll(pollLimits)
  const { now = () => performance.now() } = parts
  const direct = getDirectContracts(network)
  const prices = createPrices(reads, network, now)
  /** Since the client was created, by any account. */
  const held = new Set<Address>()
  let refused = { fields: new Set<string>(), until: 0 }
  function refusedFields(): Set<string> {
    if (now() >= refused.until) refused = { fields: new Set(), until: now() + refusedMs }
    return refused.fields
  }

  function all<Shape extends v.GenericSchema>(method: string, params: unknown[], shape: Shape) {
    return askAll(method, params, (answer) => readAs(answer, method, shape))
  }

  async function count(owner: Address, block: string): Promise<number> {
    return most(await all('eth_getTransactionCount', [owner, block], answers.count))
  }

  async function token(address: Address): Promise<Token> {
    if (isNative(address)) return newToken(address, network.coin.symbol, network.coin.name, 18)
    const found = readToken(address, await multicall(reads, tokenReads(address)))
    if (found === undefined) throw notAToken(address)
    return found
  }

  return {
    verify: nodes.verify,
    health: nodes.health,
    missingFeatures: nodes.missingFeatures,
    proxyRequest: createProxyRequest(nodes),
    missedAnswers: async () => nodes.missedAnswers(),

    runConstructor: (creationCode) => reads.ask('eth_call', [{ data: creationCode }, 'latest'], answers.hex),

    blockNumber() {
      return reads.ask('eth_blockNumber', [], answers.quantity)
    },

    async blockTime() {
      const { timestamp } = await reads.ask('eth_getBlockByNumber', ['latest', false], answers.block)
      return BigInt(timestamp)
    },

    blockInterval: () => readBlockInterval(reads),

    async balances(owner, tokens, withPrices) {
      const calls = tokens.map((token) => balanceCall(token, owner))
      const beside = prices.alongside(withPrices ? tokens : [])
      const returned = await multicall(reads, [...calls, ...beside.calls])
      beside.take(returned.slice(calls.length))
      const known = tokens.flatMap((token, index): [Address, bigint][] => {
        const balance = readNumber(returned[index])
        if (balance) held.add(token)
        return balance === undefined ? [] : [[token, balance]]
      })
      return Object.fromEntries(known)
    },

    async position(owner, token, spender) {
      const allowanceCall = { to: token, data: allowanceData(owner, spender) }
      const calls = [nativeBalanceCall(owner), balanceCall(token, owner), allowanceCall]
      const [coin, balance, allowed] = (await multicall(reads, calls)).map(readNumber)
      const allowance = isNative(token) ? maxUint256 : allowed
      if (coin === undefined || balance === undefined || allowance === undefined) throw notAToken(token)
      return { balance, allowance, native: coin }
    },

    token,

    async nonces(owner) {
      const [mined, pending] = await Promise.all([count(owner, 'latest'), count(owner, 'pending')])
      return { mined, pending }
    },
    nonceAtBlock: (owner, block) => count(owner, `0x${block.toString(16)}`),

    feeLimits: getFeeLimits(network),

    async fees(speed) {
      return toPrice(await readFees(reads, speed))
    },

    async feesBySpeed() {
      return readFeeHistory(reads)
    },

    async l1Fee(bytes) {
      return network.rollup === 'op' ? readL1Fee(reads, bytes) : 0n
    },

    async blockGasLimit() {
      const outcome = await reads
        .ask('eth_getBlockByNumber', ['latest', false], answers.gasBlock)
        .catch(toWalletError)
      if (!(outcome instanceof WalletError)) return outcome.gasLimit || undefined
      if (outcome.code !== 'node-refused') throw outcome
      return undefined
    },

    estimateGas(call) {
      return reads.ask('eth_estimateGas', [toRpcCall(call)], answers.quantity)
    },

    nativeBalance(owner) {
      return reads.ask('eth_getBalance', [owner, 'latest'], answers.quantity)
    },

    async isContract(address) {
      const code = await reads.ask('eth_getCode', [address, 'latest'], answers.hex)
      return isContractCode(code)
    },

    codeHash: (address) =>
      address === direct?.router
        ? getCodeHash(reads, address, (code) => blankImmutables(code, direct))
        : getCodeHash(reads, address),

    async balanceChangeInBlock(owner, block, token = nativeTokenAddress) {
      const at = (number: bigint) => {
        const tag = `0x${number.toString(16)}`
        return Promise.all([
          isNative(token)
            ? reads.ask('eth_getBalance', [owner, tag], answers.quantity)
            : reads.ask('eth_call', [{ to: token, data: balanceData(owner) }, tag], answers.quantity),
          reads.ask('eth_getTransactionCount', [owner, tag], answers.count),
        ])
      }
      const [[before, sentBefore], [after, sentAfter]] = await Promise.all([at(block - 1n), at(block)])
      return { grown: after - before, sent: sentAfter - sentBefore }
    },

    nativeState: (owner) => readNativeState(reads, owner),
    nativeArrivals: (owner, before, after) => readNativeArrivals(reads, owner, before, after),
    tokenArrivals: (owner, tokens, range) => readTokenArrivals(reads, owner, tokens, range),

    async simulate(from, calls, asked) {
      const { chainId } = network
      return simulate(reads, from, calls, { tokenOf: token, ...asked }, { chainId, refused: refusedFields() })
    },

    mirror: (token) => readMirror(reads, token),

    permit: (token, owner) => readPermit(reads, network.chainId, token, owner),

    permit2: (token, owner, spender) => readPermit2(reads, network.chainId, token, owner, spender),

    async allowances(owner, tokens, spenders) {
      const read = await readAllowances(reads, tokens, spenders, (token, spender) => ({
        to: token,
        data: allowanceData(owner, spender),
      }))
      return read
        .map(({ returned, ...pair }) => ({ ...pair, amount: readNumber(returned) ?? 0n }))
        .filter(({ amount }) => amount > 0n)
    },

    async permit2Allowances(owner, tokens, spenders) {
      const read = await readAllowances(reads, tokens, spenders, (token, spender) =>
        permit2AllowanceCall(owner, token, spender),
      )
      return read.flatMap(({ returned, ...pair }) => {
        const { amount = 0n, expiration = 0n } = readPermit2Allowance(returned) ?? {}
        return amount > 0n ? [{ ...pair, amount, expiration }] : []
      })
    },

    prices: (tokens) => prices.prices(tokens, held),
    isOfOracle: prices.isOfOracle,
    feeds: prices.feeds,
    currencyRate: (feed, currency) => readCurrencyRate(reads, feed, currency),
    marketReturns: prices.marketReturns,

    async needsReset(owner, token, spender, amount) {
      const approves = async (allowed: bigint) => {
        const call = { from: owner, to: token, data: approvalData(spender, allowed), value: 0n }
        const outcome = await reads.attempt('eth_call', [toRpcCall(call), 'latest'], answers.hex)
        if ('refusal' in outcome) {
          if (isRevert(outcome.refusal)) return false
          throw parseRpcError(outcome.refusal, 'eth_call')
        }
        // USDT returns nothing.
        return outcome.result === '0x' || readNumber(outcome.result) !== 0n
      }
      return !(await approves(amount)) && (await approves(0n))
    },

    async send(raw) {
      const outcome = await sends.attempt('eth_sendRawTransaction', [raw], answers.hash)
      if (!('refusal' in outcome)) return 'sent'
      const kind = rpcErrorKind(outcome.refusal)
      if (kind === 'known' || kind === 'nonce-used') return kind
      throw parseRpcError(outcome.refusal, 'eth_sendRawTransaction')
    },

    async transaction(hash) {
      const known = await all('eth_getTransactionByHash', [hash], answers.transaction)
      const found = known.filter((one) => one?.hash === hash)
      if (found.some((one) => one?.blockNumber !== null)) return 'mined'
      return found.length > 0 ? 'pending' : undefined
    },

    async receipt(hash) {
      const known = await all('eth_getTransactionReceipt', [hash], answers.receipt)
      const found = known.find((one) => one?.transactionHash === hash)
      if (!found) return undefined
      const { transactionHash: _asked, status, ...rest } = found
      const isSame = (one: (typeof known)[number]) =>
        one?.transactionHash === hash && one.status === status && one.blockNumber === found.blockNumber
      return { ...rest, status: status === '0x1' ? 'success' : 'reverted', isAgreed: known.every(isSame) }
    },

    minedRevert: (asked) => getMinedRevert(hints, asked),

    async plainReceipt(hash) {
      const found = await reads.ask('eth_getTransactionReceipt', [hash], answers.plainReceipt)
      return found ?? undefined
    },
  }
}

function most(counts: (number | undefined)[]): number {
  return Math.max(...counts.map((count = 0) => count))
}

function toPrice({ maxFeePerGas, maxPriorityFeePerGas, isLegacy }: GasPrice): GasPrice {
  return { maxFeePerGas, maxPriorityFeePerGas, ...(isLegacy && { isLegacy }) }
}

function balanceCall(token: Address, owner: Address) {
  return isNative(token) ? nativeBalanceCall(owner) : { to: token, data: balanceData(owner) }
}

function notAToken(address: Address): WalletError {
  return new WalletError('unknown-token', `There is no token at ${address} on this network.`, {
    token: address,
  })
}
