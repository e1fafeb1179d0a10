import { Sheet } from './Sheet.tsx'

const keys: [key: string, does: string][] = [
  ['F', 'Flip the pair'],
  ['M', 'Sell the most'],
  ['/', 'Search a token to buy'],
  ['R', 'Refresh the price'],
  ['Enter', 'Press the main button'],
  ['Esc', 'Close what is open'],
  ['?', 'This list'],
]

/** What the keyboard does on the form. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Sheet title="Keyboard" onClose={onClose}>
      <dl class="rows panel">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{does}</dt>
            <dd>
              <kbd class="key">{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <p class="dim small">They rest while you write in a search or any other text.</p>
    </Sheet>
  )
}
