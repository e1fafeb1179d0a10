import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { useEscape } from '../hooks/useEscape.ts'
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
  useEscape('page', onBack)
  // Screen readers start here, unless a field took the focus.
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <main class="page">
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
    </main>
  )
}
