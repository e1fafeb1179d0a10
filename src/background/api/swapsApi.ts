import type { SwapsApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import { intent, intentId, parse } from '../schemas.ts'
import type { Reviews } from '../swap/reviewStore.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { reviewRequestSchema } from './schemas.ts'

export type SwapsApiDeps = {
  vault: Pick<Vault, 'extend' | 'requireKey'>
  reviews: Reviews
  intents: Pick<TransactionQueue, 'swap' | 'list'>
}

export function createSwapsApi({ vault, reviews, intents }: SwapsApiDeps): SwapsApi {
  return {
    async review(value) {
      const request = parse(reviewRequestSchema, value, 'trade')
      // A review that renews itself must not put off the auto-lock.
      if (!request.unattended) await vault.extend()
      await vault.requireKey(request.account)
      return reviews.review(request)
    },
    resimulate: async (id) => reviews.recheck(parse(intentId, id, 'review')),
    async swap(value) {
      const wanted = parse(intent, value, 'swap')
      await vault.extend()
      return intents.swap(wanted)
    },
    swaps: () => intents.list(),
  }
}
