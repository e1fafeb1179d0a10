import { decodeFunctionData, encodeFunctionData } from 'viem'
import type { DirectContracts } from '../../../src/domain/network/swapSource.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { multicallAbi, swapRouterAbi, toRouter } from './directCalls.ts'

/** Effects of a direct swap by the router's source, if each call succeeds. */
export type Effects = {
  sell: Address
  buy: Address
  amount: bigint
  min: bigint
  recipient: Address
  deadline: bigint
  permitted: Address | undefined
}

const lower = (address: string) => address.toLowerCase() as Address

/**
 * Follows the calls one by one: tokens that leave, that the router holds, and that arrive at least.
 * Throws an Error if that is no swap of one token for another. Shares no code with src.
 */
export function readEffects(data: Hex, { wrapped, connectors }: DirectContracts): Effects {
  const outer = decodeFunctionData({ abi: multicallAbi, data })
  const [deadline, calls] = outer.args
  demand(encodeFunctionData({ abi: multicallAbi, ...outer }) === data, 'canonical calldata')

  const sold = new Map<Address, bigint>()
  const held = new Set<Address>()
  const arrived: { token: Address; min: bigint; to: Address }[] = []
  let isRefunded = false
  let permitted: Address | undefined
  let legs = 0

  const swap = (tokens: Address[], to: Address, amount: bigint, min: bigint): void => {
    demand(tokens.length > 1 && amount > 0n && !isRefunded, 'a swap')
    demand(
      tokens.slice(1, -1).every((token) => connectors.includes(token)),
      'trusted tokens between',
    )
    const [sell, buy] = [tokens[0]!, tokens.at(-1)!]
    sold.set(sell, (sold.get(sell) ?? 0n) + amount)
    if (to === toRouter) held.add(buy)
    else arrived.push({ token: buy, min, to })
    legs++
  }
  const pay = (token: Address, as: Address, min: bigint, to: Address): void => {
    demand(held.delete(token), 'something to pay out')
    arrived.push({ token: as, min, to })
  }

  for (const call of calls) {
    const inner = decodeFunctionData({ abi: swapRouterAbi, data: call })
    demand(encodeFunctionData({ abi: swapRouterAbi, ...inner } as never) === call, 'a canonical call')
    switch (inner.functionName) {
      case 'exactInput': {
        const [{ path, recipient, amountIn, amountOutMinimum }] = inner.args
        swap(tokensIn(path), lower(recipient), amountIn, amountOutMinimum)
        break
      }
      case 'swapExactTokensForTokens': {
        const [amount, min, tokens, to] = inner.args
        swap(tokens.map(lower), lower(to), amount, min)
        break
      }
      case 'sweepToken':
        pay(lower(inner.args[0]), lower(inner.args[0]), inner.args[1], lower(inner.args[2]))
        break
      case 'unwrapWETH9':
        pay(wrapped, nativeTokenAddress, inner.args[0], lower(inner.args[1]))
        break
      case 'refundETH':
        isRefunded = true
        break
      default:
        demand(legs === 0 && permitted === undefined, 'one permit before the swap')
        permitted = lower(inner.args[0])
    }
  }

  demand(held.size === 0 && sold.size === 1 && arrived.length === 1 && legs <= 3, 'one swap')
  const [[contract, amount] = demand(false, 'a sold token')] = sold
  const [paid = demand(false, 'a payment')] = arrived
  demand(!isRefunded || contract === wrapped, 'a refund of native tokens')
  const sell = isRefunded ? nativeTokenAddress : contract
  return { sell, buy: paid.token, amount, min: paid.min, recipient: paid.to, deadline, permitted }
}

/** Tokens of 20 bytes, fees of 3. */
function tokensIn(path: Hex): Address[] {
  const parts = path.slice(2).match(/^([0-9a-f]{40})((?:[0-9a-f]{46})+)$/)
  if (parts === null) return demand(false, 'a path')
  const later = parts[2]?.match(/.{46}/g) ?? []
  return [`0x${parts[1]}`, ...later.map((hop): Address => `0x${hop.slice(6)}`)]
}

function demand(isMet: false, what: string): never
function demand(isMet: boolean, what: string): void
function demand(isMet: boolean, what: string): void {
  if (!isMet) throw new Error(`The router's calls lack ${what}.`)
}
