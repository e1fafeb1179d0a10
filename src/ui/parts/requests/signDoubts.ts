import { type Description, type SignWarning, takenBy } from '../../../domain/signing/permit.ts'
import { publicRouters } from '../../../domain/swap/routers.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t, wording } from '../../../language/translate.ts'

/** What speaks against a signature, in sentences. */
export type SignDoubts = {
  isSpenderKnown: boolean
  /** Each has to be looked at: with any of them a box has to be ticked first. */
  doubts: string[]
  /** Of what the wallet cannot put in words. */
  note?: string
}

/** @param router the one that the user trusts, if any */
export function doubtsOf(description: Description, router: Address | undefined): SignDoubts {
  const isSpenderKnown = !goesToStranger(description, router)
  return {
    isSpenderKnown,
    doubts: [
      ...(isSpenderKnown ? [] : [t('Who may take it is nobody this wallet knows.')]),
      ...description.warnings.map((warning) => t(warnings[warning])),
    ],
    ...(description.kind === 'other' && {
      note: t('The wallet does not know what this means. A contract may act on it without asking you again.'),
    }),
  }
}

/** Whether something may be taken by who is neither the router that the user trusts nor one that everybody does. */
function goesToStranger(description: Description, router: Address | undefined): boolean {
  if (description.kind === 'order' || description.kind === 'other') return false
  const { spender } = description
  const gives = takenBy(description).some(({ amount }) => amount !== 0n)
  return gives && spender !== router && !publicRouters.includes(spender)
}

const warnings: Record<SignWarning, string> = {
  unlimited: wording('No limit: it covers all you have and will ever have.'),
  'long-lived': wording('It stays in force for more than a day.'),
  'foreign-receiver': wording('What is bought goes to somebody else.'),
  'foreign-owner': wording('It is about an account that is not the one that signs.'),
  'unknown-contract': wording('It has the form of a well-known contract, and is for another one.'),
  'may-give': wording(
    'It reads like a permission, an order or a call: with it, something of yours may be taken.',
  ),
}
