import '../style/lazy/send.css'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { parseAddress } from '../../domain/token/token.ts'
import type { OwnAccount } from '../../protocol.ts'
import { createSend } from '../../state/send/send.ts'
import type { SendPlan } from '../../state/send/sendPlan.ts'
import { getNativeToken } from '../../state/tokens/tokens.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { SendForm } from './SendForm.tsx'
import { SendReview } from './SendReview.tsx'

export function SendScreen({ account, accounts, network, settings, of }: ScreenProps) {
  const stores = useStores()
  const send = stores.get(createSend)
  const stage = useStore(send, (state) => state.stage)
  const { chainId } = network
  // Before the user can type: opening resets the form.
  useLayoutEffect(() => {
    send.open({
      chainId,
      account: account.address,
      coin: getNativeToken(network),
      wanted: parseAddress(of ?? ''),
      read: (token) => stores.tokens.read(chainId, token).catch(() => undefined),
    })
  }, [send, chainId, account.address, of])
  // Leaving discards the review.
  useEffect(() => send.leave, [send])
  useEffect(() => {
    if (stage.at === 'sent') stores.router.replace('entry', stage.id)
  }, [stage])
  if (stage.at === 'sent') return null
  const acting =
    stage.at === 'form' ? undefined : whoSends(stage.plan, { accounts, networks: settings.networks })
  if (stage.at === 'form' || acting === undefined) {
    return <SendForm account={account} accounts={accounts} network={network} send={send} />
  }
  return <SendReview send={send} stage={stage} {...acting} />
}

type Known = { accounts: OwnAccount[]; networks: Network[] }

/**
 * Returns a plan's account and network, as another view may have selected others. Undefined if one was
 * removed.
 */
export function whoSends(
  { account, chainId }: Pick<SendPlan, 'account' | 'chainId'>,
  { accounts, networks }: Known,
): { account: OwnAccount; network: Network } | undefined {
  const acting = accounts.find(({ address }) => address === account)
  const network = networks.find((one) => one.chainId === chainId)
  return acting && network && { account: acting, network }
}
