import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithThisProcess } from './chain/anvil.ts'
import { openPort } from './port.ts'

export type RedisServer = { url: string; pid: number; stop(): Promise<void> }

/**
 * Starts a Redis without persistence; it ends with `stop` or this process. Throws its output when it fails.
 */
export async function startRedis(wanted = 0): Promise<RedisServer> {
  const port = await openPort(wanted)
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  const guard = endWithThisProcess(server)
  server.once('exit', () => guard.kill())
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`Redis did not start. ${output.trim()}`)))
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: server.pid as number,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
    },
  }
}
