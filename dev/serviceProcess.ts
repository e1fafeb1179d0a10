import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildService } from '../scripts/serviceBuild.mjs'
import type { ChainConfig } from '../service/config.ts'
import { endWithThisProcess } from './chain/anvil.ts'

const root = resolve(import.meta.dirname, '..')

export type ServiceProcessOptions = {
  config: ChainConfig
  rpcUrl: string
  port?: number
  /** Folder of saved pools; by default a temporary one. */
  dataFolder?: string
  /** Node's arguments before the service's own; by default the built service, built when necessary. */
  program?: readonly string[]
}

export type ServiceProcess = { url: string; pid: number; stop(): Promise<void> }

/** Starts the service as users do; it ends with `stop` or this process. Throws its output when it fails. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { child, cleanUp } = spawnService(options)
  child.once('close', cleanUp)
  return { url: await servedUrl(child), pid: child.pid ?? 0, stop: () => endService(child) }
}

/** Later output is discarded. */
function servedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: Buffer) => {
      output += text
      const [, address] = /^Serving chain \d+ at (http:\/\/[^/\s]+)\//m.exec(output) ?? []
      if (address === undefined) return
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume()
      resolve(address)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read)
    child.once('error', reject)
    child.once('close', () => reject(new Error(`The service did not start.\n${output}`)))
  })
}

/** Spawns the service without waiting; `cleanUp` removes its temporary folder once it has ended. */
export function spawnService(options: ServiceProcessOptions) {
  const { config, rpcUrl, port = 0, dataFolder, program = [join(buildService(), 'main.js')] } = options
  const folder = mkdtempSync(join(tmpdir(), 'sluice-service-'))
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const args = [
    ...['--chain', String(config.chainId), '--rpc', rpcUrl, '--config', file, '--port', String(port)],
    ...['--metrics-port', '0', '--log', 'warn', '--data', dataFolder ?? join(folder, 'pools')],
  ]
  // In a group of its own: Ctrl-C ends it by `stop`, after the browser.
  const child = spawn(process.execPath, [...program, ...args], {
    ...{ cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const guard = endWithThisProcess(child)
  return {
    child,
    cleanUp() {
      guard.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ends it as a signal does, pools saved. */
export async function endService(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await closed
}
