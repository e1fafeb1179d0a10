import type { Call } from '../../domain/activity/callBatch.ts'
import type { Simulation, SimulationVerdict } from '../../domain/activity/simulation.ts'
import type { AccessSlots } from '../../domain/swap/quote.ts'
import {
  evaluateSimulation,
  priceMoved,
  type SwapExpectations,
  unexpected,
} from '../../domain/swap/simulationCheck.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { RpcCall } from '../../evm/rpc/call.ts'
import { estimateGas } from '../fees/fees.ts'

/** Simulates all calls in order. `gas`: per call, if all succeed. */
export async function simulateAll(
  chain: Chain,
  calls: Call[],
  agreed: SwapExpectations,
): Promise<{ verdict: SimulationVerdict; gas: bigint[] }> {
  const { account, trade, receiver = account } = agreed
  const { simulation, gas } = await chain.simulate(account, calls, {
    tokens: [trade.sell, trade.buy],
    ...(receiver !== account && { receiver: { holder: receiver, token: trade.buy } }),
  })
  return {
    verdict: evaluateSimulation(simulation, agreed, await mirrorIn(simulation, chain, trade.sell)),
    gas,
  }
}

/** Read only if items of another contract leave. */
async function mirrorIn(simulation: Simulation, chain: Chain, sold: Address): Promise<Address | undefined> {
  if (simulation.status !== 'succeeds') return undefined
  const isLeaving = simulation.changes.some(
    ({ token, nft, amount }) => nft !== undefined && amount < 0n && token.address !== sold,
  )
  return isLeaving ? chain.mirror(sold) : undefined
}

/**
 * Returns the gas, with the access list if cheaper. Throws `below-floor` if the router refuses the return,
 * else `would-fail`.
 */
export async function estimateStepGas(
  chain: Chain,
  call: RpcCall,
  accessList: AccessSlots[] = [],
): Promise<GasEstimate> {
  const gasWithout = await getGas(chain, call)
  // Legacy transactions have none.
  if (accessList.length === 0 || (await chain.fees()).isLegacy) return { gas: gasWithout }
  const gasWith = await getGas(chain, { ...call, accessList }).catch(() => undefined)
  if (gasWith === undefined) return { gas: gasWithout }
  const weights = { gasWith, gasWithout }
  return gasWith < gasWithout ? { gas: gasWith, accessList, weights } : { gas: gasWithout, weights }
}

export type GasEstimate = {
  gas: bigint
  accessList?: AccessSlots[]
  weights?: { gasWith: bigint; gasWithout: bigint }
}

async function getGas(chain: Chain, call: RpcCall): Promise<bigint> {
  try {
    return await estimateGas(chain, call)
  } catch (cause) {
    throw priceMoved(toWalletError(cause).facts) ?? cause
  }
}

export type ExpectedApproval = { token: Address; spender: Address; amount: bigint }

/** Throws if an approval has any other effect. Unsimulated, our own calldata suffices. */
export async function simulateApproval(
  chain: Chain,
  account: Address,
  call: Call,
  allowed: ExpectedApproval,
): Promise<void> {
  const { simulation } = await chain.simulate(account, [call], { tokens: [allowed.token] })
  if (simulation.status === 'unknown') return
  if (simulation.status === 'reverts') {
    const { reason } = simulation
    throw new WalletError('would-fail', `The approval would fail: ${reason}.`, { reason })
  }
  const loss = simulation.changes.find(({ amount }) => amount < 0n)
  if (loss !== undefined) throw unexpected([{ kind: 'leaves', change: loss }])
  const grant = simulation.grants.find(
    ({ token, spender, nft, amount }) =>
      token.address !== allowed.token ||
      spender !== allowed.spender ||
      nft !== undefined ||
      amount === 'all' ||
      amount > allowed.amount,
  )
  if (grant !== undefined) throw unexpected([{ kind: 'grants', grant }])
}
