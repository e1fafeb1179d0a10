import { useEffect } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { isReachable } from '../../state/settings.ts'
import type { StepperProps } from '../components/Stepper.tsx'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { ChooseNetwork } from './ChooseNetwork.tsx'
import { ChooseRpc } from './ChooseRpc.tsx'
import { formatNetworkStep, parseNetworkStep, useOnboardingSteps } from './onboarding.ts'

/** Asks where to swap, then for an RPC. No host is contacted before one is chosen here. */
export function FirstNetwork({ settings, network: current, of }: ScreenProps) {
  const { router, settings: kept } = useStores()
  const steps = useOnboardingSteps()
  const { way, chainId } = parseNetworkStep(of)
  // In a build for the localnet, or once the RPC is saved, even if the prompt closed the popup meanwhile.
  const isAnswered = isReachable(current) && (chainId === undefined || chainId === current.chainId)
  useEffect(() => {
    if (isAnswered) finish(chainId === undefined ? 'overview' : 'swap')
  }, [isAnswered])
  if (isAnswered) return null

  // Back must not reopen the finished form.
  function finish(at: 'overview' | 'swap'): void {
    router.replace(at, 'welcome')
  }
  async function choose(network: Network): Promise<void> {
    if (!isReachable(network)) {
      router.go('begin', formatNetworkStep({ ...(way && { way }), chainId: network.chainId }))
      return
    }
    await kept.save({ chainId: network.chainId })
    finish('swap')
  }
  const count = way && (way === 'create' ? steps.create : steps.bring)
  const step: StepperProps | undefined = count ? { at: count, of: count } : undefined
  const chosen = settings.networks.find((network) => network.chainId === chainId)
  return chosen === undefined ? (
    <ChooseNetwork
      networks={settings.networks}
      step={step}
      onBack={way === undefined ? router.back : undefined}
      onChoose={choose}
      onLater={() => router.replace('overview')}
    />
  ) : (
    <ChooseRpc
      network={chosen}
      step={step}
      onBack={() => router.replace('begin', formatNetworkStep({ ...(way && { way }) }))}
      onChoose={choose}
    />
  )
}
