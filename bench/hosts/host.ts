import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A service process. */
export type Host = {
  url: string
  isLeader(): boolean
  /** CPU seconds since its start. */
  cpu(): Promise<number>
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Starts a service and resolves when it answers; throws its output when it ends before. */
export async function startHost(args: readonly string[]): Promise<Host> {
  const command = ['--import', 'tsx', 'service/main.ts', '--port', '0', ...args]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const find = (pattern: RegExp) => pattern.exec(output)?.[1]
  const service = /Serving chain \d+ at (http:\/\/127\.0\.0\.1:\d+)/
  while (find(service) === undefined || (await fetch(`${find(service)}/ready`)).status !== 200) {
    if (child.exitCode !== null) throw new Error(`A service did not start. ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const metrics = find(/Metrics at (\S+)/) ?? ''
  return {
    url: find(service) ?? '',
    isLeader() {
      const [reads, follows] = [/reads the chain for all/g, /another host reads the chain/g]
      const last = (pattern: RegExp) => [...output.matchAll(pattern)].at(-1)?.index ?? -1
      return last(reads) > last(follows)
    },
    async cpu() {
      const found = /process_cpu_seconds_total\S* ([\d.]+)/.exec(await (await fetch(metrics)).text())
      return Number(found?.[1])
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
