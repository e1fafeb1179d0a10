import { hexToString } from 'viem/utils'
import type { Call } from '../domain/calls.ts'
import type { Network } from '../domain/network.ts'
import { plainText } from '../domain/text.ts'
import { type Address, type Hex, isNative, type Token } from '../domain/token.ts'
import { WalletError } from '../errors.ts'
import type { WireParts } from '../wire.ts'
import type { Receipt } from './answers.ts'
import * as answers from './answers.ts'
import { type ChainCall, wireCall } from './call.ts'
import { allowanceData, approvalData, balanceData, labelData, newToken } from './erc20.ts'
import { coinBalance, multicall, type Returned, readNumber } from './multicall.ts'
import { isRevert, readRefusal } from './refusal.ts'
import { createRpc } from './rpc.ts'
import { type Fees, type Simulated, simulate, type TokenOf } from './simulate.ts'

/** A chain as the rest of the wallet sees it, read and written through the network's own node. Amounts are base units, fees wei. */
export type Chain = {
  /** Throws `wrong-chain` when the node serves another chain than the network says. */
  verify(): Promise<void>
  blockNumber(): Promise<bigint>
  /** One request for all. A token that does not answer is absent. */
  balances(owner: Address, tokens: Address[]): Promise<Record<Address, bigint>>
  /** What a trade of `token` starts from; `coin` is the native coin. The coin itself needs no allowance: it has the largest. */
  position(owner: Address, token: Address, spender: Address): Promise<Position>
  /** A token by its own contract's words. Throws `unknown-token`. */
  token(address: Address): Promise<Token>
  /** How many transactions of `owner` are in blocks, and how many when the waiting ones are counted too. */
  nonces(owner: Address): Promise<{ mined: number; pending: number }>
  /** Wei per gas. Room for the base fee to double on top of the node's suggested tip. */
  fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }>
  /** Throws `reverted` with the contract's reason, `not-enough-gas`. */
  estimateGas(call: ChainCall): Promise<bigint>
  /** True for a USDT-like token whose old allowance has to be set to zero before `amount` can be approved. */
  needsReset(owner: Address, token: Address, spender: Address, amount: bigint): Promise<boolean>
  /** Asking again with the same bytes is safe, so a node that knows them already is no error. */
  send(raw: Hex): Promise<'sent' | 'known' | 'nonce-used'>
  /** The native coin alone. */
  coin(owner: Address): Promise<bigint>
  /**
   * What `calls`, sent one after the other, would do to `from`. The first one's `gas` is its limit; of later ones it is the least.
   * `tokenOf` describes the tokens, each by its own contract unless given.
   */
  simulate(from: Address, calls: Call[], tokenOf?: TokenOf): Promise<Simulated>
  /** Undefined when the node has never heard of it, or has forgotten it. */
  transaction(hash: Hex): Promise<'pending' | 'mined' | undefined>
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** The receipt as the node gives it, for a page. */
  plainReceipt(hash: Hex): Promise<Record<string, unknown> | undefined>
}

export type Position = { balance: bigint; allowance: bigint; coin: bigint }

const largest = 2n ** 256n - 1n

/** Reads have 5 s and three retries; a transaction is sent once, in 10 s (docs/security.md, network policy). */
export function createChain(network: Network, parts: WireParts = {}): Chain {
  const url = network.rpcUrl
  const reads = createRpc({ url, deadlineMs: 5_000, retries: 3, ...parts })
  const sends = createRpc({ url, deadlineMs: 10_000, retries: 0, ...parts })

  async function token(address: Address): Promise<Token> {
    if (isNative(address)) return newToken(address, network.coin.symbol, network.coin.name, 18)
    const calls = (['symbol', 'name', 'decimals'] as const).map((label) => ({
      to: address,
      data: labelData(label),
    }))
    const [symbol, name, decimals] = await multicall(reads, calls)
    const places = readNumber(decimals)
    const short = plainText(readLabel(symbol), 20)
    if (places === undefined || places > 255n || short === '') throw notAToken(address)
    return newToken(address, short, plainText(readLabel(name), 60), Number(places))
  }

  async function nextFees(): Promise<Fees> {
    const [maxPriorityFeePerGas, history] = await Promise.all([
      reads.ask('eth_maxPriorityFeePerGas', [], answers.quantity),
      reads.ask('eth_feeHistory', ['0x1', 'latest', []], answers.feeHistory),
    ])
    // The last one is the next block's (EIP-1559); six full blocks in a row double it.
    const baseFeePerGas = history.baseFeePerGas.at(-1) ?? 0n
    return { baseFeePerGas, maxFeePerGas: baseFeePerGas * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
  }

  return {
    async verify() {
      const chainId = await reads.ask('eth_chainId', [], answers.quantity)
      if (chainId === BigInt(network.chainId)) return
      throw new WalletError(
        'wrong-chain',
        `The node serves chain ${chainId}, but ${network.name} is chain ${network.chainId}.`,
        { expected: String(network.chainId), found: String(chainId) },
      )
    },

    blockNumber() {
      return reads.ask('eth_blockNumber', [], answers.quantity)
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
      const calls = [coinBalance(owner), balanceCall(token, owner), allowanceCall]
      const [coin, balance, allowed] = (await multicall(reads, calls)).map(readNumber)
      const allowance = isNative(token) ? largest : allowed
      if (coin === undefined || balance === undefined || allowance === undefined) throw notAToken(token)
      return { balance, allowance, coin }
    },

    token,

    async nonces(owner) {
      const [mined, pending] = await Promise.all([
        reads.ask('eth_getTransactionCount', [owner, 'latest'], answers.count),
        reads.ask('eth_getTransactionCount', [owner, 'pending'], answers.count),
      ])
      return { mined, pending }
    },

    async fees() {
      const { maxFeePerGas, maxPriorityFeePerGas } = await nextFees()
      return { maxFeePerGas, maxPriorityFeePerGas }
    },

    estimateGas(call) {
      return reads.ask('eth_estimateGas', [wireCall(call)], answers.quantity)
    },

    coin(owner) {
      return reads.ask('eth_getBalance', [owner, 'latest'], answers.quantity)
    },

    async simulate(from, calls, tokenOf = token) {
      return simulate(reads, tokenOf, from, calls, await nextFees())
    },

    async needsReset(owner, token, spender, amount) {
      const approves = async (allowed: bigint) => {
        const call = { from: owner, to: token, data: approvalData(spender, allowed), value: 0n }
        const outcome = await reads.attempt('eth_call', [wireCall(call), 'latest'], answers.hex)
        if ('refusal' in outcome) {
          if (isRevert(outcome.refusal)) return false
          throw readRefusal(outcome.refusal, 'eth_call')
        }
        // USDT answers nothing; a token that answers `false` did not approve.
        return outcome.result === '0x' || readNumber(outcome.result) !== 0n
      }
      return !(await approves(amount)) && (await approves(0n))
    },

    async send(raw) {
      const outcome = await sends.attempt('eth_sendRawTransaction', [raw], answers.hash)
      if (!('refusal' in outcome)) return 'sent'
      const { message } = outcome.refusal
      if (/already (known|imported)|known transaction|alreadyknown|already exists/i.test(message))
        return 'known'
      if (/nonce( is)? too low|oldnonce/i.test(message)) return 'nonce-used'
      throw readRefusal(outcome.refusal, 'eth_sendRawTransaction')
    },

    async transaction(hash) {
      const found = await reads.ask('eth_getTransactionByHash', [hash], answers.transaction)
      if (found?.hash !== hash) return undefined
      return found.blockNumber === null ? 'pending' : 'mined'
    },

    async receipt(hash) {
      const found = await reads.ask('eth_getTransactionReceipt', [hash], answers.receipt)
      if (found?.transactionHash !== hash) return undefined
      const { transactionHash: _asked, status, ...rest } = found
      return { ...rest, status: status === '0x1' ? 'success' : 'reverted' }
    },

    async plainReceipt(hash) {
      const found = await reads.ask('eth_getTransactionReceipt', [hash], answers.plainReceipt)
      return found ?? undefined
    },
  }
}

function balanceCall(token: Address, owner: Address) {
  return isNative(token) ? coinBalance(owner) : { to: token, data: balanceData(owner) }
}

/** A text as tokens return it: ABI-encoded, or 32 bytes filled up with zeros in contracts from before `string` was usual. */
function readLabel(returned: Returned): string {
  if (returned === undefined) return ''
  if (returned.length === 66) return hexToString(returned).replace(/\0.*$/s, '')
  const length = readNumber(`0x${returned.slice(66)}`)
  if (length === undefined || length > 1_000n) return ''
  return hexToString(`0x${returned.slice(130, 130 + Number(length) * 2)}`)
}

function notAToken(address: Address): WalletError {
  return new WalletError('unknown-token', `There is no token at ${address} on this network.`, {
    token: address,
  })
}
