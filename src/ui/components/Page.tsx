import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { useEscape } from '../hooks/useEscape.ts'
import { WideContext } from '../shell/wideContext.ts'
import { Icon } from './Icon.tsx'

type Props = {
  title: string
  onBack?: (() => void) | undefined
  beside?: ComponentChildren
  children: ComponentChildren
  foot?: ComponentChildren
}

export function Page({ title, onBack, beside, children, foot }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isSide = useContext(WideContext) === 'side'
  useEscape('page', isSide ? undefined : onBack)
  // Screen readers start here, unless a field took the focus.
  useEffect(() => {
    if (isSide) return
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) heading.current?.focus()
  }, [])
  const Frame = isSide ? 'div' : 'main'
  return (
    <Frame class="page">
      <header class="page-head">
        {onBack && (
          <button type="button" class="round" aria-label={t('Back')} onClick={onBack}>
            <Icon name="back" />
          </button>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
      </header>
      <div class="page-body">{children}</div>
      {foot && <footer class="page-foot">{foot}</footer>}
    </Frame>
  )
}
