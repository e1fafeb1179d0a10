import { useStores } from '../hooks/useStore.ts'
import { Reset } from './ResetWallet.tsx'

/** Starting over, for whoever is in. */
export function Forget() {
  const { place } = useStores()
  return <Reset onBack={place.back} />
}
