import { type OptionsType, ZxcvbnFactory } from '@zxcvbn-ts/core'

export type CommonPasswords = {
  common: string[]
  long: string[]
  keyboards: NonNullable<OptionsType['graphs']>
}

/** zxcvbn; 3 means more than 10^8 guesses. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

/** docs/security/keys.md; no composition rules. */
const least = { length: 10, score: 3 }

const judgedLength = 64

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

/** Loads scripts/packCommonPasswords.ts's output. Throws an Error. */
export async function loadCommonPasswords(url: string): Promise<CommonPasswords> {
  const { ok, status, body } = await fetch(url)
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`)
  const packed = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).json()
  const { common, long, keyboards } = packed
  return { common: lengthen(common), long: lengthen(long), keyboards }
}

/** A capital letter is the shared prefix length (A: 0, B: 1). */
function lengthen(shortened: string): string[] {
  let word = ''
  return shortened.split(/(?=[A-Z])/).map((part) => {
    word = word.slice(0, part.charCodeAt(0) - 0x41) + part.slice(1)
    return word
  })
}

const ours = [
  ...['sluice', 'wallet', 'ethereum', 'bitcoin', 'crypto', 'metamask', 'hodl', 'satoshi', 'vitalik'],
  ...['mywallet', 'mycrypto', 'mypassword', 'tothemoon', 'gameofthrones', 'lordoftherings', 'harrypotter'],
  ...['ichliebedich', 'schmetterling', 'jetaimemonamour', 'tequieromucho'],
]
