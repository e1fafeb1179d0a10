import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { startServiceProcess } from '../../dev/serviceProcess.ts'
import { buildService } from '../../scripts/serviceBuild.mjs'
import { slow } from '../helpers/slow.ts'

slow('The service runs as a process of its own.')

let localnet: Localnet
beforeAll(async () => {
  buildService()
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe('startServiceProcess', () => {
  it('serves quotes of the config until it is stopped', async () => {
    const { config, rpcUrl, tokens } = localnet
    const service = await startServiceProcess({ config, rpcUrl })
    const query = `src=${tokens.USDC}&dst=${tokens.WETH}&amount=1000000`
    const response = await fetch(`${service.url}/v6.1/${config.chainId}/quote?${query}`)
    expect(await response.json()).toMatchObject({ dstAmount: expect.stringMatching(/^[1-9]\d+$/) })
    await service.stop()
    expect(await isUp(service.url)).toBe(false)
    await service.stop()
  })

  it('throws the output of a service that does not start', async () => {
    const { config } = localnet
    await expect(startServiceProcess({ config, rpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
      'The service did not start.\nThe RPC failed',
    )
  })

  it('ends the service when its parent is killed', async () => {
    const { config, rpcUrl } = localnet
    const module = fileURLToPath(new URL('../../dev/serviceProcess.ts', import.meta.url))
    const script = `
      import { startServiceProcess } from ${JSON.stringify(module)}
      console.log((await startServiceProcess(${JSON.stringify({ config, rpcUrl })})).url)`
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(parent.stdout, 'data')
    const url = String(line).trim()
    expect(await isUp(url)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isUp(url)).toBe(false)
  })
})
