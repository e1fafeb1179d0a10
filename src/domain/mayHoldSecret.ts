import { isLikeRecoveryWord } from './recoveryWords.ts'
import { stripInvisible } from './sanitize.ts'

/**
 * True for text that may hold a private key, an extended key or part of a recovery phrase; errs on the side
 * of true. Such text is not stored. URLs may have API keys, and their host is not read as words.
 */
export function mayHoldSecret(text: string): boolean {
  const plain = stripInvisible(text.normalize('NFKC'))
  const url = readUrl(plain)
  if (url === undefined) return hasKey(plain) || hasPhraseWords(plain)
  const { tokens, rest } = url
  return hasKey(rest) || namesSecret.test(plain) || tokens.some(isKey) || hasPhraseWords(tokens.join(' '))
}

/** True for text with a key, also in a URL; ignores phrases. */
export function mayHoldKey(text: string): boolean {
  return hasKey(stripInvisible(text.normalize('NFKC')))
}

/** True for an amount that may hold a secret; needs no word list. */
export function amountMayHoldSecret(text: string): boolean {
  const plain = stripInvisible(text.normalize('NFKC'))
  return hasKey(plain) || (plain.match(/\p{L}{3,}/gu) ?? []).length > 2
}

function hasKey(plain: string): boolean {
  return keyDigits.test(plain.replace(/[^\da-z]/gi, '')) || encodedKey.test(plain)
}

const keyDigits = /[\da-f]{64}/i

/** Base58: WIF (51 digits), a key of Solana (88), an extended key of BIP-32 (111). */
const encodedKey = /[\da-z]{50}/i

/** In a form that no RPC hands out. */
function isKey(token: string): boolean {
  return /^0x[\da-f]{64}$/i.test(token) || base58Key.test(token)
}

const base58Key =
  /^([5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}|[a-z]prv[1-9A-HJ-NP-Za-km-z]{50,}|[1-9A-HJ-NP-Za-km-z]{87,88})$/

const namesSecret = /private_?key|mnemonic|(seed|recovery|secret)_?(phrase|words)/i

function readUrl(text: string): { rest: string; tokens: string[] } | undefined {
  const [, front = '', end = ''] = /^\s*((?:https?|wss?):\/\/[^\s/?#]+)(\S*)\s*$/i.exec(text) ?? []
  if (front === '') return undefined
  const tokens = unescaped(end).split(/[^\p{L}\p{N}]+/u)
  return { rest: front, tokens }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Half of the shortest English phrase. */
const fewestKnown = 6

/** A whole phrase of another language. */
const fewestOther = 12

function hasPhraseWords(text: string): boolean {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1 ')
    .split(/\P{L}+/u)
    // Numbering of a list.
    .filter((word) => word !== '' && !/^([a-z]|[ivx]{1,6})$/.test(word))
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  // A word repeated beside each other word is a label.
  const unlabelled = words.filter((word) => isLikeRecoveryWord(word) || (counts.get(word) ?? 0) < fewestKnown)
  return hasRun(unlabelled, isLikeRecoveryWord, fewestKnown) || hasRun(words, isOfLength, fewestOther)
}

/** Word length in Latin lists; these common words are in none. */
function isOfLength(word: string): boolean {
  return /^(?!(the|and|for|from|into|your|und|der|die|das|mit|los|las|del|por|para|les|des|une|pour)$)[a-z]{3,10}$/.test(
    word,
  )
}

function hasRun(words: string[], is: (word: string) => boolean, fewest: number): boolean {
  let run = 0
  return words.some((word) => {
    run = is(word) ? run + 1 : 0
    return run >= fewest
  })
}
