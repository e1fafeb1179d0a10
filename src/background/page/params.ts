import type * as z from 'zod/mini'
import { plainText } from '../../domain/text.ts'
import { WalletError } from '../../errors.ts'

/** A page's `params` as `shape` describes them. Throws `invalid-params` that names the fields that do not fit. */
export function parseParams<T>(shape: z.ZodMiniType<T>, params: unknown): T {
  const result = shape.safeParse(params)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${plainText(issue.keys.join(), 60)}: not known here`
    // A place in the list is no field: clients know their parameters by name.
    const field = issue.path.filter((step) => typeof step === 'string').join('.')
    return `${field === '' ? 'params' : plainText(field, 60)}: ${wordsOf(issue.message)}`
  })
  throw new WalletError('invalid-params', `${[...new Set(faults)].slice(0, 5).join('; ')}.`)
}

/** What zod says where a shape has no words of its own. */
function wordsOf(message: string): string {
  return message === 'Invalid input' ? 'missing, or not what it has to be' : message
}
