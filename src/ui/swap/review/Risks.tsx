import { useState } from 'preact/hooks'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { Field } from '../../components/fields/Field.tsx'
import { formatSymbol } from '../../format/address.ts'
import { parseAgain } from '../../messages/errors/amountErrors.ts'
import type { Consent } from './risks.ts'

type Props = {
  risks: Consent[]
  /** Ids of accepted risks. */
  taken: string[]
  sell: Token
  amount: bigint
  onTake(id: string, isTaken: boolean): void
}

/** Consents required before confirming. */
export function Risks({ risks, taken, sell, amount, onTake }: Props) {
  if (risks.length === 0) return null
  return (
    <div class="stack risks">
      {risks.map(({ id, words, needs }) =>
        needs === 'tick' ? (
          <Checkbox
            key={id}
            label={words}
            isTicked={taken.includes(id)}
            onTick={(isTicked) => onTake(id, isTicked)}
          />
        ) : (
          <AmountAgain
            key={id}
            words={words}
            sell={sell}
            amount={amount}
            onMatch={(isSame) => onTake(id, isSame)}
          />
        ),
      )}
    </div>
  )
}

type AgainProps = { words: string; sell: Token; amount: bigint; onMatch(isSame: boolean): void }

function AmountAgain({ words, sell, amount, onMatch }: AgainProps) {
  const [text, setText] = useState('')
  return (
    <Field
      label={`${words} ${t('To confirm, enter the {symbol} amount you’re selling.', { symbol: formatSymbol(sell) })}`}
      inputMode="decimal"
      autocomplete="off"
      value={text}
      onInput={(typed) => {
        setText(typed)
        onMatch(parseAgain(typed, amount, sell).isSame)
      }}
      fault={parseAgain(text, amount, sell).fault}
    />
  )
}
