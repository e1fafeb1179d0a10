import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode, WalletError } from '../../errors.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { TroubleNow } from './NetworkError.tsx'

// Rarely shown, so not in the first chunk.
export const BackupRpcBanner = lazy(() =>
  import('./BackupRpcBanner.tsx').then(({ BackupRpcBanner }) => BackupRpcBanner),
)
export const NetworkError = lazy(() => import('./NetworkError.tsx').then(({ NetworkError }) => NetworkError))

/** Banner for unreachable endpoints or an offline computer. */
export function NetworkErrorBanner({ network }: { network: Network }) {
  const trouble = useTrouble(network)
  if (trouble) return <NetworkError network={network} {...trouble} />
  return network.spareRpcUrl ? <BackupRpcBanner network={network} /> : null
}

/** Returns the errors that the quote does not show. */
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
