import { t, wording } from '../../i18n/translate.ts'
import { Sheet } from '../components/Sheet.tsx'

const formKeys: [key: string, does: string][] = [
  ['Alt + F', wording('Flip the pair')],
  ['Alt + M', wording('Sell the most')],
  ['Alt + R', wording('Refresh the price')],
  ['/', wording('Search a token to buy')],
  ['Enter', wording('Press the main button')],
]

const keys: [key: string, does: string][] = [
  ['Esc', wording('Close what is open')],
  ['?', wording('This list')],
]

const searchKeys: [key: string, does: string][] = [
  ['↑ ↓', wording('Move the highlight')],
  ['Enter', wording('Choose the token')],
  ['*', wording('Mark it as a favourite, or no more')],
  [wording('Shift + Delete'), wording('Forget a token you added')],
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
