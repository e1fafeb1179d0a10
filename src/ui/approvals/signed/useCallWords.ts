import { useMemo } from 'preact/hooks'
import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import { describeCall } from '../../../domain/calldata/describeCall.ts'
import type { TypedDataDescription } from '../../../domain/signing/description.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'

/** Describes the inner calls of a signature. */
export function useCallWords(
  description: Pick<TypedDataDescription, 'kind'>,
  chainId: number,
): DecodedCall[] {
  const network = useNetwork(chainId)
  return useMemo(() => {
    const { calls = [], sender } = description as Extract<TypedDataDescription, { kind: 'calls' }>
    return description.kind !== 'calls'
      ? []
      : calls.map((call) =>
          describeCall(call, {
            account: sender,
            chainId,
            routers: network?.router ? [network.router] : [],
            wrapped: network?.wrapped ? [network.wrapped] : [],
          }),
        )
  }, [description, chainId, network])
}
