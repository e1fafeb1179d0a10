import { afterEach, beforeEach } from 'vitest'
import type { Localnet } from '../dev/localnet.ts'

/** Puts the chain back after each test of the calling file, so that none depends on another. */
export function keepChain(world: () => Localnet): void {
  let id: `0x${string}`
  beforeEach(async () => {
    id = await world().client.snapshot()
  })
  afterEach(async () => {
    await world().client.revert({ id })
  })
}
