import '../../style/lazy/wide.css'
import { useRef } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { t } from '../../../i18n/translate.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { RouteContent } from './RouteContent.tsx'

/** The route beside or below the form of a wide tab. Its room is kept while there is no quote. */
export function RoutePane({ network }: { network: Network }) {
  const { quote } = useStores()
  const status = useStore(quote, (state) => state.status)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section class="route-pane panel" aria-labelledby="route-pane">
      <h2 id="route-pane" ref={heading} tabIndex={-1}>
        {t('Route')}
      </h2>
      {status === 'idle' ? (
        <p class="dim">{t('Enter an amount to get a quote')}</p>
      ) : (
        // The button that left a source out is gone. The form lists what is left out.
        <RouteContent network={network} onLeaveOut={() => heading.current?.focus()} />
      )}
    </section>
  )
}
