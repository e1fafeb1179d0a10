import { defineMessage, t } from '../../i18n/translate.ts'
import { Sheet } from '../components/Sheet.tsx'

const formKeys: [key: string, does: string][] = [
  ['Alt + F', defineMessage('Switch tokens')],
  ['Alt + M', defineMessage('Use max amount')],
  ['Alt + R', defineMessage('Refresh quote')],
  ['/', defineMessage('Search for a token to buy')],
  ['Enter', defineMessage('Continue to the next step')],
]

const keys: [key: string, does: string][] = [
  ['Esc', defineMessage('Close or go back')],
  ['?', defineMessage('Show shortcuts')],
]

const searchKeys: [key: string, does: string][] = [
  ['↑ ↓', defineMessage('Move selection')],
  ['Enter', defineMessage('Select token')],
  ['*', defineMessage('Add or remove favorite')],
  [defineMessage('Shift + Delete'), defineMessage('Remove custom token')],
]

export function ShortcutsSheet({ onClose }: { onClose(): void }) {
  return (
    <Sheet title={t('Keyboard shortcuts')} onClose={onClose}>
      <Keys keys={keys} />
      <p class="dim small">{t('You can turn shortcuts off in Settings, under Preferences.')}</p>
      <h3 class="part">{t('On the swap screen')}</h3>
      <Keys keys={formKeys} />
      <h3 class="part">{t('In token search')}</h3>
      <Keys keys={searchKeys} />
    </Sheet>
  )
}

function Keys({ keys }: { keys: [key: string, does: string][] }) {
  return (
    <dl class="rows panel">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>{t(does)}</dt>
          <dd>
            <kbd class="key">{t(key)}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  )
}
