import type { Call, CallsIntent } from '../../domain/activity/callBatch.ts'
import type { NetworkFee } from '../../domain/network/networkFee.ts'
import type { Chain } from '../../evm/client.ts'
import type { RevokeRequest } from '../../protocol.ts'
import { getCost } from '../fees/cost.ts'
import { estimateCallGas } from '../fees/fees.ts'
import { approval, permit2Approval } from './approvalCalls.ts'

function revokeCall({ token, spender, via }: RevokeRequest): Call {
  return (via === undefined ? approval : permit2Approval)(token, spender, 0n)
}

export async function revokeFee(chain: Chain, ask: RevokeRequest): Promise<NetworkFee> {
  const call = revokeCall(ask)
  const gas = await estimateCallGas(chain, ask.account, call, false)
  const { expectedFee, feeCap } = await getCost(chain, [call], gas)
  return { expectedFee, feeCap }
}

export function revokeIntent({
  id,
  feeCap,
  ...ask
}: RevokeRequest & { id: string; feeCap: bigint }): CallsIntent {
  const { account, chainId, ...permission } = ask
  const purpose = { kind: 'revoke', ...permission } as const
  return { id, account, chainId, calls: [revokeCall(ask)], feeCap, mayFail: false, purpose }
}
