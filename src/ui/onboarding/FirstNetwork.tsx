import { useEffect } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { addNetworkWay } from '../../state/router.ts'
import { isReachable } from '../../state/settings.ts'
import type { StepperProps } from '../components/Stepper.tsx'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { ChooseNetwork } from './ChooseNetwork.tsx'
import { ChooseRpc } from './ChooseRpc.tsx'
import { formatNetworkStep, parseNetworkStep, useOnboardingSteps } from './onboarding.ts'

/**
 * Asks for a network, then for its RPC. The first one is where to swap; later ones are added. No host is
 * contacted before one is chosen here.
 */
export function FirstNetwork({ settings, network: current, of }: ScreenProps) {
  const { router, settings: kept } = useStores()
  const steps = useOnboardingSteps()
  const { way, chainId } = parseNetworkStep(of)
  const isAdding = way === addNetworkWay
  const isChosen = chainId === undefined ? !isAdding : chainId === current.chainId
  // In a build for the localnet, or once the RPC is saved, even if the prompt closed the popup meanwhile.
  const isAnswered = isReachable(current) && isChosen
  useEffect(() => {
    if (isAnswered) finish(chainId === undefined || isAdding ? 'overview' : 'swap')
  }, [isAnswered])
  if (isAnswered) return null

  // Back must not reopen the finished form.
  function finish(at: 'overview' | 'swap'): void {
    if (isAdding) router.replace(at)
    else router.replace(at, 'welcome')
  }
  async function choose(network: Network): Promise<void> {
    if (!isReachable(network)) {
      router.go('begin', formatNetworkStep({ ...(way && { way }), chainId: network.chainId }))
      return
    }
    await kept.save({ chainId: network.chainId })
    finish(isAdding ? 'overview' : 'swap')
  }
  const count = isAdding ? undefined : way && (way === 'create' ? steps.create : steps.bring)
  const step: StepperProps | undefined = count ? { at: count, of: count } : undefined
  const chosen = settings.networks.find((network) => network.chainId === chainId)
  return chosen === undefined ? (
    <ChooseNetwork
      networks={isAdding ? settings.networks.filter((one) => !isReachable(one)) : settings.networks}
      step={step}
      onBack={way === undefined || isAdding ? router.back : undefined}
      onChoose={choose}
      {...(isAdding
        ? { onAddManually: () => router.go('network', 'new') }
        : { onLater: () => router.replace('overview') })}
    />
  ) : (
    <ChooseRpc
      network={chosen}
      step={step}
      onBack={
        isAdding ? router.back : () => router.replace('begin', formatNetworkStep({ ...(way && { way }) }))
      }
      onChoose={choose}
    />
  )
}
