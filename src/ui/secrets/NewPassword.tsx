import { useEffect, useState } from 'preact/hooks'
import { defineMessage, plural, t } from '../../i18n/translate.ts'
import type { Strength } from '../../state/account.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'
import '../style/lazy/strength.css'

type Props = { label?: string; onChange(password: string | undefined): void }

const words = [
  defineMessage('Very weak'),
  defineMessage('Weak'),
  defineMessage('Fair'),
  defineMessage('Good'),
  defineMessage('Strong'),
]
const shortest = 10

/** Reports the password when acceptable, else undefined. */
export function NewPassword({ label = t('Password'), onChange }: Props) {
  const { account } = useStores()
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  // After a failed check, typing retries.
  const { value: strength, error } = useQuery(
    () => (first === '' ? undefined : account.strength(first)),
    [account, first],
  )
  const isAccepted = first.length >= shortest && strength?.accepted === true
  const isRepeated = first === second
  // Not on a new `onChange`.
  useEffect(() => onChange(isAccepted && isRepeated ? first : undefined), [isAccepted, isRepeated, first])

  const hint =
    first === '' ? t('At least 10 characters. A few random words work well.') : say(first, strength)
  return (
    <>
      <p class="dim">{t('This password unlocks Sluice on this device only. No one can reset it for you.')}</p>
      <PasswordField
        label={label}
        autocomplete="new-password"
        value={first}
        onInput={setFirst}
        hint={error ? '' : hint}
      />
      <StrengthBar score={first === '' ? undefined : strength?.score} isAccepted={isAccepted} />
      <PasswordField
        label={t('Confirm password')}
        autocomplete="new-password"
        value={second}
        onInput={setSecond}
        fault={second !== '' && !isRepeated ? t('Passwords don’t match') : undefined}
        hint={second !== '' && isRepeated ? t('Passwords match') : ''}
      />
      {error && <ErrorMessage error={error} />}
    </>
  )
}

type BarProps = { score: Strength['score'] | undefined; isAccepted: boolean }

/** Four segments; the hint above says the same in words. */
function StrengthBar({ score, isAccepted }: BarProps) {
  const tone = isAccepted ? 'good' : score !== undefined && score >= 2 ? 'warn' : 'bad'
  return (
    <div class="strength" data-tone={tone} aria-hidden="true">
      {[1, 2, 3, 4].map((segment) => (
        <span key={segment} data-on={score !== undefined && Math.max(score, 1) >= segment} />
      ))}
    </div>
  )
}

function say(password: string, strength: Strength | undefined): string {
  if (password.length < shortest)
    return plural(
      shortest - password.length,
      '{count} more character needed',
      '{count} more characters needed',
    )
  if (strength === undefined) return t('Checking…')
  const word = t(words[strength.score] ?? '')
  return strength.accepted ? `${word}.` : t('{word}: too easy to guess. Add another word or two.', { word })
}
