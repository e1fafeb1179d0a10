import { afterEach, beforeEach } from 'vitest'
import type { Localnet } from '../dev/localnet.ts'

/** Reverts the chain after each test of the calling file. */
export function keepChain(world: () => Localnet): void {
  let id: `0x${string}`
  beforeEach(async () => {
    id = await world().client.snapshot()
  })
  afterEach(async () => {
    await world().client.revert({ id })
  })
}
