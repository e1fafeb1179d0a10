import type { Keys } from '../../src/state/account.ts'

/** The password work of the vault, fetched when the first password is typed: the first screen does without. */
export function lazyKeys(): Keys {
  const password = () => import('../../src/vault/password.ts')
  let judge: ReturnType<typeof loadJudge> | undefined
  return {
    async createKey(text) {
      return (await password()).createKey(text)
    },
    async openWrap(wrap, text) {
      return (await password()).openWrap(wrap, text)
    },
    async upgrade(wrap, text, dataKey) {
      return (await password()).upgrade(wrap, text, dataKey)
    },
    async strength(text) {
      judge ??= loadJudge()
      try {
        return (await judge)(text)
      } catch (error) {
        // The next key typed loads it anew.
        judge = undefined
        throw error
      }
    },
    async unknownWords(words) {
      const { unknownWords } = await import('../../src/vault/words.ts')
      return unknownWords(words)
    },
  }
}

async function loadJudge() {
  const { createStrength } = await import('../../src/vault/strength.ts')
  return createStrength()
}
