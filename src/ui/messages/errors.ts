import type { ErrorCode, WalletError } from '../../errors.ts'
import { t, wording } from '../../i18n/translate.ts'
import { refusalSentences } from './refusalWords.ts'
import { sayReasonAlone } from './revertReason.ts'
import { adviceFor, sayFailure } from './reverts.ts'
import { serviceSentences } from './serviceWords.ts'
import { unsafeSentences } from './unsafeWords.ts'

/** What went wrong, and what to do next. */
export type Sentence = { what: string; next: string }

/** The sentence of `error`, and the facts behind it for whoever asks for help. */
export function formatError(error: WalletError): Sentence & { details: string } {
  const { code, message, facts } = error
  const known = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return {
    ...(sayContract(error) ?? sayKnown(error)),
    details: [`${code}: ${message}`, ...known].join('\n'),
  }
}

function sayKnown(error: WalletError): Sentence {
  const { what, next } = sentenceOf(error)
  return { what: t(what as '{where}', { where: error.facts.where ?? '' }), next: t(next) }
}

/** The sentence of a contract's refusal. Undefined where the contract gave no reason. */
function sayContract({ code, facts }: WalletError): Sentence | undefined {
  if (code === 'reverted') {
    const what = sayFailure(facts)
    const spent = t('Nothing was moved; only the network fee was spent.')
    return what === undefined ? undefined : { what, next: `${spent} ${adviceFor(facts)}` }
  }
  if (code !== 'would-fail' || !facts.reason) return undefined
  const { what, next } = sentences[code]
  return { what: t(what), next: `${sayReasonAlone(facts.reason)} ${t(next)}` }
}

/** The same in one line, for below a field. */
export function sayError(error: WalletError): string {
  const { what, next } = formatError(error)
  return `${what} ${next}`
}

/** What is known best is said: what disagreed, else the service's own reason, else the kind of error. */
function sentenceOf({ code, facts }: WalletError): Sentence {
  const { fact, serviceCode, why } = facts
  const disagreed = isAboutFacts.has(code) && own(unsafeSentences, fact)
  const known = isRefusal.has(code) && own(refusalSentences, why)
  return disagreed || known || own(serviceSentences, serviceCode) || sentences[code]
}

/** Of what the user wants, or gave: its reason is our own. */
const isRefusal: ReadonlySet<ErrorCode> = new Set(['network-needed', 'invalid-input', 'wrong-password'])

/** An answer for another pair is refused before there is a transaction. */
const isAboutFacts: ReadonlySet<ErrorCode> = new Set(['unsafe-transaction', 'service-garbled'])

/** The name came from outside: what every object has is no sentence. */
function own(table: Record<string, Sentence>, name: string | undefined): Sentence | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

const sentences: Record<ErrorCode, Sentence> = {
  'invalid-input': {
    what: wording('Something in this form cannot be used.'),
    next: wording('Check what you entered.'),
  },
  'no-vault': {
    what: wording('There is no wallet here yet.'),
    next: wording('Create one, or import yours.'),
  },
  'vault-exists': {
    what: wording('There is a wallet here already.'),
    next: wording('Unlock it with its password.'),
  },
  locked: { what: wording('The wallet is locked.'), next: wording('Unlock it and try again.') },
  'wrong-password': { what: wording('That is not the password.'), next: wording('Try again.') },
  'too-many-tries': {
    what: wording('The password was wrong too often.'),
    next: wording('Wait a little, then try again.'),
  },
  'watch-only': {
    what: wording('This account is only watched: its key is not in this wallet.'),
    next: wording('Import its key, or choose another account.'),
  },
  'vault-newer': {
    what: wording('A newer version of Sluice wrote this wallet.'),
    next: wording('Nothing was changed. Update Sluice to open it.'),
  },
  'network-needed': {
    what: wording('This network has to stay.'),
    next: wording('It is in use, or came with the wallet.'),
  },
  'vault-damaged': {
    what: wording('The stored wallet cannot be read.'),
    next: wording('Your funds are safe on the chain: import your recovery phrase again.'),
  },
  'storage-failed': {
    what: wording('The browser could not store the change.'),
    next: wording('Nothing was lost. Free some disk space and try again.'),
  },
  'record-damaged': {
    what: wording('What was stored of this was damaged on disk.'),
    next: wording('It may have happened: look up your account before you do it again.'),
  },
  'unsafe-transaction': {
    what: wording('The service built a transaction that is not what you asked for.'),
    next: wording('It was refused and nothing was signed. Try later or use another service.'),
  },
  'unknown-router': {
    what: wording('The service names a router that the wallet does not know.'),
    next: wording('Nothing was signed. Trust it only if its makers publish this very address.'),
  },
  'unexpected-change': {
    what: wording('Your node says that more would change than what you agreed to.'),
    next: wording('Nothing was signed. Use another service, or leave these tokens alone.'),
  },
  'outcome-changed': {
    what: wording('The result changed since you saw it.'),
    next: wording('Nothing was signed. Check what changes now before you confirm.'),
  },
  'no-permit': {
    what: wording('The token refuses your signature.'),
    next: wording('Nothing was swapped. Review again, and choose to approve it instead.'),
  },
  'below-floor': {
    what: wording('It would pay less than the minimum.'),
    next: wording('Nothing was swapped. Review it at the new price, or wait for a better one.'),
  },
  'below-market': {
    what: wording('The market price is far better than the price of this swap.'),
    next: wording('Nothing was signed. Review again to see the loss before you accept it.'),
  },
  'stale-review': {
    what: wording('What you reviewed does not hold any more.'),
    next: wording('Nothing was signed. Review the new numbers.'),
  },
  'fee-too-high': {
    what: wording('The network fee is above the limit that this wallet has for the network.'),
    next: wording(
      'Nothing was signed. Check the RPC: it may be wrong. The limit is in the network’s settings.',
    ),
  },
  'not-enough-gas': {
    what: wording('There is not enough of the network’s coin to pay the fee.'),
    next: wording('Add some. Where it is what you sell or send, make it a little less.'),
  },
  'would-fail': {
    what: wording('Your node says that it would fail.'),
    next: wording('Nothing was signed. Try a smaller amount, or review again.'),
  },
  reverted: {
    what: wording('The network refused it while carrying it out.'),
    next: wording('It changed nothing; only its fee was spent. Review it again if you still want it.'),
  },
  replaced: {
    what: wording('Another transaction of this account took its place.'),
    next: wording(
      'If you sent one from another wallet, that was it. If not, look at the activity before you do it again.',
    ),
  },
  cancelled: {
    what: wording('You cancelled it.'),
    next: wording('The network took the cancellation: nothing else happened.'),
  },
  'already-mined': {
    what: wording('The network had carried it out already.'),
    next: wording('It can be neither sped up nor cancelled any more.'),
  },
  underpriced: {
    what: wording('It pays too little to take the place of the one before.'),
    next: wording('Choose a higher fee.'),
  },
  dropped: {
    what: wording('No node has the transaction any more.'),
    next: wording(
      'Nothing has moved so far. It may still happen: look at the activity before you do it again.',
    ),
  },
  'worker-stopped': {
    what: wording('The wallet restarted before it answered.'),
    next: wording('Try again.'),
  },
  internal: {
    what: wording('Something unexpected happened inside the wallet.'),
    next: wording('Try again.'),
  },
  'no-route': {
    what: wording('No way to swap this amount now.'),
    next: wording('Try another amount or another token.'),
  },
  'unknown-token': {
    what: wording('There is no token at this address.'),
    next: wording('Check it, or choose another token.'),
  },
  'not-enough-balance': {
    what: wording('This account does not hold enough.'),
    next: wording('Enter a smaller amount.'),
  },
  'not-enough-allowance': {
    what: wording('The router may not take the token yet.'),
    next: wording('Review again: the permission comes first.'),
  },
  'estimation-failed': {
    what: wording('The swap would fail at this moment.'),
    next: wording('Try a smaller amount or more slippage.'),
  },
  'refused-request': {
    what: wording('The service did not accept the question.'),
    next: wording('Check the amount and the tokens.'),
  },
  'service-forbidden': {
    what: wording('The service refused your key.'),
    next: wording('Check the API key in the settings.'),
  },
  'service-busy': { what: wording('The service is busy.'), next: wording('Try again in a moment.') },
  'service-failed': { what: wording('The service has a problem.'), next: wording('Try again in a moment.') },
  'service-unreachable': {
    what: wording('The swap service cannot be reached.'),
    next: wording('Check your connection and its address in the settings.'),
  },
  'service-timeout': {
    what: wording('The service takes too long to answer.'),
    next: wording('Try again in a moment.'),
  },
  'service-garbled': {
    what: wording('The service’s answer makes no sense.'),
    next: wording('Check its address in the settings.'),
  },
  'node-unreachable': {
    what: wording('The network’s node cannot be reached.'),
    next: wording('Check your connection and the RPC URL in the settings.'),
  },
  'node-timeout': {
    what: wording('The network’s node takes too long to answer.'),
    next: wording('Try again.'),
  },
  'node-refused': {
    what: wording('The network’s node refused the request.'),
    next: wording('Try again or use another node.'),
  },
  'wrong-chain': {
    what: wording('The node belongs to another network.'),
    next: wording('Nothing was signed. Correct the RPC URL in the settings.'),
  },
  aborted: { what: wording('This was called off.'), next: wording('Start again when you like.') },
  'invalid-request': {
    what: wording('The site asked in a form that no wallet knows.'),
    next: wording('Nothing was done.'),
  },
  'unknown-method': {
    what: wording('The site asked for something this wallet does not know.'),
    next: wording('Nothing was done.'),
  },
  'unsupported-method': {
    what: wording('The site asked for something this wallet does not do.'),
    next: wording('Nothing was done.'),
  },
  'invalid-params': {
    what: wording('The site’s request makes no sense.'),
    next: wording('Nothing was done.'),
  },
  'not-connected': {
    what: wording('This site is not connected to that account.'),
    next: wording('Connect it, and start again on the site.'),
  },
  throttled: {
    what: wording('This site asked too often.'),
    next: wording('Wait a minute, then start again on the site.'),
  },
  'limit-exceeded': {
    what: wording('This site sent too much at once.'),
    next: wording('Wait a minute, then start again on the site.'),
  },
  rejected: {
    what: wording('This request is over: answered, taken back, or too old.'),
    next: wording('Start again on the site.'),
  },
  'request-open': {
    what: wording('The site asks for the same already.'),
    next: wording('Answer that request first.'),
  },
  'unknown-chain': {
    what: wording('The wallet does not know this network.'),
    next: wording('Add it first.'),
  },
  'not-sent': {
    what: wording('It was approved, but not all of it was sent.'),
    next: wording('The details say how far it came. Start again on the site.'),
  },
  'no-service': {
    what: wording('No swap service is known for this network.'),
    next: wording('Name one in the settings.'),
  },
  'no-capability': {
    what: wording('The site needs something this wallet cannot do.'),
    next: wording('Nothing was sent.'),
  },
  'no-atomicity': {
    what: wording('The site wants everything in one transaction, and this wallet sends one after the other.'),
    next: wording('Nothing was sent.'),
  },
  'id-used': {
    what: wording('The site gave this request a name it used before.'),
    next: wording('Start again on the site.'),
  },
  'unknown-id': {
    what: wording('The wallet knows no such request.'),
    next: wording('It may be over. Look at the site.'),
  },
  'node-answered': { what: wording('The network’s node refused.'), next: wording('The details say why.') },
}
