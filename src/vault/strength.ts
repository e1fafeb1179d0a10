import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** `score` 0 to 4 is zxcvbn's; 3 stands for more than 10^8 guesses. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

/** What a password for the vault must reach (docs/security.md). There are no rules of composition. */
const least = { length: 10, score: 3 }

/** Longer passwords are judged by their beginning: zxcvbn's effort grows faster than their length. */
const judgedLength = 64

/** The judge of passwords: how hard one is to guess, and whether it may lock a vault. Reads its word list once, when created. */
export function createStrength(): (password: string) => Strength {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { common: dictionary['passwords-common'], ours },
    graphs: adjacencyGraphs,
    maxLength: judgedLength,
  })
  return (password) => {
    const { score } = zxcvbn.check(password)
    return { score, accepted: [...password].length >= least.length && score >= least.score }
  }
}

/** What a wallet's user thinks of first. */
const ours = ['sluice', 'wallet', 'ethereum', 'bitcoin', 'crypto', 'metamask', 'hodl', 'satoshi', 'vitalik']
