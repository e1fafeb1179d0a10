import type { LocalnetClient } from './client.ts'

const everyMs = 500

/**
 * A loaded node now and then leaves a transaction lying that it should mine at once: another block takes it. Nothing is mined while
 * mining is switched off, or for what waits at one look alone: it is about to be mined, and the block would be empty. Answers what
 * ends it.
 */
export function keepMining(client: LocalnetClient): () => void {
  let waited = new Set<string>()
  const timer = setInterval(async () => {
    try {
      const [waiting, isOn] = await Promise.all([waitingIn(client), client.getAutomine()])
      if (isOn && waiting.some((one) => waited.has(one))) await client.mine({ blocks: 1 })
      waited = new Set(isOn ? waiting : [])
    } catch {
      // The node is gone, or about to be.
    }
  }, everyMs)
  return () => clearInterval(timer)
}

/** The transactions that could be mined, by what tells them apart. */
async function waitingIn(client: LocalnetClient): Promise<string[]> {
  const { pending } = await client.getTxpoolContent()
  return Object.values(pending).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash))
}
