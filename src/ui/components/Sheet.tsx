import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { useEscape } from '../hooks/useEscape.ts'
import { useId } from '../hooks/useId.ts'
import { Icon } from './Icon.tsx'

type Props = { title: string; onClose(): void; children: ComponentChildren; tall?: boolean }

/** Native dialog, which traps and restores the focus. */
export function Sheet({ title, onClose, children, tall = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEscape('sheet', onClose)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={tall ? 'sheet sheet-tall' : 'sheet'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers close a dialog without a second `cancel` event.
      onClose={(event) => {
        if (event.currentTarget.isConnected) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="round" aria-label={t('Close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
