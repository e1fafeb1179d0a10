import { join, resolve } from 'node:path'
import type { Localnet } from './localnet.ts'
import { buildSite, type Site, serveSite } from './site.ts'

const root = resolve(import.meta.dirname, '..')

export async function startDemo(world: Localnet, port: number): Promise<Site> {
  const folder = join(root, '.world/demo')
  await buildSite(join(root, 'demo'), folder)
  const tokens = { type: 'application/json', body: JSON.stringify(world.tokens) }
  return serveSite(folder, { port, files: { '/tokens.json': tokens } })
}
