import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode, WalletError } from '../../errors.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

// Rarely shown, so not in the first chunk.
export const NetworkErrorBanner = lazy(() =>
  import('./BackupRpcBanner.tsx').then(({ BackupRpcBanner: NetworkErrorBanner }) => NetworkErrorBanner),
)
export const Trouble = lazy(() => import('./NetworkError.tsx').then(({ NetworkError: Trouble }) => Trouble))

/** Current network errors. */
export type TroubleNow = { isOffline: boolean; errors: WalletError[]; onRetry(): void }

/** Banner for an unreachable RPC or swap service, or an offline computer. */
export function TroubleBanner({ network }: { network: Network }) {
  const trouble = useTrouble(network)
  if (trouble) return <Trouble network={network} {...trouble} />
  return network.spareRpcUrl ? <NetworkErrorBanner network={network} /> : null
}

/** Returns the network errors that the quote does not already show. */
export function useTrouble(network: Network): TroubleNow | undefined {
  const { tokens, quote } = useStores()
  const isOnline = useOnline()
  const failed = useStore(quote, (state) => (state.status === 'failed' ? state.error.code : undefined))
  const { listError, balanceError } = useStore(tokens, (state) => state)
  const trouble = useStore(quote, (state) => (state.status === 'ready' ? state.trouble : undefined))
  const errors = unlike([balanceError, listError], failed)
  const shown = errors.length > 0 ? errors : unlike([trouble], undefined)
  const isOfQuote = errors.length === 0
  // Localhost works offline.
  const isOffline =
    !isOnline && (network.rpcUrl.startsWith('https:') || shown.length > 0 || failed !== undefined)
  if (!isOffline && shown.length === 0) return undefined
  return { isOffline, errors: shown, onRetry: () => (isOfQuote ? quote.refresh() : tokens.open(network)) }
}

/** Removes duplicate codes. */
function unlike(errors: (WalletError | undefined)[], said: ErrorCode | undefined): WalletError[] {
  const codes = new Set([said])
  return errors.flatMap((one) => {
    if (one === undefined || codes.has(one.code)) return []
    codes.add(one.code)
    return one
  })
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    return () => {
      window.removeEventListener('online', look)
      window.removeEventListener('offline', look)
    }
  }, [])
  return isOnline
}
