import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { parseAddress, type Token } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { searchTokens } from '../../state/search.ts'
import { use, useStores } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'
import { ImportToken } from './ImportToken.tsx'
import { Sheet } from './Sheet.tsx'
import { TokenRow } from './TokenRow.tsx'
import { headHeight, layOut, rowHeight, rowsBetween } from './tokenRows.ts'

type Props = { title: string; chosen: Token | undefined; onChoose(token: Token): void; onClose(): void }

/** A combobox over all tokens of the network. Only the rows in sight are drawn, whatever the list's length. */
export function TokenPicker({ title, chosen, onChoose, onClose }: Props) {
  const { tokens: store } = useStores()
  const { tokens, balances, loading, listError, chainId } = use(store, (state) => state)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [scroll, setScroll] = useState(0)
  const [height, setHeight] = useState(440)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const layout = useMemo(() => layOut(searchTokens(tokens, balances, text)), [tokens, balances, text])
  const address = parseAddress(text)
  const isUnknown = address !== undefined && !tokens.some((token) => token.address === address)

  useLayoutEffect(() => setHeight(list.current?.clientHeight ?? 440), [])

  const choose = (token: Token) => {
    onChoose(token)
    onClose()
  }

  /** Moves the highlight and keeps it in sight. */
  const goTo = (index: number) => {
    const row = layout.tokens[Math.max(0, Math.min(index, layout.tokens.length - 1))]
    if (row === undefined) return
    setActive(row.index)
    const box = list.current
    if (box === null) return
    if (row.top < box.scrollTop + headHeight) box.scrollTop = row.top - headHeight
    const below = row.top + rowHeight - box.clientHeight
    if (below > box.scrollTop) box.scrollTop = below
  }

  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const step = steps[event.key]
    if (step !== undefined) goTo(active + step)
    else if (event.key === 'Enter') {
      const row = layout.tokens[active]
      if (row !== undefined && !isUnknown) choose(row.token)
    } else return
    event.preventDefault()
  }

  return (
    <Sheet title={title} onClose={onClose} tall>
      <div class="search">
        <Icon name="search" size={18} />
        <input
          class="search-field"
          role="combobox"
          aria-label={t('Search by symbol, name or address')}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={layout.tokens[active] && `${id}-${active}`}
          placeholder={t('Symbol, name or address')}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setActive(0)
            if (list.current !== null) list.current.scrollTop = 0
          }}
          onKeyDown={onKey}
        />
      </div>
      {listError && <ErrorNote error={listError} />}
      {isUnknown && chainId !== undefined && (
        <ImportToken key={address} chainId={chainId} address={address} onChoose={choose} />
      )}
      <div
        ref={list}
        id={id}
        class="tokens"
        role="listbox"
        aria-label={t('Tokens')}
        tabIndex={-1}
        onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
      >
        <div class="tokens-all" style={{ blockSize: `${layout.height}px` }}>
          {layout.heads.map(({ text, top }) => (
            <div key={text} class="tokens-head" role="presentation" style={{ insetBlockStart: `${top}px` }}>
              {text}
            </div>
          ))}
          {rowsBetween(layout, scroll, scroll + height, active).map(({ token, index, top }) => (
            <TokenRow
              key={token.address}
              id={`${id}-${index}`}
              token={token}
              balance={balances[token.address]}
              top={top}
              position={index + 1}
              count={layout.tokens.length}
              isActive={index === active}
              isChosen={token.address === chosen?.address}
              onChoose={choose}
            />
          ))}
        </div>
        {layout.tokens.length === 0 && !isUnknown && (
          <p class="nothing">
            {loading
              ? t('Fetching the tokens…')
              : t('No token of that name. Paste its address to import it.')}
          </p>
        )}
      </div>
    </Sheet>
  )
}
