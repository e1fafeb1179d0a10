import { withoutUnseen } from './text.ts'

/**
 * Returns true for a text that may hold a private key, an extended key or a part of a recovery phrase, as one
 * pastes it into the wrong field. Errs on the side of true: such a text is not stored.
 */
export function mayHoldSecret(text: string): boolean {
  const plain = withoutUnseen(text.normalize('NFKC'))
  return keyDigits.test(plain.replace(/[^\da-z]/gi, '')) || encodedKey.test(plain) || hasPhraseWords(plain)
}

/** 32 bytes in hex, however its digits are grouped. */
const keyDigits = /[\da-f]{64}/i

/** Base58: WIF (51 digits), a key of Solana (88), an extended key of BIP-32 (111). */
const encodedKey = /[\da-z]{50}/i

const fewestWords = 8

/** Words of BIP-39 lists have 3 to 8 letters. Sentences rarely have as many in a row without a shorter one. */
function hasPhraseWords(text: string): boolean {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/\P{L}+/u)
    .filter(Boolean)
  let run = 0
  return words.some((word) => {
    run = /^[a-z]{3,8}$/i.test(word) ? run + 1 : 0
    return run >= fewestWords
  })
}
