import { BlockNotFoundError } from 'viem'
import type { Chain, Header } from '../chain.ts'
import type { HashAt } from './followedBlocks.ts'

/** True if `head` is no news, also if it is older: RPCs behind a load balancer lag behind each other. */
export async function isCurrent(chain: Chain, head: Header, known: Header): Promise<boolean> {
  if (head.hash === known.hash) return true
  if (head.number >= known.number) return false
  return (await hashAt(chain)(known.number)) === known.hash
}

/** Returns the chain's hash of a block by its number. */
export function hashAt(chain: Chain): HashAt {
  return (number) =>
    chain.header(number).then(
      ({ hash }) => hash,
      (error: unknown) => {
        if (error instanceof BlockNotFoundError) return undefined
        throw error
      },
    )
}

/** True if `before` is an ancestor of `head`. */
export async function descends(chain: Chain, head: Header, before: Header): Promise<boolean> {
  if (head.number <= before.number) return false
  if (head.number === before.number + 1n) return head.parentHash === before.hash
  return (await chain.header(before.number)).hash === before.hash
}
