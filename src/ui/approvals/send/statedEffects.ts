import type { AllowanceChange, BalanceChange, Simulation } from '../../../domain/activity/simulation.ts'
import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../domain/token/token.ts'
import type { FindToken } from '../../tokens/useTokens.ts'

/**
 * Returns the effects that calldata states, to reserve the room of the simulated ones. What a contract really
 * does is known only once simulated.
 */
export function statedEffects(
  words: DecodedCall[],
  account: Address,
  tokenOf: FindToken,
): Extract<Simulation, { status: 'succeeds' }> {
  const changes = new Map<string, BalanceChange>()
  const grants = new Map<string, AllowanceChange>()
  const move = (token: Address, amount: bigint, nft?: bigint) => {
    const key = `${token} ${nft}`
    const sum = (changes.get(key)?.amount ?? 0n) + amount
    changes.set(key, {
      token: tokenOf(token) ?? toStandIn(token),
      amount: sum,
      ...(nft !== undefined && { nft }),
    })
  }
  const grant = (token: Address, spender: Address, amount: bigint | 'all') => {
    if (amount === 0n) grants.delete(`${token} ${spender}`)
    else grants.set(`${token} ${spender}`, { token: tokenOf(token) ?? toStandIn(token), spender, amount })
  }
  for (const call of words) {
    switch (call.kind) {
      case 'transfer':
        if (call.from === undefined || call.from === account) move(call.token, -call.amount)
        break
      case 'transfer-items':
        if (call.from === account) for (const { id, amount } of call.items) move(call.collection, -amount, id)
        break
      case 'approve':
        // The simulation does not read allowances of Permit2.
        if (call.until === undefined) grant(call.token, call.spender, call.amount)
        break
      case 'approve-all':
        grant(call.collection, call.operator, call.approved ? 'all' : 0n)
        break
      case 'permit':
        if (call.owner === account) grant(call.token, call.spender, call.amount)
        break
      case 'wrap':
        move(nativeTokenAddress, -call.amount)
        move(call.token, call.amount)
        break
      case 'unwrap':
        move(call.token, -call.amount)
        move(nativeTokenAddress, call.amount)
        break
      case 'swap':
        move(call.sell, -call.amount)
        if (call.buy !== undefined && call.receiver === account) move(call.buy, call.floor || 1n)
        break
      case 'create':
      case 'unknown':
        move(nativeTokenAddress, -call.value)
        break
      default:
        break
    }
  }
  return {
    status: 'succeeds',
    changes: [...changes.values()].filter(({ amount }) => amount !== 0n),
    grants: [...grants.values()],
  }
}

/** Takes the place of a token until it is known. */
export function toStandIn(address: Address): Token {
  return {
    address,
    symbol: '…',
    name: '',
    decimals: 18,
    listed: false,
    eip2612: false,
    taxed: false,
    tags: [],
  }
}
