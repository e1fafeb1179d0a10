import type { Network } from '../../../domain/network/network.ts'
import { findLookalike } from '../../../domain/token/lookalike.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { createTokenPreferences } from '../../../state/tokens/favourites.ts'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { TokenWarning } from './TokenWarning.tsx'

type Props = { network: Network; address: Address; onChoose(token: Token): void }

/** Unlisted token, described by its contract. Stored once used. */
export function ImportToken({ network, address, onChoose }: Props) {
  const stores = useStores()
  const { tokens } = stores
  const { chainId } = network
  const list = useStore(tokens, (state) => state.tokens)
  const { value: found, error } = useQuery(() => tokens.peek(chainId, address), [tokens, chainId, address])
  const keep = useMutation(async () => {
    const kept = await stores.get(createTokenPreferences).importToken(chainId, address)
    tokens.add(kept)
    onChoose(kept)
  })

  if (error) return <ErrorMessage error={error} />
  if (found === undefined) {
    return (
      <p class="nothing" role="status">
        {t('Reading contract…')}
      </p>
    )
  }
  return (
    <TokenWarning
      token={found}
      original={findLookalike(found, list, network)}
      isBusy={keep.isRunning}
      onUse={(token) => (token.address === address ? keep.run() : onChoose(token))}
    >
      {keep.error && <ErrorMessage error={keep.error} />}
    </TokenWarning>
  )
}
