import type { AllowanceChange, BalanceChange, Simulation } from '../../../src/domain/activity/simulation.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import type { Address, Token } from '../../../src/domain/token/token.ts'

export const account: Address = '0xa11ce00000000000000000000000000000000001'
export const thief: Address = '0xbad0000000000000000000000000000000000002'
export const friend: Address = '0xf41e4d0000000000000000000000000000000003'
export const router: Address = '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3'
export const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
export const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
export const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const unlimited = 2n ** 256n - 1n

export const agreed: SwapExpectations = {
  account,
  trade: { chainId: 31337, sell: dai, buy: weth, amount: 1_000n },
  floor: 500n,
  router,
}

function token(address: Address): Token {
  const symbol = address.slice(2, 6)
  return { address, symbol, name: '', decimals: 18, listed: false, eip2612: false, taxed: false, tags: [] }
}

export const change = (address: Address, amount: bigint, nft?: bigint): BalanceChange => ({
  token: token(address),
  amount,
  ...(nft !== undefined && { nft }),
})
export const grant = (
  spender: Address,
  amount: AllowanceChange['amount'],
  address = dai,
  nft?: bigint,
): AllowanceChange => ({
  token: token(address),
  spender,
  amount,
  ...(nft !== undefined && { nft }),
})

type Success = Extract<Simulation, { status: 'succeeds' }>

export const sold = change(dai, -1_000n)
export const bought = change(weth, 500n)

export function succeeds(
  changes: BalanceChange[],
  grants: AllowanceChange[] = [],
  more: Partial<Success> = {},
): Simulation {
  return { status: 'succeeds', changes, grants, ...more }
}
