import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { defineMessage, t } from '../../../i18n/translate.ts'
import {
  headerHeight,
  type Layout,
  type Row,
  type SectionName,
  totalHeight,
  visibleRows,
} from './virtualList.ts'

type Props = {
  id: string
  box: RefObject<HTMLDivElement | null>
  layout: Layout
  active: number
  draw(row: Row): ComponentChildren
  /** Below the rows, or instead of them. */
  children: ComponentChildren
}

/** Renders only visible rows. */
export function TokenList({ id, box, layout, active, draw, children }: Props) {
  const [scroll, setScroll] = useState(0)
  const [height, setHeight] = useState(440)
  useLayoutEffect(() => {
    const shown = box.current
    if (shown === null) return
    const watch = new ResizeObserver(() => setHeight(shown.clientHeight))
    watch.observe(shown)
    return () => watch.disconnect()
  }, [box])

  return (
    <div
      ref={box}
      id={id}
      class="tokens"
      role="listbox"
      aria-label={t('Tokens')}
      tabIndex={-1}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
    >
      <div class="tokens-all" role="presentation" style={{ blockSize: `${layout.height}px` }}>
        {layout.parts.map((part) => {
          const rows = visibleRows(part, scroll, scroll + height, active)
          if (rows.length === 0) return null
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
            <div
              key={part.name}
              class="tokens-part"
              role="group"
              aria-label={t(heads[part.name])}
              style={{ insetBlockStart: `${part.top}px`, blockSize: `${totalHeight(part.tokens.length)}px` }}
            >
              <div class="tokens-head" aria-hidden="true" style={{ blockSize: `${headerHeight}px` }}>
                {t(heads[part.name])}
              </div>
              {rows.map(draw)}
            </div>
          )
        })}
      </div>
      {children}
    </div>
  )
}

const heads: Record<SectionName, string> = {
  held: defineMessage('Your tokens'),
  favourites: defineMessage('Favorites'),
  popular: defineMessage('Popular'),
  listed: defineMessage('Listed tokens'),
  unlisted: defineMessage('Unlisted tokens'),
}
