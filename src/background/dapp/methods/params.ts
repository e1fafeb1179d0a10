import * as v from 'valibot'
import { sanitizeText } from '../../../domain/sanitize.ts'
import { WalletError } from '../../../errors.ts'

/** Validates a page's `params`. Throws `invalid-params` naming the invalid fields. */
export function parseParams<T>(shape: v.GenericSchema<unknown, T>, params: unknown): T {
  const result = v.safeParse(shape, params)
  if (result.success) return result.output
  const faults = result.issues.map((issue) => {
    // List positions are no fields.
    const steps = (issue.path ?? []).map(({ key }) => key)
    const field = steps.filter((step) => typeof step === 'string').join('.')
    return `${field === '' ? 'params' : sanitizeText(field, 60)}: ${getWords(issue)}`
  })
  throw new WalletError('invalid-params', `${[...new Set(faults)].slice(0, 5).join('; ')}.`)
}

/** Hides the library's own messages. */
function getWords({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type === 'strict_object' && expected === 'never') return 'not known here'
  return message.startsWith('Invalid ') ? 'missing, or not what it has to be' : message
}
