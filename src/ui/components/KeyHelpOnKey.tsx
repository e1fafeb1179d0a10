import { useEffect, useState } from 'preact/hooks'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'
import { shortcut } from '../swap/shortcuts.ts'

const ShortcutsSheet = lazy(() =>
  import('../swap/ShortcutsSheet.tsx').then(({ ShortcutsSheet }) => ShortcutsSheet),
)

/** Shows the keyboard shortcuts on "?". */
export function KeyHelpOnKey() {
  const { settings } = useStores()
  const [isOpen, setOpen] = useState(false)
  const isOff = useStore(settings, ({ settings }) => settings?.shortcuts === false)
  useEffect(() => {
    if (isOff) return
    const listen = shortcut({ '?': () => setOpen(true) })
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOff])
  return isOpen && <ShortcutsSheet onClose={() => setOpen(false)} />
}
