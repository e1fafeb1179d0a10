import { wordlist } from '@scure/bip39/wordlists/english'

const known = new Set(wordlist)

/** The words of a phrase as typed or pasted: any letter case, any white space between. */
export function splitPhrase(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Positions, counted from zero, of the words that are not in BIP-39's English list. */
export function unknownWords(words: string[]): number[] {
  return words.flatMap((word, index) => (known.has(word) ? [] : [index]))
}
