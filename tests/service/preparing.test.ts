import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { TokenInfo } from '../../service/config.ts'
import { createLog } from '../../service/log.ts'
import type { RunningService, ServiceOptions } from '../../service/server.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let running: RunningService[] = []
let said: Record<string, unknown>[] = []
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(async () => {
  for (const service of running) await service.stop()
  running = []
  await localnet.stop()
})

async function start(options: Partial<ServiceOptions>) {
  said = []
  const log = createLog({ level: 'warn', to: { write: (line) => said.push(JSON.parse(line)) } })
  const service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl, log, ...options })
  running.push(service)
  return async (path: string) => {
    const response = await fetch(`${service.url}/v6.1/31337/${path}`)
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return { status: response.status, body: (await response.json()) as any }
  }
}

it('answers quotes without a router, and approve/spender once the router is deployed', async () => {
  const router = `0x${'77'.repeat(20)}` as const
  const ask = await start({ config: { ...localnet.config, router } })
  expect(said).toMatchObject([
    {
      level: 'warn',
      msg: expect.stringContaining('npm run contracts:deploy -- --chain 31337 --rpc URL --key-file FILE'),
    },
  ])
  const trade = `src=${localnet.tokens.USDC}&dst=${localnet.tokens.WETH}&amount=1000000`
  expect((await ask(`quote?${trade}`)).status).toBe(200)
  expect(await ask('approve/spender')).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', description: `there is no router at ${router} yet` },
  })

  await localnet.client.setCode({ address: router, bytecode: '0x00' })
  await expect.poll(async () => (await ask('approve/spender')).status).toBe(200)
  await localnet.client.setCode({ address: router, bytecode: '0x' })
})

it('adds tokens of a token list, and omits entries that do not match the chain', async () => {
  const [weth, usdc, ...rest] = localnet.config.tokens as [TokenInfo, TokenInfo, ...TokenInfo[]]
  const listed = [
    { ...usdc, symbol: 'fromList' },
    { ...weth, decimals: 8 },
    { ...usdc, symbol: 'NOBODY', address: `0x${'99'.repeat(20)}` as const },
  ]
  const ask = await start({ config: { ...localnet.config, tokens: rest }, listed })
  const { tokens } = (await ask('tokens')).body
  expect(tokens[usdc.address].symbol).toBe('fromList')
  expect(Object.keys(tokens)).not.toContain(weth.address)
  expect(Object.keys(tokens)).toHaveLength(localnet.config.tokens.length)
  expect(said).toMatchObject([
    {
      msg: 'listed tokens are left out',
      faults: [
        `WETH (${weth.address}) has 18 decimals, not 8`,
        `NOBODY (0x${'99'.repeat(20)}) has no decimals, not 6`,
      ],
    },
  ])
})

it('fails to start when the config has wrong decimals for a token', async () => {
  const [first, ...rest] = localnet.config.tokens as [TokenInfo, ...TokenInfo[]]
  const config = { ...localnet.config, tokens: [{ ...first, decimals: 6 }, ...rest] }
  await expect(start({ config })).rejects.toThrow(`The config is wrong about its tokens: ${first.symbol}`)
})
