import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'

/** `score` 0 to 4 is zxcvbn's; 3 stands for more than 10^8 guesses. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; accepted: boolean }

/** What a password for the vault must reach (docs/security.md). There are no rules of composition. */
const least = { length: 10, score: 3 }

/** Longer passwords are judged by their beginning: zxcvbn's effort grows faster than their length. */
const judgedLength = 64

/**
 * The judge of passwords: how hard one is to guess, and whether it may lock a vault. `words` are the common passwords, the commonest
 * first, and are read once, here.
 */
export function createStrength(words: string[]): (password: string) => Strength {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { common: words, ours },
    graphs: adjacencyGraphs,
    maxLength: judgedLength,
  })
  return (password) => {
    const { score } = zxcvbn.check(password)
    return { score, accepted: [...password].length >= least.length && score >= least.score }
  }
}

/** The common passwords in `url`, a file of the extension's own (scripts/passwords.ts). Throws an Error when it cannot be had whole. */
export async function fetchWords(url: string): Promise<string[]> {
  const { ok, status, body } = await fetch(url)
  if (!ok || body === null) throw new Error(`${url} answered ${status}.`)
  const text = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).text()
  return text.split('\n')
}

/** What a wallet's user thinks of first. */
const ours = ['sluice', 'wallet', 'ethereum', 'bitcoin', 'crypto', 'metamask', 'hodl', 'satoshi', 'vitalik']
