import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { WalletError } from '../../src/errors.ts'

/** Returns what `work` throws; fails if it does not. */
export async function failure(work: Promise<unknown>): Promise<WalletError> {
  return work.then(
    (value) => expect.fail(`answered ${inspect(value)}`),
    (error: WalletError) => error,
  )
}
