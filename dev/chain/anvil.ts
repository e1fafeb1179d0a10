import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export type Anvil = { rpcUrl: string; pid: number | undefined; stop(): Promise<void> }

export type AnvilOptions = {
  chainId: number
  /** 0 uses a free one. */
  port: number
  statePath?: string
  /** Interval of empty blocks. */
  blockTimeSeconds?: number | undefined
  hardfork?: string
  gasLimit?: bigint
  /** Deploys contracts beyond EIP-170's limit too. */
  anyCodeSize?: boolean
}

/** Starts Anvil; it ends with `stop` or this process. Throws its output when it fails. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const node = spawn(binary(), flags(options), { stdio: ['ignore', 'pipe', 'pipe'] })
  const guard = endWithThisProcess(node)
  node.once('exit', () => guard.kill())
  const port = await listeningPort(node)
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    pid: node.pid,
    async stop() {
      if (node.exitCode !== null || node.signalCode !== null) return
      const gone = once(node, 'exit')
      node.kill()
      await gone
    },
  }
}

function flags(options: AnvilOptions): string[] {
  const { chainId, port, statePath, blockTimeSeconds, hardfork, gasLimit, anyCodeSize } = options
  return [
    ...['--chain-id', String(chainId), '--port', String(port)],
    // Bounds memory.
    ...['--prune-history', '256'],
    ...(statePath ? ['--load-state', statePath] : []),
    ...(blockTimeSeconds ? ['--block-time', String(blockTimeSeconds), '--mixed-mining'] : []),
    ...(hardfork ? ['--hardfork', hardfork] : []),
    ...(gasLimit ? ['--gas-limit', String(gasLimit)] : []),
    ...(anyCodeSize ? ['--disable-code-size-limit'] : []),
  ]
}

/** The package's launcher would add a process. */
function binary(): string {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${machine}/bin/anvil`)
}

/** Works even when this process is killed: the shell's input then closes. */
export function endWithThisProcess(node: ChildProcess): ChildProcess {
  return spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(node.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
}

/** Read from the last startup line; later output is discarded. */
function listeningPort(node: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: string) => {
      output += text
      const port = /Listening on [\d.]+:(\d+)/.exec(output)?.[1]
      if (!port) return
      for (const stream of [node.stdout, node.stderr]) stream?.off('data', read).resume()
      resolve(Number(port))
    }
    for (const stream of [node.stdout, node.stderr]) stream?.setEncoding('utf8').on('data', read)
    node.once('error', reject)
    node.once('exit', () => reject(new Error(`The local node did not start. ${output.trim()}`)))
  })
}
