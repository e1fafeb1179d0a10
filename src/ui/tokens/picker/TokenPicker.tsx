import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressIn } from '../../../domain/address/typedAddress.ts'
import { findLookalike } from '../../../domain/token/lookalike.ts'
import { popularTokens } from '../../../domain/token/pegGroups.ts'
import { type Address, isNative, type Token } from '../../../domain/token/token.ts'
import type { TokenPrices } from '../../../domain/value/price.ts'
import { plural, t, tx } from '../../../i18n/translate.ts'
import { isReady } from '../../../state/settings.ts'
import { groupTokens } from '../../../state/tokens/groups.ts'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { focus } from '../../components/focus.ts'
import { Icon } from '../../components/Icon.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { formatSymbol } from '../../format/address.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useId } from '../../hooks/useId.ts'
import { ImportToken } from './ImportToken.tsx'
import { TokenChips } from './TokenChips.tsx'
import { TokenList } from './TokenList.tsx'
import { TokenListStatus } from './TokenListStatus.tsx'
import { type RowAct, TokenRow } from './TokenRow.tsx'
import { TokenWarning } from './TokenWarning.tsx'
import { useFavourites } from './useFavourites.ts'
import { headerHeight, layoutRows, offsetOfRow, rowAtOffset, rowHeight } from './virtualList.ts'
import '../../style/lazy/picker.css'

type Props = { title: string; chosen: Token | undefined; onChoose(token: Token): void; onClose(): void }

/**
 * Combobox: arrows move, Enter chooses, * marks a favourite, Shift+Delete removes an imported token.
 * Lookalikes need a confirmation.
 */
export function TokenPicker({ title, chosen, onChoose, onClose }: Props) {
  const { tokens: store, prices } = useStores()
  const { tokens, balances, loading, listError, chainId } = useStore(store, (state) => state)
  const network = useNetwork(chainId)
  const picks = useFavourites(network)
  const [text, setText] = useState('')
  const address = addressIn(text, network?.chainId)
  // Not the index: arriving balances move rows.
  const [highlit, setHighlit] = useState<Address | undefined>()
  const [doubtful, setDoubtful] = useState<{ token: Token; original: Token } | undefined>()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  // Also on return to the list.
  useLayoutEffect(() => search.current?.focus(), [doubtful])

  const { order } = picks
  const held = useMemo(
    () => tokens.filter(({ address }) => (balances[address] ?? 0n) > 0n),
    [tokens, balances],
  )
  const known = useStore(prices, ({ chains, isShown }) =>
    isShown && chainId !== undefined ? chains[chainId]?.prices : undefined,
  )
  useEffect(() => {
    if (chainId !== undefined && held.length > 0)
      prices.track(
        chainId,
        held.map(({ address }) => address),
      )
  }, [prices, chainId, held])
  // Rows keep their order while prices change.
  const sorting = useRef(known)
  if (!isPricing(held, sorting.current)) sorting.current = known
  const layout = useMemo(
    () =>
      layoutRows(
        groupTokens({
          network: network ?? { chainId: 0 },
          tokens: order === undefined ? [] : tokens,
          balances,
          favourites: order ?? [],
          text: address ?? text,
          ...(sorting.current && { prices: sorting.current }),
        }),
      ),
    [network, tokens, balances, order, text, address, sorting.current],
  )
  const active = offsetOfRow(layout, highlit) ?? 0
  const highlight = rowAtOffset(layout, active)?.token
  const isUnknown = address !== undefined && !tokens.some((token) => token.address === address)
  const isSearching = text.trim() !== ''

  const originalOf = (token: Token) => network && findLookalike(token, tokens, network)

  const take = (token: Token) => {
    picks.used(token)
    onChoose(token)
    onClose()
  }

  const choose = (token: Token) => {
    const original = originalOf(token)
    if (original) setDoubtful({ token, original })
    else take(token)
  }

  const canForget = (token: Token) =>
    !token.listed && !isNative(token.address) && token.address !== chosen?.address

  const act = (does: RowAct, token: Token) => {
    if (does === 'mark') picks.mark(token)
    else if (does === 'choose') choose(token)
    else if (canForget(token)) picks.forget(token)
  }

  const goTo = (index: number) => {
    const row = rowAtOffset(layout, Math.max(0, Math.min(index, layout.count - 1)))
    const box = list.current
    if (row === undefined || box === null) return
    setHighlit(row.token.address)
    if (row.top < box.scrollTop + headerHeight) box.scrollTop = row.top - headerHeight
    const below = row.top + rowHeight - box.clientHeight
    if (below > box.scrollTop) box.scrollTop = below
  }

  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const step = steps[event.key]
    if (step !== undefined) goTo(active + step)
    else if (highlight === undefined || isUnknown) return
    else if (event.key === 'Enter') choose(highlight)
    else if (event.key === '*') act('mark', highlight)
    else if (event.key === 'Delete' && event.shiftKey && canForget(highlight)) act('forget', highlight)
    else return
    event.preventDefault()
  }

  if (doubtful) {
    return (
      <Sheet title={title} onClose={onClose} tall>
        {/* The focused search field was removed. */}
        <div ref={focus} class="doubt-step" tabIndex={-1}>
          <TokenWarning token={doubtful.token} original={doubtful.original} onUse={take}>
            <button type="button" class="plain" onClick={() => setDoubtful(undefined)}>
              {t('Back to list')}
            </button>
          </TokenWarning>
        </div>
      </Sheet>
    )
  }

  return (
    <Sheet title={title} onClose={onClose} tall>
      <div class="search">
        <Icon name="search" size={18} />
        <input
          ref={search}
          class="search-field"
          role="combobox"
          aria-label={t('Search by symbol, name or address')}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={highlight && `${id}-${active}`}
          placeholder={t('Symbol, name or address')}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setHighlit(undefined)
            picks.settle()
            sorting.current = known
            if (list.current !== null) list.current.scrollTop = 0
          }}
          onKeyDown={onKey}
        />
      </div>
      {!isSearching && network && (
        <TokenChips
          recents={picks.recents}
          popular={order === undefined ? none : popularTokens(network)}
          tokens={tokens}
          originalOf={originalOf}
          onChoose={choose}
        />
      )}
      {listError && (
        <ErrorMessage error={listError}>
          <button type="button" class="link" disabled={loading} onClick={picks.refresh}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      )}
      {picks.error && <ErrorMessage error={picks.error} />}
      {picks.forgotten && (
        <p class="forgotten small" role="status">
          <span>{t('{symbol} removed', { symbol: formatSymbol(picks.forgotten) })}</span>
          <button
            type="button"
            class="link"
            onClick={() => {
              picks.restore()
              search.current?.focus()
            }}
          >
            {t('Undo')}
          </button>
        </p>
      )}
      {isUnknown && network && (
        <ImportToken key={address} network={network} address={address} onChoose={take} />
      )}
      <TokenList
        id={id}
        box={list}
        layout={layout}
        active={active}
        draw={({ token, index, top }) => (
          <TokenRow
            key={token.address}
            id={`${id}-${index}`}
            token={token}
            balance={balances[token.address]}
            original={originalOf(token)}
            top={top}
            position={index + 1}
            count={layout.count}
            isActive={index === active}
            isChosen={token.address === chosen?.address}
            isMarked={picks.favourites.includes(token.address)}
            canForget={canForget(token)}
            onDo={act}
          />
        )}
      >
        {layout.count === 0 && !isUnknown && isSearching && !loading && (
          <p class="nothing">{t('No matches. Paste a contract address to import a token.')}</p>
        )}
      </TokenList>
      <footer class="tokens-foot small dim">
        <TokenListStatus
          hasService={network !== undefined && isReady(network)}
          isLoading={loading}
          listedAt={picks.listedAt}
          onRefresh={picks.refresh}
        />
        <span class="tokens-keys">{tx('Press {key} to favorite', { key: <kbd class="key">*</kbd> })}</span>
      </footer>
      <p class="unseen" role="status">
        {isSearching && !isUnknown && plural(layout.count, '{count} token', '{count} tokens')} {picks.said}
      </p>
    </Sheet>
  )
}

const none: never[] = []

/** True if any of the tokens has a price. */
function isPricing(held: Token[], prices: TokenPrices | undefined): boolean {
  return prices !== undefined && held.some(({ address }) => prices[address] !== undefined)
}
