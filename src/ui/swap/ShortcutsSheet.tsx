import { defineMessage, t } from '../../i18n/translate.ts'
import { Sheet } from '../components/Sheet.tsx'

const formKeys: [key: string, does: string][] = [
  ['Alt + F', defineMessage('Flip the pair')],
  ['Alt + M', defineMessage('Sell the most')],
  ['Alt + R', defineMessage('Refresh the price')],
  ['/', defineMessage('Search a token to buy')],
  ['Enter', defineMessage('Press the main button')],
]

const keys: [key: string, does: string][] = [
  ['Esc', defineMessage('Close what is open')],
  ['?', defineMessage('This list')],
]

const searchKeys: [key: string, does: string][] = [
  ['↑ ↓', defineMessage('Move the highlight')],
  ['Enter', defineMessage('Choose the token')],
  ['*', defineMessage('Mark it as a favourite, or no more')],
  [defineMessage('Shift + Delete'), defineMessage('Forget a token you added')],
]

/** Lists the keys that act on screens. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Sheet title={t('Keyboard shortcuts')} onClose={onClose}>
      <Keys keys={keys} />
      <p class="dim small">{t('They can be turned off in the settings, under Display.')}</p>
      <h3 class="part">{t('On the swap form')}</h3>
      <Keys keys={formKeys} />
      <h3 class="part">{t('While you search a token')}</h3>
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
