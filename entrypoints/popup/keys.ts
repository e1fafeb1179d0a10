import type { KeyCrypto } from '../../src/state/account.ts'

/** Loads the vault's password and phrase code on first use. */
export function lazyKeys(): KeyCrypto {
  const password = () => import('../../src/vault/password.ts')
  const phrase = () => import('../../src/vault/words/phrase.ts')
  let judge: ReturnType<typeof loadJudge> | undefined
  return {
    async createKey(text) {
      return (await password()).createKey(text)
    },
    async tryWrap(wrap, text) {
      return (await password()).unwrapUnchecked(wrap, text)
    },
    async changePassword(wrap, text, dataKey) {
      return (await password()).changePassword(wrap, text, dataKey)
    },
    async upgrade(wrap, text, dataKey) {
      return (await password()).upgrade(wrap, text, dataKey)
    },
    async strength(text) {
      judge ??= loadJudge()
      try {
        return (await judge)(text)
      } catch (error) {
        // Retried.
        judge = undefined
        throw error
      }
    },
    async unknownWords(words) {
      return (await phrase()).unknownWords(words)
    },
    async splitPhrase(text) {
      return (await phrase()).splitPhrase(text)
    },
    async suggestWords(prefix) {
      return (await phrase()).suggestWords(prefix)
    },
    async readPrivateKey(text) {
      return (await import('../../src/vault/privateKey.ts')).readPrivateKey(text)
    },
    async addressOf(privateKey) {
      return (await import('../../src/vault/privateKey.ts')).privateKeyAddress(privateKey)
    },
    async openKeystore(text, password) {
      return (await import('../../src/vault/keystore.ts')).openKeystore(text, password)
    },
    async newSecret(words) {
      return (await phrase()).newSecret(words)
    },
    async readPhrase(text) {
      return (await phrase()).readPhrase(text)
    },
    async showPhrase(entropy) {
      return (await phrase()).showPhrase(entropy)
    },
  }
}

async function loadJudge() {
  const { createStrength, loadCommonPasswords: fetchKnown } = await import(
    '../../src/vault/words/strength.ts'
  )
  return createStrength(await fetchKnown('/passwords.gz'))
}
