import { useEffect, useState } from 'preact/hooks'
import { toWalletError, type WalletError } from '../../errors.ts'
import { plural, t, wording } from '../../language/translate.ts'
import type { Strength } from '../../state/account.ts'
import { useStores } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Field } from './Field.tsx'

type Props = { onChange(password: string | undefined): void }

const words = [wording('Very weak'), wording('Weak'), wording('Fair'), wording('Good'), wording('Strong')]
const shortest = 10

/** A new password, typed twice. Says it once it may lock a vault, `undefined` while it may not. */
export function NewPassword({ onChange }: Props) {
  const { account } = useStores()
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const [strength, setStrength] = useState<Strength | undefined>()
  /** Why the password could not be judged. Typing on tries again. */
  const [error, setError] = useState<WalletError | undefined>()

  useEffect(() => {
    let current = true
    setStrength(undefined)
    setError(undefined)
    if (first !== '') {
      account.strength(first).then(
        (answer) => current && setStrength(answer),
        (cause: unknown) => current && setError(toWalletError(cause)),
      )
    }
    return () => {
      current = false
    }
  }, [account, first])

  const isAccepted = first.length >= shortest && strength?.accepted === true
  const isRepeated = first === second
  // Told when the answer changes, not when the listener does.
  useEffect(() => onChange(isAccepted && isRepeated ? first : undefined), [isAccepted, isRepeated, first])

  const hint =
    first === '' ? t('At least 10 characters. A few random words work well.') : say(first, strength)
  return (
    <>
      <Field
        label={t('Password')}
        type="password"
        autocomplete="new-password"
        value={first}
        onInput={setFirst}
        hint={error ? '' : hint}
      />
      <meter
        class="meter"
        min={0}
        max={4}
        value={first === '' ? 0 : (strength?.score ?? 0)}
        aria-hidden="true"
      />
      <Field
        label={t('Repeat the password')}
        type="password"
        autocomplete="new-password"
        value={second}
        onInput={setSecond}
        fault={second !== '' && !isRepeated ? t('The two are not the same yet.') : undefined}
        hint={second !== '' && isRepeated ? t('They match.') : ''}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}

function say(password: string, strength: Strength | undefined): string {
  if (password.length < shortest)
    return plural(shortest - password.length, '{count} more to go.', '{count} more to go.')
  if (strength === undefined) return t('Checking…')
  const word = t(words[strength.score] ?? '')
  return strength.accepted
    ? `${word}.`
    : t('{word}: too easy to guess. Make it longer or stranger.', { word })
}
