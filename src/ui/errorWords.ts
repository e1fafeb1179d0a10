import type { ErrorCode, WalletError } from '../errors.ts'
import { serviceSentences } from './serviceWords.ts'
import { unsafeSentences } from './unsafeWords.ts'

/** What went wrong, and what to do next. */
export type Sentence = { what: string; next: string }

/** The sentence of `error`, and the facts behind it for whoever asks for help. */
export function formatError(error: WalletError): Sentence & { details: string } {
  const { code, message, facts } = error
  const known = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return { ...sentenceOf(error), details: [`${code}: ${message}`, ...known].join('\n') }
}

/** The same in one line, for below a field. */
export function sayError(error: WalletError): string {
  const { what, next } = formatError(error)
  return `${what} ${next}`
}

/** What is known best is said: what disagreed, else the service's own reason, else the kind of error. */
function sentenceOf({ code, facts }: WalletError): Sentence {
  const { fact, serviceCode } = facts
  const disagreed = isAboutFacts.has(code) && own(unsafeSentences, fact)
  return disagreed || own(serviceSentences, serviceCode) || sentences[code]
}

/** An answer for another pair is refused before there is a transaction. */
const isAboutFacts: ReadonlySet<ErrorCode> = new Set(['unsafe-transaction', 'service-garbled'])

/** The name came from outside: what every object has is no sentence. */
function own(table: Record<string, Sentence>, name: string | undefined): Sentence | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

const sentences: Record<ErrorCode, Sentence> = {
  'invalid-input': { what: 'Something in this form cannot be used.', next: 'Check what you entered.' },
  'no-vault': { what: 'There is no wallet here yet.', next: 'Create one or bring your own.' },
  'vault-exists': { what: 'There is a wallet here already.', next: 'Unlock it with its password.' },
  locked: { what: 'The wallet is locked.', next: 'Unlock it and try again.' },
  'wrong-password': { what: 'That is not the password.', next: 'Try again.' },
  'vault-damaged': {
    what: 'The stored wallet cannot be read.',
    next: 'Your funds are safe on the chain: import your recovery phrase again.',
  },
  'storage-failed': {
    what: 'The browser could not store the change.',
    next: 'Nothing was lost. Free some disk space and try again.',
  },
  'unsafe-transaction': {
    what: 'The service built a transaction that is not what you asked for.',
    next: 'It was refused and nothing was signed. Try later or use another service.',
  },
  'unknown-router': {
    what: 'The service names a router that the wallet does not know.',
    next: 'Nothing was signed. Trust it only if its makers publish this very address.',
  },
  'unexpected-change': {
    what: 'Your node says that more would change than what you agreed to.',
    next: 'Nothing was signed. Use another service, or leave these tokens alone.',
  },
  'no-permit': {
    what: 'The token refuses your signature.',
    next: 'Nothing was swapped. Review again, and choose to approve it instead.',
  },
  'below-floor': {
    what: 'It would pay less than the least that was to arrive.',
    next: 'Nothing was swapped. Accept less, or wait for a better price.',
  },
  'stale-review': {
    what: 'What you reviewed does not hold any more.',
    next: 'Nothing was swapped. Review the new numbers.',
  },
  'not-enough-gas': {
    what: 'There is not enough of the network’s coin to pay the fee.',
    next: 'Add some. Where it is what you sell, sell a little less.',
  },
  'would-fail': {
    what: 'Your node says that it would fail.',
    next: 'Nothing was signed. Try a smaller amount, or review again.',
  },
  reverted: {
    what: 'The network refused the swap while carrying it out.',
    next: 'Your tokens stayed with you; only the fee was spent. Review again.',
  },
  replaced: {
    what: 'Another transaction of this account took its place.',
    next: 'If you sent one from another wallet, that was it. Review again.',
  },
  dropped: {
    what: 'No node has seen the transaction for ten minutes.',
    next: 'Nothing was swapped so far. It may still happen.',
  },
  'worker-stopped': { what: 'The wallet restarted before it answered.', next: 'Try again.' },
  internal: { what: 'Something unexpected happened inside the wallet.', next: 'Try again.' },
  'no-route': { what: 'No way to swap this amount now.', next: 'Try another amount or another token.' },
  'unknown-token': { what: 'There is no token at this address.', next: 'Check it, or choose another token.' },
  'not-enough-balance': { what: 'This account does not hold enough.', next: 'Enter a smaller amount.' },
  'not-enough-allowance': {
    what: 'The router may not take the token yet.',
    next: 'Review again: the approval comes first.',
  },
  'estimation-failed': {
    what: 'The swap would fail at this moment.',
    next: 'Try a smaller amount or more slippage.',
  },
  'refused-request': {
    what: 'The service did not accept the question.',
    next: 'Check the amount and the tokens.',
  },
  'service-forbidden': { what: 'The service refused your key.', next: 'Check the API key in the settings.' },
  'service-busy': { what: 'The service is busy.', next: 'Try again in a moment.' },
  'service-failed': { what: 'The service has a problem.', next: 'Try again in a moment.' },
  'service-unreachable': {
    what: 'The swap service cannot be reached.',
    next: 'Check your connection and its address in the settings.',
  },
  'service-timeout': { what: 'The service takes too long to answer.', next: 'Try again in a moment.' },
  'service-garbled': {
    what: 'The service’s answer makes no sense.',
    next: 'Check its address in the settings.',
  },
  'node-unreachable': {
    what: 'The network’s node cannot be reached.',
    next: 'Check your connection and the RPC address in the settings.',
  },
  'node-timeout': { what: 'The network’s node takes too long to answer.', next: 'Try again.' },
  'node-refused': { what: 'The network’s node refused the request.', next: 'Try again or use another node.' },
  'wrong-chain': {
    what: 'The node belongs to another network.',
    next: 'Nothing was signed. Correct the RPC address in the settings.',
  },
  aborted: { what: 'This was called off.', next: 'Start again when you like.' },
  'invalid-request': {
    what: 'The site asked in a form that no wallet knows.',
    next: 'Nothing was done.',
  },
  'unknown-method': {
    what: 'The site asked for something this wallet does not know.',
    next: 'Nothing was done.',
  },
  'unsupported-method': {
    what: 'The site asked for something this wallet does not do.',
    next: 'Nothing was done.',
  },
  'invalid-params': { what: 'The site’s request makes no sense.', next: 'Nothing was done.' },
  'not-connected': {
    what: 'This site is not connected to that account.',
    next: 'Connect it, and start again on the site.',
  },
  throttled: { what: 'This site asked too often.', next: 'Wait a minute, then start again on the site.' },
  rejected: {
    what: 'This request is over: answered, taken back, or too old.',
    next: 'Start again on the site.',
  },
  'request-open': { what: 'The site asks for the same already.', next: 'Answer that request first.' },
  'unknown-chain': { what: 'The wallet does not know this network.', next: 'Add it first.' },
  'not-sent': {
    what: 'It was approved, but not all of it was sent.',
    next: 'The details say how far it came. Start again on the site.',
  },
  'no-service': {
    what: 'No swap service is known for this network.',
    next: 'Name one in the settings.',
  },
  'no-capability': { what: 'The site needs something this wallet cannot do.', next: 'Nothing was sent.' },
  'no-atomicity': {
    what: 'The site wants everything in one transaction, and this wallet sends one after the other.',
    next: 'Nothing was sent.',
  },
  'id-used': { what: 'The site gave this request a name it used before.', next: 'Start again on the site.' },
  'unknown-id': { what: 'The wallet knows no such request.', next: 'It may be over. Look at the site.' },
  'node-answered': { what: 'The network’s node refused.', next: 'The details say why.' },
}
