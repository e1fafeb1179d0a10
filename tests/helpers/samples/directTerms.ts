import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import type { DirectContracts } from '../../../src/domain/network/swapSource.ts'
import type { SwapTransaction, Trade } from '../../../src/domain/swap/quote.ts'
import type { CalldataTerms, SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'

// Direct swaps on Ethereum, as agreed in tests of the calldata check.

export const account: Address = '0xa11ce00000000000000000000000000000000001'
export const friend: Address = '0xf41e4d0000000000000000000000000000000003'
export const thief: Address = '0xbad0000000000000000000000000000000000002'
export const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const usdt: Address = '0xdac17f958d2ee523a2206206994597c13d831ec7'
export const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
/** Untrusted: no connector. */
export const link: Address = '0x514910771af9ca656af840dff83e8264ecf986ca'

export const direct: DirectContracts = {
  wrapped: weth,
  v2Factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
  v3Factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  quoter: '0x61ffe014ba17989e743c5f6cb21bf9697530b21e',
  router: '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
  connectors: [weth, usdc, usdt, dai],
}
export const deadlines = { after: 1_000n, before: 2_201n }
export const amount = 1_000n
export const floor = 500n

export function agree(changes: Partial<Trade> = {}, rest: Partial<SwapExpectations> = {}): SwapExpectations {
  const trade = { chainId: 1, sell: usdc, buy: dai, amount, ...changes }
  return { account, trade, floor, router: direct.router, ...rest }
}

export const agreed = agree()
export const ofEther = agree({ sell: nativeTokenAddress })
export const forEther = agree({ buy: nativeTokenAddress })
export const permitted = agree({}, { permission: { via: 'permit' } })

export type Changes = Partial<Omit<SwapTransaction, 'data'>>

export function verifyDirect(
  data: Hex,
  agreement = agreed,
  changes: Changes = {},
  contracts = direct,
): CalldataTerms {
  const { trade } = agreement
  const transaction: SwapTransaction = {
    trade,
    returns: floor * 2n,
    from: account,
    to: direct.router,
    data,
    value: trade.sell === nativeTokenAddress ? trade.amount : 0n,
    gas: 200_000n,
    route: [],
    ...changes,
  }
  return verifySwapCalldata(transaction, agreement, {
    strict: true,
    isBindingRouter: true,
    deadlines,
    direct: contracts,
  })
}

export function refusal(...args: Parameters<typeof verifyDirect>): WalletError {
  try {
    verifyDirect(...args)
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The transaction was accepted.')
}

/** Fact of an `unsafe-transaction`. */
export function factOf(...args: Parameters<typeof verifyDirect>): string | undefined {
  const { code, message, facts } = refusal(...args)
  if (code !== 'unsafe-transaction') throw new Error(`${code}: ${message}`)
  return facts.fact
}
