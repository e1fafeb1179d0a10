import { useEffect, useRef, useState } from 'preact/hooks'
import type { Approval } from '../../domain/dapp/approval.ts'
import type { Settings } from '../../domain/network/network.ts'
import { plural, t } from '../../i18n/translate.ts'
import { SiteOrigin } from '../components/address/SiteOrigin.tsx'
import { RetryScreen } from '../components/alerts/RetryScreen.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import { TokenChain } from '../tokens/tokenLogos.ts'

const ConnectRequest = lazy(() => import('./ConnectRequest.tsx').then(({ ConnectRequest }) => ConnectRequest))
const SignMessageRequest = lazy(() =>
  import('./sign/SignMessageRequest.tsx').then(({ SignMessageRequest }) => SignMessageRequest),
)
const SignTypedDataRequest = lazy(() =>
  import('./sign/SignTypedDataRequest.tsx').then(({ SignTypedDataRequest }) => SignTypedDataRequest),
)
const SendRequest = lazy(() => import('./send/SendRequest.tsx').then(({ SendRequest }) => SendRequest))
const AddChainRequest = lazy(() =>
  import('./AddChainRequest.tsx').then(({ AddChainRequest }) => AddChainRequest),
)
const SwitchChainRequest = lazy(() =>
  import('./SwitchChainRequest.tsx').then(({ SwitchChainRequest }) => SwitchChainRequest),
)
const WatchAssetRequest = lazy(() =>
  import('./WatchAssetRequest.tsx').then(({ WatchAssetRequest }) => WatchAssetRequest),
)
const SwapRequest = lazy(() => import('./swap/SwapRequest.tsx').then(({ SwapRequest }) => SwapRequest))
const SwapProgress = lazy(() => import('../lazy/reviewChunk.ts').then(({ SwapProgress }) => SwapProgress))

/** Content of the approval window. */
export function RequestsScreen() {
  const stores = useStores()
  const { open, shown, isOver, isKnown, error } = useStore(stores.approvals, (state) => state)
  const settings = useStore(stores.settings, (state) => state)
  const stage = useStore(stores.swap, (state) => state.stage)
  /** Id of the swap whose progress was left for new requests. */
  const [left, setLeft] = useState<string | undefined>()

  const trouble = settings.error ?? error
  if (settings.settings === undefined || !isKnown) {
    return trouble ? <RetryScreen error={trouble} onRetry={stores.load} /> : null
  }
  if (stage.at === 'progress' && (shown === undefined || left !== stage.id)) {
    return (
      <div class="fill">
        {open.length > 0 && (
          <div class="banner request-banner" role="status">
            <span class="grow">
              {plural(open.length, '{count} pending request', '{count} pending requests')}
            </span>
            <button type="button" class="link" onClick={() => setLeft(stage.id)}>
              {t('Show')}
            </button>
          </div>
        )}
        <SwapProgress key={stage.id} id={stage.id} />
      </div>
    )
  }
  return (
    <>
      <NewRequests open={open} />
      {shown === undefined ? (
        <Nothing />
      ) : isOver ? (
        <Over approval={shown} hasNext={open.length > 0} />
      ) : (
        <TokenChain value={shown.chainId}>
          <Screen key={shown.id} approval={shown} settings={settings.settings} />
        </TokenChain>
      )}
    </>
  )
}

function Screen({ approval, settings }: { approval: Approval; settings: Settings }) {
  const { ask } = approval
  switch (ask.kind) {
    case 'connect':
      return <ConnectRequest approval={approval} ask={ask} />
    case 'sign-message':
      return <SignMessageRequest approval={approval} ask={ask} />
    case 'sign-typed-data':
      return <SignTypedDataRequest approval={approval} ask={ask} />
    case 'send':
      return <SendRequest approval={approval} ask={ask} />
    case 'add-chain':
      return <AddChainRequest approval={approval} ask={ask} />
    case 'switch-chain':
      return <SwitchChainRequest approval={approval} ask={ask} />
    case 'watch-asset':
      return <WatchAssetRequest approval={approval} ask={ask} />
    case 'swap':
      return <SwapRequest approval={approval} ask={ask} settings={settings} />
  }
}

/** Shown when the request expired or its site cancelled it. */
function Over({ approval: { origin, expiresAt }, hasNext }: { approval: Approval; hasNext: boolean }) {
  const { approvals } = useStores()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main class="hero">
      <div class="hero-words">
        <SiteOrigin origin={origin} />
        <h1 ref={heading} tabIndex={-1}>
          {t('Request closed')}
        </h1>
        <p class="dim">
          {expiresAt <= Date.now() ? t('The request expired.') : t('The site cancelled the request.')}
        </p>
      </div>
      <button type="button" class="main" onClick={approvals.goOn}>
        {hasNext ? t('Next request') : t('Close')}
      </button>
    </main>
  )
}

/** Announces new requests to screen readers. */
function NewRequests({ open }: { open: Approval[] }) {
  const seen = useRef(open.length)
  const [words, setWords] = useState('')
  useEffect(() => {
    if (open.length > seen.current)
      setWords(
        plural(
          open.length,
          'New request received. {count} request pending.',
          'New request received. {count} requests pending.',
        ),
      )
    seen.current = open.length
  }, [open])
  return (
    <p class="unseen" role="status">
      {words}
    </p>
  )
}

const patienceMs = 1_000

/** Shown if the browser does not let the window close itself. */
function Nothing() {
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLeft(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLeft) return null
  return (
    <main class="hero">
      <div class="hero-words">
        <h1>{t('No pending requests')}</h1>
        <p class="dim">{t('You’re all caught up.')}</p>
      </div>
      <button type="button" class="main" onClick={() => window.close()}>
        {t('Close')}
      </button>
    </main>
  )
}
