import { expect } from 'vitest'
import type { Localnet } from '../../../dev/localnet.ts'
import { readDeadlines } from '../../../src/background/swap/deadlines.ts'
import { simulateAll } from '../../../src/background/swap/simulate.ts'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import { approval } from '../../../src/background/tokens/approvalCalls.ts'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { SimulationVerdict } from '../../../src/domain/activity/simulation.ts'
import type { DirectContracts } from '../../../src/domain/network/swapSource.ts'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import {
  type CalldataTerms,
  requireMatch,
  type SwapExpectations,
} from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, isNative, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { thief } from '../service/lyingService.ts'

type Deps = { localnet: Localnet; chain: Chain; direct?: DirectContracts }

/** Decides like the wallet, and carries out on the localnet what it would sign. */
export function createSwapJudge({ localnet, chain, direct }: Deps) {
  /** Throws on refusal. */
  async function verify(agreed: SwapExpectations, transaction: SwapTransaction): Promise<CalldataTerms> {
    return verifySwapCalldata(transaction, agreed, {
      strict: true,
      isBindingRouter: true,
      deadlines: await readDeadlines(chain, Date.now()),
      direct,
    })
  }

  /** Throws on refusal. */
  async function wouldSign(
    agreed: SwapExpectations,
    transaction: SwapTransaction,
  ): Promise<SimulationVerdict> {
    const terms = await verify(agreed, transaction)
    const { verdict } = await simulateAll(chain, callsOf(agreed, transaction), agreed)
    requireMatch(verdict, terms, [])
    return verdict
  }

  /** Reverts all it sends. A swap that `mayFail` may revert, too. */
  async function expectHarmless(
    agreed: SwapExpectations,
    transaction: SwapTransaction,
    mayFail = false,
  ): Promise<'paid' | 'reverted'> {
    const { client, tokens, contracts } = localnet
    const { account, trade } = agreed
    const all = [nativeTokenAddress, ...Object.values(tokens)]
    const before = await chain.balances(account, all)
    const snapshot = await client.snapshot()
    try {
      await client.impersonateAccount({ address: account })
      let fees = 0n
      let isReverted = false
      for (const { to, data, value } of callsOf(agreed, transaction)) {
        const gas = 4_000_000n
        const hash = await client.sendTransaction({ account, to: to!, data, value, gas })
        const receipt = await client.receiptOf(hash)
        isReverted ||= receipt.status === 'reverted'
        fees += receipt.gasUsed * receipt.effectiveGasPrice
      }
      if (isReverted) expect(mayFail).toBe(true)
      const after = await chain.balances(account, all)
      const change = (token: Address) =>
        (after[token] ?? 0n) - (before[token] ?? 0n) + (token === nativeTokenAddress ? fees : 0n)
      for (const token of all) {
        if (token === trade.sell) expect(-change(token)).toBeLessThanOrEqual(isReverted ? 0n : trade.amount)
        else expect(change(token)).toBeGreaterThanOrEqual(0n)
      }
      if (isReverted) return 'reverted'
      expect(change(trade.buy)).toBeGreaterThanOrEqual(agreed.floor)
      const spenders = [contracts.router, contracts.swapRouter, contracts.permit2, thief] as Address[]
      expect(await chain.allowances(account, Object.values(tokens), spenders)).toEqual([])
      return 'paid'
    } finally {
      await client.revert({ id: snapshot })
    }
  }

  return { verify, wouldSign, expectHarmless }
}

function callsOf({ trade, router }: SwapExpectations, { to, data, value }: SwapTransaction): Call[] {
  const swap: Call = { to, data, value }
  return isNative(trade.sell) ? [swap] : [approval(trade.sell, router, trade.amount), swap]
}

/** Network errors are no refusal. */
export async function unlessRefused<Answer>(act: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof WalletError) || /-(unreachable|timeout|busy)$/.test(error.code)) throw error
    return undefined
  }
}
