import { t, wording } from '../../language/translate.ts'
import { Sheet } from './Sheet.tsx'

const keys: [key: string, does: string][] = [
  ['F', wording('Flip the pair')],
  ['M', wording('Sell the most')],
  ['/', wording('Search a token to buy')],
  ['R', wording('Refresh the price')],
  ['Enter', wording('Press the main button')],
  ['Esc', wording('Close what is open')],
  ['?', wording('This list')],
]

/** What the keyboard does on the form. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Sheet title={t('Keyboard')} onClose={onClose}>
      <dl class="rows panel">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{t(does)}</dt>
            <dd>
              <kbd class="key">{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p class="dim small">{t('They rest while you write in a search or any other text.')}</p>
    </Sheet>
  )
}
