import { useState } from 'preact/hooks'
import { addNetworkWay } from '../../state/router.ts'
import { currentNetwork, isReachable } from '../../state/settings.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { parseImportMethod } from './import/importMethods.ts'

/**
 * Returns the number of steps. The approval window skips the choice of a network, as do builds whose
 * network has an RPC.
 */
export function useOnboardingSteps(): { create: number; bring: number } {
  const { purpose, settings } = useStores()
  // Kept while mounted: the last step sets the RPC.
  const [isAsked] = useState(() => {
    const network = currentNetwork(settings.getState())
    return purpose === 'form' && network !== undefined && !isReachable(network)
  })
  return isAsked ? { create: 4, bring: 3 } : { create: 3, bring: 2 }
}

/** `way`: how the wallet was created, if this is part of onboarding. `chainId`: the network chosen so far. */
export type NetworkStep = { way?: string; chainId?: number }

/** Reads the parameter of the `begin` page: `create`, `8453`, `create-8453` or `add`. */
export function parseNetworkStep(of = ''): NetworkStep {
  const [, way = '', chainId = ''] = /^([a-z]*)-?(\d{0,15})$/.exec(of) ?? []
  const isWay = way === 'create' || way === addNetworkWay || parseImportMethod(way) !== undefined
  return { ...(isWay && { way }), ...(chainId !== '' && { chainId: Number(chainId) }) }
}

/** Undefined without a part. */
export function formatNetworkStep({ way, chainId }: NetworkStep): string | undefined {
  const parts = [way, chainId].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join('-') : undefined
}
