import { describe, expect, it } from 'vitest'
import { routerAddress } from '../../contracts/create2.ts'
import { chainFiles } from '../../dev/chain/chainFiles.ts'
import { canonical } from '../../dev/chain/preinstalls.ts'
import { localnetConfig } from '../../dev/config.ts'
import { parseConfig } from '../../service/config.ts'
import { readConfig } from '../../service/configFile.ts'
import type { Log } from '../../service/log.ts'
import { loadTokenList } from '../../service/tokens/tokenList.ts'

const folder = 'service/chains'

it('keeps 31337.json equal to the config of the localnet', async () => {
  expect(await readConfig(`${folder}/31337.json`, 31337)).toEqual(localnetConfig(31337))
})

it('refuses factories whose pools are in another contract than the router is bound to', () => {
  const config = localnetConfig(31337)
  const parse = (change: object) => () => parseConfig({ ...config, ...change }, 'It')
  expect(parse({})).not.toThrow()
  const index = config.factories.findIndex(({ kind }) => kind === 'uniswap-v4')
  const at = (address: string) => config.factories.map((one, i) => (i === index ? { ...one, address } : one))
  expect(parse({ poolManager: config.wrapped })).toThrow(
    `It is not a chain config. factories.${index}: its address is not the poolManager`,
  )
  expect(parse({ factories: at(config.wrapped) })).toThrow('its address is not the poolManager')
  expect(parse({ factories: at(config.wrapped), poolManager: config.wrapped })).not.toThrow()
  for (const name of ['vault', 'vaultV3', 'poolManager'] as const) {
    const { [name]: address, ...others } = config
    expect(address).toBeDefined()
    expect(() => parseConfig(others, 'It')).toThrow(`its pools need a ${name}`)
  }
})

it('has configs for exactly six public chains', () => {
  expect(chainFiles().sort()).toEqual(['1.json', '10.json', '137.json', '42161.json', '56.json', '8453.json'])
})

describe.each(chainFiles())('%s', async (name) => {
  const config = await readConfig(`${folder}/${name}`, Number(name.slice(0, -'.json'.length)))
  const faults: unknown[] = []
  const log = { warn: (...said: unknown[]) => faults.push(said) } as unknown as Log
  const tokens = await loadTokenList(config.tokenList!, config, log)

  it('names the router address of `npm run contracts:deploy` (update: `npm run localnet -- --write-config`)', () => {
    expect(config.router).toBe(routerAddress(config).address)
    expect(config).toMatchObject(canonical)
  })

  it('lists all connector tokens, including the wrapped native token', () => {
    const listed = new Map(tokens.map((token) => [token.address, token]))
    expect(listed.get(config.wrapped)).toMatchObject({ decimals: 18, tags: ['wrapped'] })
    expect(config.connectors.filter((address) => !listed.has(address))).toEqual([])
    expect(config.connectors).toContain(config.wrapped)
    expect(faults).toEqual([])
    expect(tokens.length).toBeGreaterThan(12)
  })

  it('lists each factory once, with a start block, one title per source and the fee of its pools', () => {
    const { factories } = config
    expect(new Set(factories.map(({ address }) => address)).size).toBe(factories.length)
    const titles = new Map(factories.map(({ source, title }) => [source, title]))
    for (const { kind, source, title, feePpm, fromBlock } of factories) {
      expect(titles.get(source)).toBe(title)
      // Announced by no event.
      if (kind === 'converter') continue
      // In the genesis state of Optimism's present chain; Arbitrum's first blocks were open to projects only.
      const isGenesis = config.chainId === 42161 || (config.chainId === 10 && source === 'UNISWAP_V3')
      expect(fromBlock, title).toBeGreaterThanOrEqual(isGenesis ? 0 : 1_000_000)
      const expected = kind === 'constant-product' ? (source === 'PANCAKESWAP_V2' ? 2_500 : 3_000) : 0
      expect(feePpm, title).toBe(expected)
    }
    expect(factories.some(({ kind }) => kind === 'weighted')).toBe(config.vault !== undefined)
  })
})
