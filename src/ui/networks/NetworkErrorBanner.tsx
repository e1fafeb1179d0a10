import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { ErrorCode, WalletError } from '../../errors.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

// Most people never see either: the first screen does without.
export const NetworkErrorBanner = lazy(() =>
  import('./BackupRpcBanner.tsx').then(({ BackupRpcBanner: NetworkErrorBanner }) => NetworkErrorBanner),
)
export const Trouble = lazy(() => import('./NetworkError.tsx').then(({ Trouble }) => Trouble))

/** Errors of the network at the moment, with a way to try again. */
export type TroubleNow = { isOffline: boolean; errors: WalletError[]; onRetry(): void }

/** Says when the RPC or the service of the network cannot be reached, or the whole computer is offline. */
export function TroubleBanner({ network }: { network: Network }) {
  const trouble = useTrouble(network)
  if (trouble) return <Trouble network={network} {...trouble} />
  return network.spareRpcUrl ? <NetworkErrorBanner network={network} /> : null
}

/** The trouble of the network, if any. What the price already says is not said twice. */
export function useTrouble(network: Network): TroubleNow | undefined {
  const { tokens, quote } = useStores()
  const isOnline = useOnline()
  const failed = useStore(quote, (state) => (state.status === 'failed' ? state.error.code : undefined))
  const { listError, balanceError } = useStore(tokens, (state) => state)
  const trouble = useStore(quote, (state) => (state.status === 'ready' ? state.trouble : undefined))
  const errors = unlike([balanceError, listError], failed)
  const shown = errors.length > 0 ? errors : unlike([trouble], undefined)
  const isOfQuote = errors.length === 0
  // What runs on this very computer does not care.
  const isOffline =
    !isOnline && (network.rpcUrl.startsWith('https:') || shown.length > 0 || failed !== undefined)
  if (!isOffline && shown.length === 0) return undefined
  return { isOffline, errors: shown, onRetry: () => (isOfQuote ? quote.refresh() : tokens.open(network)) }
}

/** Those that are there, each code once. */
function unlike(errors: (WalletError | undefined)[], said: ErrorCode | undefined): WalletError[] {
  const codes = new Set([said])
  return errors.flatMap((one) => {
    if (one === undefined || codes.has(one.code)) return []
    codes.add(one.code)
    return one
  })
}

/** False while the browser knows of no way out. */
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
