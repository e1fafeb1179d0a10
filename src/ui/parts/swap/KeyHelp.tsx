import { t, wording } from '../../../language/translate.ts'
import { Sheet } from '../Sheet.tsx'

const keys: [key: string, does: string][] = [
  ['F', wording('Flip the pair')],
  ['M', wording('Sell the most')],
  ['/', wording('Search a token to buy')],
  ['R', wording('Refresh the price')],
  ['Enter', wording('Press the main button')],
  ['Esc', wording('Close what is open')],
  ['?', wording('This list')],
]

const searchKeys: [key: string, does: string][] = [
  ['↑ ↓', wording('Move the highlight')],
  ['Enter', wording('Choose the token')],
  ['*', wording('Mark it as a favourite, or no more')],
  [wording('Shift + Delete'), wording('Forget a token you added')],
]

/** What the keyboard does on the form. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Sheet title={t('Keyboard shortcuts')} onClose={onClose}>
      <Keys keys={keys} />
      <p class="dim small">{t('They are off while you type in a search or any other text.')}</p>
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
