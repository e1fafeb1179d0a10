import type { Network } from '../../domain/network.ts'
import { formatError } from '../format.ts'
import { use, useStores } from '../use.ts'
import { Icon } from './Icon.tsx'

/**
 * Says when the node or the service of the network cannot be had, and tries again when asked. What the price already says is
 * not said twice.
 */
export function TroubleBanner({ network }: { network: Network }) {
  const { tokens, quote } = useStores()
  const failed = use(quote, (state) => (state.status === 'failed' ? state.error.code : undefined))
  const error = use(tokens, ({ listError, balanceError }) =>
    [balanceError, listError].find((one) => one !== undefined && one.code !== failed),
  )
  const trouble = use(quote, (state) => (state.status === 'ready' ? state.trouble : undefined))
  const shown = error ?? trouble
  if (shown === undefined) return null
  const retry = () => (error ? tokens.open(network) : quote.refresh())
  return (
    <div class="banner banner-bad" role="alert">
      <Icon name="warn" size={18} />
      <span class="grow">
        {network.name}: {formatError(shown).what}
      </span>
      <button type="button" class="link" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
