import { afterEach, beforeEach } from 'vitest'
import type { Localnet } from '../../../dev/localnet.ts'

/** Reverts the chain after each test of the calling file. */
export function keepChain(localnet: () => Localnet): void {
  let id: `0x${string}`
  beforeEach(async () => {
    id = await localnet().client.snapshot()
  })
  afterEach(async () => {
    await localnet().client.revert({ id })
  })
}
