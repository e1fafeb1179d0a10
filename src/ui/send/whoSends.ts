import type { Network } from '../../domain/network/network.ts'
import type { OwnAccount } from '../../protocol.ts'
import type { SendPlan } from '../../state/send/sendPlan.ts'

type Known = { accounts: OwnAccount[]; networks: Network[] }

/** Returns the plan's account and network, if not removed. */
export function whoSends(
  { account, chainId }: Pick<SendPlan, 'account' | 'chainId'>,
  { accounts, networks }: Known,
): { account: OwnAccount; network: Network } | undefined {
  const acting = accounts.find(({ address }) => address === account)
  const network = networks.find((one) => one.chainId === chainId)
  return acting && network && { account: acting, network }
}
