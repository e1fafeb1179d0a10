import type { Hono } from 'hono'
import * as operations from './api/priceOperations.ts'
import { formatPrice } from './api/serialize.ts'
import { createVersionRouter } from './api/versionRouter.ts'
import type { Env } from './http/context.ts'
import type { Scheduler } from './http/scheduler/requestScheduler.ts'
import type { Service } from './service.ts'
import { nativeTokenAddress } from './tokens/registry.ts'

/** Creates the router of the prices of all listed tokens. */
export function prices(service: Service, work: Scheduler): { label: string; router: Hono<Env> } {
  const { config, tokens } = service
  const { label } = operations.version
  const { app, onceABlock } = createVersionRouter(service, work, label)

  onceABlock(operations.prices, async () => {
    const known = await service.engine().prices([...tokens.listed.values()])
    const priced = [...tokens.listed.keys()].flatMap((address) => {
      const price = known.get(address === nativeTokenAddress ? config.wrapped : address)
      return price === undefined ? [] : [[address, formatPrice(price)] as const]
    })
    return { body: Object.fromEntries(priced) }
  })

  return { label, router: app }
}
