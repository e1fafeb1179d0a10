import { useEffect, useState } from 'preact/hooks'
import { lookalikeOf } from '../../domain/lookalike.ts'
import type { Address, Token } from '../../domain/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import { t } from '../../language/translate.ts'
import { formatSymbol, shortAddress, visible } from '../format.ts'
import { use, useStores } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Note } from './Note.tsx'
import { TokenIcon } from './TokenIcon.tsx'

type Props = { chainId: number; address: Address; onChoose(token: Token): void }

/** A token that is in no list: what its contract says of itself, and the warning that this is all there is. */
export function ImportToken({ chainId, address, onChoose }: Props) {
  const { tokens } = useStores()
  const list = use(tokens, (state) => state.tokens)
  const [found, setFound] = useState<Token | WalletError | undefined>()
  useEffect(() => {
    let current = true
    tokens.peek(chainId, address).then(
      (token) => current && setFound(token),
      (error: unknown) => current && setFound(toWalletError(error)),
    )
    return () => {
      current = false
    }
  }, [tokens, chainId, address])

  if (found === undefined) return <p class="nothing">{t('Reading the contract…')}</p>
  if ('code' in found) return <ErrorNote error={found} />
  const original = lookalikeOf(found, list)
  return (
    <section class="import">
      <div class="list-row">
        <TokenIcon token={found} size={34} />
        <span class="token-words">
          <strong>{formatSymbol(found)}</strong>
          <span class="dim small">{visible(found.name)}</span>
        </span>
        <span class="tag">{t('unlisted')}</span>
      </div>
      <Note>
        {original
          ? t('Looks like {symbol}, which is listed at {address}. This is another contract.', {
              symbol: formatSymbol(original),
              address: shortAddress(original.address),
            })
          : t(
              'Not in the service’s list. Anybody can make a token with any name: trade it only if you trust its address.',
            )}
      </Note>
      <button
        type="button"
        class="main"
        onClick={() => {
          tokens.add(found)
          onChoose(found)
        }}
      >
        {t('Use this token')}
      </button>
    </section>
  )
}
