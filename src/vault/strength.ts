import { type OptionsType, ZxcvbnFactory } from '@zxcvbn-ts/core'

/** The common passwords, the commonest first, long English words, and which keys are neighbours. */
export type CommonPasswords = {
  common: string[]
  long: string[]
  keyboards: NonNullable<OptionsType['graphs']>
}

/** `score` 0 to 4 is zxcvbn's; 3 stands for more than 10^8 guesses. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

/** What a password for the vault must reach (docs/security.md). There are no rules of composition. */
const least = { length: 10, score: 3 }

/** Longer passwords are judged by their beginning: zxcvbn's effort grows faster than their length. */
const judgedLength = 64

/** The judge of passwords: how hard one is to guess, and whether it may lock a vault. What is known is read once, here. */
export function createStrength({ common, long, keyboards }: CommonPasswords): (password: string) => Strength {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { common, long, ours },
    graphs: keyboards,
    maxLength: judgedLength,
  })
  return (password) => {
    const { score } = zxcvbn.check(password)
    return { score, accepted: [...password].length >= least.length && score >= least.score }
  }
}

/** What `url` holds, a file of the extension's own (scripts/packCommonPasswords.ts). Throws an Error when it cannot be had whole. */
export async function loadCommonPasswords(url: string): Promise<CommonPasswords> {
  const { ok, status, body } = await fetch(url)
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`)
  const packed = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).json()
  const { common, long, keyboards } = packed
  return { common: lengthen(common), long: lengthen(long), keyboards }
}

/** Each word as a whole: its capital letter tells how much of it stands in the word before (A: nothing, B: one character). */
function lengthen(shortened: string): string[] {
  let word = ''
  return shortened.split(/(?=[A-Z])/).map((part) => {
    word = word.slice(0, part.charCodeAt(0) - 0x41) + part.slice(1)
    return word
  })
}

/** What a wallet's user thinks of first, and what is said often enough to be one word. */
const ours = [
  ...['sluice', 'wallet', 'ethereum', 'bitcoin', 'crypto', 'metamask', 'hodl', 'satoshi', 'vitalik'],
  ...['mywallet', 'mycrypto', 'mypassword', 'tothemoon', 'gameofthrones', 'lordoftherings', 'harrypotter'],
  ...['ichliebedich', 'schmetterling', 'jetaimemonamour', 'tequieromucho'],
]
