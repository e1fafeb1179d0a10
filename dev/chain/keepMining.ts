import type { LocalnetClient } from './client.ts'

const everyMs = 500

/**
 * Mines transactions that stay pending for two polls, since a loaded Anvil may skip one. Inactive without
 * automining.
 */
export function keepMining(client: LocalnetClient): () => void {
  let waited = new Set<string>()
  const timer = setInterval(async () => {
    try {
      const [waiting, isOn] = await Promise.all([waitingIn(client), client.getAutomine()])
      if (isOn && waiting.some((one) => waited.has(one))) await client.mine({ blocks: 1 })
      waited = new Set(isOn ? waiting : [])
    } catch {
      // The node has stopped.
    }
  }, everyMs)
  return () => clearInterval(timer)
}

async function waitingIn(client: LocalnetClient): Promise<string[]> {
  const { pending } = await client.getTxpoolContent()
  return Object.values(pending).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash))
}
