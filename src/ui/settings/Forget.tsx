import { useStores } from '../hooks/useStore.ts'
import { ResetWallet } from './ResetWallet.tsx'

/** Starting over, for whoever is in. */
export function Forget() {
  const { place } = useStores()
  return <ResetWallet onBack={place.back} />
}
