import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'

export type Anvil = { rpcUrl: string; pid: number | undefined; stop(): Promise<void> }

export type AnvilOptions = {
  chainId: number
  /** 0 takes a free one. */
  port: number
  /** A state file to begin with. */
  statePath?: string
  /** Mines this often even when nothing was sent. A transaction is mined when it arrives in any case. */
  blockTimeSeconds?: number | undefined
  /** Anvil's own default unless given. */
  hardfork?: string
  /** Of a block; Anvil's own default unless given. */
  gasLimit?: bigint
}

/**
 * Starts a local node and answers once it listens. The node ends with `stop`, or with this process, however that ends. Throws
 * with the node's own words when it cannot start, for instance because the port is taken.
 */
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

function flags({ chainId, port, statePath, blockTimeSeconds, hardfork, gasLimit }: AnvilOptions): string[] {
  return [
    ...['--chain-id', String(chainId), '--port', String(port)],
    // A day of empty blocks must not fill the memory; nobody reads balances further back than this.
    ...['--prune-history', '256'],
    ...(statePath ? ['--load-state', statePath] : []),
    ...(blockTimeSeconds ? ['--block-time', String(blockTimeSeconds), '--mixed-mining'] : []),
    ...(hardfork ? ['--hardfork', hardfork] : []),
    ...(gasLimit ? ['--gas-limit', String(gasLimit)] : []),
  ]
}

/** The package's own launcher would be one more process to keep alive and to end. */
function binary(): string {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${process.platform}-${machine}/bin/anvil`)
}

/** A shell waits for its input to close, which happens when this process is gone, even if it was killed; then it ends the node. */
export function endWithThisProcess(node: ChildProcess): ChildProcess {
  return spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(node.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
}

/** The port in the line that the node prints last when it starts. What it prints later is read and dropped. */
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
