import { useStores } from '../hooks/data/useStore.ts'
import { ResetWallet } from './ResetWallet.tsx'

export function Forget() {
  const { router } = useStores()
  return <ResetWallet onBack={router.back} />
}
