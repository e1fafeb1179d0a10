import type { Hono } from 'hono'
import { version as v3Version } from './api/v3Operations.ts'
import { v6Mounts } from './api/v6Mounts.ts'
import type { Env } from './http/context.ts'
import type { Scheduler } from './http/scheduler/requestScheduler.ts'
import { prices } from './prices.ts'
import type { Service } from './service.ts'
import { v3 } from './v3.ts'
import { v6 } from './v6.ts'

/** Creates the routers of `api/versions.ts`, each to be mounted at `/{label}/{chain}`. */
export function createVersions(
  service: Service,
  work: Scheduler,
  publicUrl?: string,
): { label: string; router: Hono<Env> }[] {
  return [
    ...v6Mounts.map((mount) => ({
      label: mount.version.label,
      router: v6(mount, service, work, publicUrl),
    })),
    { label: v3Version.label, router: v3(service, work, publicUrl) },
    prices(service, work),
  ]
}
