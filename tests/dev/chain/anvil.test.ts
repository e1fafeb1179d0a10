import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startAnvil } from '../../../dev/chain/anvil.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

describe('startAnvil', () => {
  it('starts a node on a free port with the given chain id, and stops it', async () => {
    const anvil = await startAnvil({ chainId: 8453, port: 0 })
    expect(await chainId(anvil.rpcUrl)).toBe('0x2105')
    await anvil.stop()
    expect(await isUp(anvil.rpcUrl)).toBe(false)
    await anvil.stop()
  })

  it("throws the node's own error when its port is taken", async () => {
    const anvil = await startAnvil({ chainId: 1, port: 0 })
    const port = Number(new URL(anvil.rpcUrl).port)
    await expect(startAnvil({ chainId: 1, port })).rejects.toThrow(/in use/i)
    await anvil.stop()
  })

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'stops the node when its parent gets %s',
    async (signal) => {
      const module = fileURLToPath(new URL('../../../dev/chain/anvil.ts', import.meta.url))
      const script = `
      import { startAnvil } from ${JSON.stringify(module)}
      console.log((await startAnvil({ chainId: 1, port: 0 })).rpcUrl)`
      const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await once(parent.stdout, 'data')
      const url = String(line).trim()
      expect(await isUp(url)).toBe(true)
      parent.kill(signal)
      await expect.poll(() => isUp(url)).toBe(false)
    },
  )
})

async function chainId(url: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const response = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
  return ((await response.json()) as { result: unknown }).result
}

function isUp(url: string): Promise<boolean> {
  return chainId(url).then(
    () => true,
    () => false,
  )
}
