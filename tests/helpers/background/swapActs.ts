import { erc20Abi, parseEther } from 'viem'
import { expect } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { accept, type Browser, createBrowser, createWorker, type Gate, type Stage } from './worker.ts'

type Symbol = TokenSymbol | 'ETH'

/** Trades and balances of a browser's account on a stage. */
export function createSwapActs(stage: Stage, browser: () => Browser) {
  const tokenOf = (symbol: Symbol): Address =>
    symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]

  const trade = (sell: Symbol, buy: Symbol, amount: bigint): Trade => ({
    chainId: 31337,
    sell: tokenOf(sell),
    buy: tokenOf(buy),
    amount,
  })

  async function balance(symbol: Symbol, owner = browser().account): Promise<bigint> {
    const { client } = stage.localnet
    if (symbol === 'ETH') return client.getBalance({ address: owner })
    const read = {
      address: tokenOf(symbol),
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner],
    } as const
    return client.readContract(read)
  }

  async function allowance(symbol: TokenSymbol, owner = browser().account): Promise<bigint> {
    const { client, contracts } = stage.localnet
    const args = [owner, contracts.router] as const
    return client.readContract({ address: tokenOf(symbol), abi: erc20Abi, functionName: 'allowance', args })
  }

  const nonce = (owner = browser().account) => stage.localnet.client.getTransactionCount({ address: owner })

  async function moveThePrice(): Promise<void> {
    const whale = await createBrowser(stage)
    const theirs = createWorker(whale)
    const wanted = trade('DAI', 'BROOK', parseEther('20000'))
    const intent = accept(whale.account, wanted, await theirs.review(wanted, 5_000), 5_000)
    await theirs.swap(intent)
    expect((await theirs.over(intent.id)).outcome.status).toBe('done')
  }

  return { tokenOf, trade, balance, allowance, nonce, moveThePrice }
}

export const usdc = (amount: number) => BigInt(amount * 1e6)

/** Acts once, right before the first operation of that name. */
export function once(name: string, act: () => Promise<unknown>): Gate {
  let acted = false
  return async (operation, perform) => {
    if (operation === name && !acted) {
      acted = true
      await act()
    }
    return perform()
  }
}
