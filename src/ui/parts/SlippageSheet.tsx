import { useState } from 'preact/hooks'
import { formatPercent } from '../numbers.ts'
import { adviseSlippage, parseSlippage, slippagePresets, typedAgainFrom } from '../slippage.ts'
import { Field } from './Field.tsx'
import { Note } from './Note.tsx'
import { Sheet } from './Sheet.tsx'

type Props = { title: string; value: number; onChoose(bps: number): void; onClose(): void }

/** How far the price may move against the user before the swap is called off. */
export function SlippageSheet({ title, value, onChoose, onClose }: Props) {
  const isPreset = slippagePresets.includes(value)
  const [text, setText] = useState(isPreset ? '' : String(value / 100))
  const [again, setAgain] = useState('')
  const typed = parseSlippage(text)
  const advice = typeof typed === 'number' ? adviseSlippage(typed) : undefined
  const needsAgain = typeof typed === 'number' && typed >= typedAgainFrom
  const isUsable = typeof typed === 'number' && (!needsAgain || parseSlippage(again) === typed)
  const choose = (bps: number) => {
    onChoose(bps)
    onClose()
  }
  return (
    <Sheet title={title} onClose={onClose}>
      <p class="dim">If the price moves further than this against you, the swap does not happen.</p>
      <div class="presets">
        {slippagePresets.map((bps) => (
          <button
            key={bps}
            type="button"
            class="preset num"
            aria-pressed={bps === value}
            onClick={() => choose(bps)}
          >
            {formatPercent(bps)}
          </button>
        ))}
      </div>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isUsable) choose(typed)
        }}
      >
        <Field
          label="Custom, in percent"
          inputMode="decimal"
          placeholder="0.01 to 50"
          autocomplete="off"
          value={text}
          onInput={setText}
          fault={text !== '' && typeof typed === 'string' ? typed : undefined}
          hint={advice?.tone === 'plain' ? advice.text : ''}
        />
        {advice?.tone === 'warn' && <Note>{advice.text}</Note>}
        {needsAgain && (
          <Field
            label="Type it again to confirm"
            inputMode="decimal"
            autocomplete="off"
            value={again}
            onInput={setAgain}
          />
        )}
        <button class="main" type="submit" disabled={!isUsable}>
          Use {isUsable ? formatPercent(typed) : 'custom'}
        </button>
      </form>
    </Sheet>
  )
}
