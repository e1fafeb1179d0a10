import type * as v from 'valibot'
import type { Call } from '../domain/activity/callBatch.ts'
import { type FeeLimits, getFeeLimits } from '../domain/network/feeLimits.ts'
import type { Network, NodeHealth } from '../domain/network/network.ts'
import type { MarketRequest, MarketReturns, MarketValue } from '../domain/swap/market.ts'
import type { FeeSpeed } from '../domain/swap/swap.ts'
import { type Address, type Hex, isNative, nativeTokenAddress, type Token } from '../domain/token/token.ts'
import { unlimitedAmount } from '../domain/token/unlimited.ts'
import { type ErrorDetails, toWalletError, WalletError } from '../errors.ts'
import { type RpcCall, toRpcCall } from './call.ts'
import { getCodeHash, isContractCode } from './codeHash.ts'
import { allowanceData, approvalData, balanceData, newToken, readToken, tokenReads } from './erc20.ts'
import { createNodes, type FallbackDeps } from './fallback.ts'
import { type Fees, readFeeHistory, readFees } from './fees.ts'
import { readL1Fee } from './l1Fee.ts'
import { getMinedRevert, type Reverted } from './minedRevert.ts'
import { readMirror } from './mirror.ts'
import { multicall, nativeBalanceCall, readNumber } from './multicall.ts'
import { pollLimits } from './node.ts'
import { permit2AllowanceCall, readPermit, readPermit2, readPermit2Allowance } from './permits.ts'
import { readMarketReturns, readMarketValues } from './prices.ts'
import { createPassthrough, type Passthrough } from './proxyRequest.ts'
import { readAllowances } from './readAllowances.ts'
import { createRpc, readAs } from './rpc.ts'
import { isRevert, parseRpcError } from './rpcError.ts'
import { rpcErrorKind } from './rpcErrorKind.ts'
import type { Receipt } from './schemas.ts'
import * as answers from './schemas.ts'
import { type SimulationResult, simulate } from './simulate.ts'
import type { ReadToken } from './worstCase.ts'

/** A chain as the rest of the wallet sees it, read and written through the network's own node. Amounts are base units, fees wei. */
export type Chain = {
  /** Throws `wrong-chain` when the node serves another chain than the network says. */
  verify(): Promise<void>
  /** How each of the network's nodes stands: its own, then the spare one. */
  health(): Promise<NodeHealth[]>
  /** Returns the names of what each of them lacks: methods, EIP-1559, Multicall3. */
  lacks(): Promise<string[][]>
  /** The nodes as pages ask them. */
  pass: Passthrough
  blockNumber(): Promise<bigint>
  /** Timestamp of the newest block, in seconds since 1970. */
  blockTime(): Promise<bigint>
  /** One request for all. A token that does not answer is absent. */
  balances(owner: Address, tokens: Address[]): Promise<Record<Address, bigint>>
  /** What a trade of `token` starts from; `coin` is the native coin. The coin itself needs no allowance: it has the largest. */
  position(owner: Address, token: Address, spender: Address): Promise<SwapBalances>
  /** A token by its own contract's words. Throws `unknown-token`. */
  token(address: Address): Promise<Token>
  /** How many transactions of `owner` are in blocks, and how many when the waiting ones are counted too: the most that any node knows. */
  nonces(owner: Address): Promise<{ mined: number; pending: number }>
  /** How many were by then. Nodes forget old blocks. */
  minedBy(owner: Address, block: bigint): Promise<number>
  /** Wei per gas: what a speed means now, by what recent blocks paid (EIP-1559). `normal` unless given. */
  fees(speed?: FeeSpeed): Promise<GasPrice>
  /** The same for every speed, of one reading, with the base fee. */
  market(): Promise<(speed: FeeSpeed) => Fees>
  /** What a rollup takes at most, in wei, for writing a transaction of so many bytes to L1. 0 elsewhere. */
  l1Fee(bytes: number): Promise<bigint>
  /** The most that is paid here. */
  feeLimits: FeeLimits
  /** Of the newest block: no transaction may use more. Undefined where the node names none. */
  blockGasLimit(): Promise<bigint | undefined>
  /** Throws `reverted` with the contract's reason, `not-enough-gas`. */
  estimateGas(call: RpcCall): Promise<bigint>
  /** True for a USDT-like token whose old allowance has to be set to zero before `amount` can be approved. */
  needsReset(owner: Address, token: Address, spender: Address, amount: bigint): Promise<boolean>
  /**
   * Asking again with the same bytes is safe, so a node that knows them already is no error. Throws `underpriced` while a dearer
   * transaction waits with the same number.
   */
  send(raw: Hex): Promise<'sent' | 'known' | 'nonce-used'>
  /** The native coin alone. */
  coin(owner: Address): Promise<bigint>
  /** True for a contract. An account that handed itself over to one (EIP-7702) is still somebody's. */
  isContract(address: Address): Promise<boolean>
  /** keccak256 of the contract's code at `address`, cached. Undefined for an account, with a delegation (EIP-7702) or without. */
  codeHash(address: Address): Promise<Hex | undefined>
  /**
   * What a block did to `owner`: by how much its balance of `token` grew (the native token unless given), and how many transactions it
   * sent. Nodes forget old blocks.
   */
  inBlock(owner: Address, block: bigint, token?: Address): Promise<{ grown: bigint; sent: number }>
  /**
   * What `calls`, sent one after the other, would do to `from`. The first one's `gas` is its limit; of later ones it is the least.
   * A node without eth_simulateV1 is asked by eth_call with the account's code overridden: then only `asked.tokens` are looked at.
   */
  simulate(from: Address, calls: Call[], asked?: SimulateRequest): Promise<SimulationResult>
  /** The contract that keeps the items of `token` (ERC-7631), where both name each other. */
  mirror(token: Address): Promise<Address | undefined>
  /** What a signature to the token needs; undefined for a token that knows none, or whose domain is not what it says. */
  permit(token: Address, owner: Address): Promise<PermitInfo | undefined>
  /** The same for Permit2, for one spender; undefined on a chain without it. */
  permit2(token: Address, owner: Address, spender: Address): Promise<Permit2Info | undefined>
  /** What `spenders` may take of `tokens`, in one request for each few hundred. Nothing that is zero. */
  allowances(
    owner: Address,
    tokens: Address[],
    spenders: Address[],
  ): Promise<{ token: Address; spender: Address; amount: bigint }[]>
  /** The same inside Permit2, until `expiration` (seconds since 1970). */
  lent(
    owner: Address,
    tokens: Address[],
    spenders: Address[],
  ): Promise<{ token: Address; spender: Address; amount: bigint; expiration: bigint }[]>
  /**
   * What each trade would return at the market's middle price, by the chain's oracle or by deep pools. Undefined where nothing
   * independent of the swap service is known.
   */
  marketReturns(asks: MarketRequest[]): Promise<(MarketReturns | undefined)[]>
  /** The same for single tokens, in US dollars. */
  marketValues(asks: { token: Address; amount: bigint }[]): Promise<(MarketValue | undefined)[]>
  /** Undefined when no node that answers has heard of it, or all have forgotten it. */
  transaction(hash: Hex): Promise<'pending' | 'mined' | undefined>
  /** Of whichever node has it. */
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** Why a mined transaction reverted. Undefined where the RPC cannot tell, or is silent. */
  minedRevert(asked: Reverted): Promise<{ reason: string; facts: ErrorDetails } | undefined>
  /** How many answers nodes still owe of all that was asked about transactions and accounts: who is silent may have seen what the other has not. */
  unheard(): Promise<number>
  /** The receipt as the node gives it, for a page. */
  plainReceipt(hash: Hex): Promise<Record<string, unknown> | undefined>
}

/** Wei per gas (EIP-1559). `isLegacy`: for a legacy transaction, whose gas price both are. */
export type GasPrice = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint; isLegacy?: true }

export type SwapBalances = { balance: bigint; allowance: bigint; coin: bigint }

export type SimulateRequest = {
  /** Describes the tokens, each by its own contract unless given. */
  tokenOf?: ReadToken
  /** What to look at where not everything can be. */
  tokens?: Address[]
  /** Somebody else whose balance of a token is read as well: `Simulation.arrived`. */
  receiver?: { holder: Address; token: Address }
}

/** `separator` is the EIP-712 domain separator that the token itself answers, and that we computed too. */
export type PermitInfo = { style: 'eip2612' | 'dai'; separator: Hex; nonce: bigint }

/** `allowance` is what the token lets Permit2 take; `amount` what Permit2 lets the spender take, until `expiration` (seconds since 1970). */
export type Permit2Info = {
  permit2: Address
  separator: Hex
  allowance: bigint
  amount: bigint
  expiration: bigint
  nonce: bigint
}

/** How long a refused field stays away: behind one URL there may be several nodes, and one odd answer is not all of theirs. */
const refusedMs = 60_000

/**
 * Reads have 5 s and three retries; a transaction is sent once, in 10 s (docs/security.md, network policy). While another node can be
 * asked, the first has half of that, and no retries.
 */
export function createChain(network: Network, parts: FallbackDeps = {}): Chain {
  const nodes = createNodes(network, parts)
  const reads = createRpc(nodes.ask(pollLimits))
  const hints = createRpc(nodes.ask({ ...pollLimits, retries: 0 }))
  const sends = createRpc(nodes.ask({ deadlineMs: 10_000, retries: 0 }))
  const askAll = nodes.askAll(pollLimits)
  const { now = () => performance.now() } = parts
  /** Fields of a block context that the node did not take lately. */
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
    lacks: nodes.lacks,
    pass: createPassthrough(nodes),
    unheard: async () => nodes.unheard(),

    blockNumber() {
      return reads.ask('eth_blockNumber', [], answers.quantity)
    },

    async blockTime() {
      const { timestamp } = await reads.ask('eth_getBlockByNumber', ['latest', false], answers.block)
      return BigInt(timestamp)
    },

    async balances(owner, tokens) {
      const calls = tokens.map((token) => balanceCall(token, owner))
      const returned = await multicall(reads, calls)
      const known = tokens.flatMap((token, index): [Address, bigint][] => {
        const balance = readNumber(returned[index])
        return balance === undefined ? [] : [[token, balance]]
      })
      return Object.fromEntries(known)
    },

    async position(owner, token, spender) {
      const allowanceCall = { to: token, data: allowanceData(owner, spender) }
      const calls = [nativeBalanceCall(owner), balanceCall(token, owner), allowanceCall]
      const [coin, balance, allowed] = (await multicall(reads, calls)).map(readNumber)
      const allowance = isNative(token) ? unlimitedAmount : allowed
      if (coin === undefined || balance === undefined || allowance === undefined) throw notAToken(token)
      return { balance, allowance, coin }
    },

    token,

    async nonces(owner) {
      const [mined, pending] = await Promise.all([count(owner, 'latest'), count(owner, 'pending')])
      return { mined, pending }
    },
    minedBy: (owner, block) => count(owner, `0x${block.toString(16)}`),

    feeLimits: getFeeLimits(network),

    async fees(speed) {
      return priceOf(await readFees(reads, speed))
    },

    async market() {
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

    coin(owner) {
      return reads.ask('eth_getBalance', [owner, 'latest'], answers.quantity)
    },

    async isContract(address) {
      const code = await reads.ask('eth_getCode', [address, 'latest'], answers.hex)
      return isContractCode(code)
    },

    codeHash: (address) => getCodeHash(reads, address),

    async inBlock(owner, block, token = nativeTokenAddress) {
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

    async lent(owner, tokens, spenders) {
      const read = await readAllowances(reads, tokens, spenders, (token, spender) =>
        permit2AllowanceCall(owner, token, spender),
      )
      return read.flatMap(({ returned, ...pair }) => {
        const { amount = 0n, expiration = 0n } = readPermit2Allowance(returned) ?? {}
        return amount > 0n ? [{ ...pair, amount, expiration }] : []
      })
    },

    marketReturns: (asks) => readMarketReturns(reads, network, asks),
    marketValues: (asks) => readMarketValues(reads, network, asks),

    async needsReset(owner, token, spender, amount) {
      const approves = async (allowed: bigint) => {
        const call = { from: owner, to: token, data: approvalData(spender, allowed), value: 0n }
        const outcome = await reads.attempt('eth_call', [toRpcCall(call), 'latest'], answers.hex)
        if ('refusal' in outcome) {
          if (isRevert(outcome.refusal)) return false
          throw parseRpcError(outcome.refusal, 'eth_call')
        }
        // USDT answers nothing; a token that answers `false` did not approve.
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

function priceOf({ maxFeePerGas, maxPriorityFeePerGas, isLegacy }: GasPrice): GasPrice {
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
