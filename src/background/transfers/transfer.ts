import type { Call, CallsIntent } from '../../domain/activity/callBatch.ts'
import type { Simulation } from '../../domain/activity/simulation.ts'
import type { OwnTransfer, TransferPreview, TransferRequest } from '../../domain/activity/transfer.ts'
import { isNative } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import { transferData } from '../../evm/erc20.ts'
import { getCost } from '../fees/cost.ts'
import { estimateCallGas, expectedCallGas, requireNativeBalance } from '../fees/fees.ts'
import { worthInNative } from '../fees/moved.ts'
import type { Networks } from '../networks/networks.ts'
import { insufficientBalance } from '../swap/approvalPlan.ts'
import type { GetToken } from '../tokens/getToken.ts'

type Deps = { networks: Pick<Networks, 'chain' | 'network'>; tokenOf: GetToken }

export type PreviewTransfer = ReturnType<typeof createPreviewTransfer>

/** Throws `not-enough-balance`, `not-enough-gas`, or `would-fail`. */
export function createPreviewTransfer({ networks, tokenOf }: Deps) {
  return async (ask: TransferRequest): Promise<TransferPreview> => {
    const { chainId, account, token, to, amount, speed } = ask
    const chain = await networks.chain(chainId)
    const { balance, native: coin } = await chain.position(account, token, account)
    if (balance < amount) throw insufficientBalance(balance, amount)
    const call = transferCall(ask)
    const gas = await estimateCallGas(chain, account, call, false)
    const simulating = chain.simulate(account, [{ ...call, gas }], {
      tokenOf: (one) => tokenOf(chainId, one),
      tokens: [token],
      receiver: { holder: to, token },
    })
    const [{ doubtOf, ...cost }, { simulation }, { wrapped }] = await Promise.all([
      simulating.then(({ gas: [used] }) => getCost(chain, [call], gas, speed, expectedCallGas(gas, used))),
      simulating,
      networks.network(chainId),
      chain.verify(),
    ])
    const feeDoubt = doubtOf(await worthInNative(chain, [{ token, amount }], wrapped))
    requireNativeBalance(coin, call.value, cost.networkFee)
    if (simulation.status === 'reverts') throw wouldFail(simulation.reason, simulation.facts)
    if (movesNothing(simulation, ask)) throw wouldFail('The token takes the call and moves nothing')
    const { arrived } = simulation.status === 'succeeds' ? simulation : {}
    return {
      ...cost,
      ...(feeDoubt && { feeDoubt }),
      simulation,
      ...(arrived !== undefined && to !== account && { arrives: arrived }),
    }
  }
}

export function transferIntent({ id, feeCap, expected, price, ...ask }: OwnTransfer): CallsIntent {
  const { account, chainId, token, to, amount, speed } = ask
  return {
    id,
    account,
    chainId,
    calls: [transferCall(ask)],
    feeCap,
    mayFail: false,
    ...(speed !== undefined && { speed }),
    purpose: { kind: 'transfer', token, to, amount },
    ...(expected && { expected }),
    ...(price && { price }),
  }
}

function transferCall({ token, to, amount }: Pick<TransferRequest, 'token' | 'to' | 'amount'>): Call {
  if (isNative(token)) return { to, data: '0x', value: amount }
  return { to: token, data: transferData(to, amount), value: 0n }
}

/** Some tokens refuse without reverting. */
function movesNothing(simulation: Simulation, { account, token, to }: TransferRequest): boolean {
  if (simulation.status !== 'succeeds' || to === account) return false
  return simulation.changes.every((change) => change.token.address !== token || change.amount >= 0n)
}

function wouldFail(reason: string, facts = {}): WalletError {
  return new WalletError('would-fail', `The transfer would fail: ${reason}.`, { ...facts, reason })
}
