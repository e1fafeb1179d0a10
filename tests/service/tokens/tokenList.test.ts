import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { localnetConfig } from '../../../dev/config.ts'
import type { Log } from '../../../service/log.ts'
import { loadTokenList, parseTokenList } from '../../../service/tokens/tokenList.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'

const config = { ...localnetConfig(31337), tokens: [] }
const one = '0x52908400098527886E0F7030069857D2E4169EE7'
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const token = { chainId: 31337, address: one, name: 'One', symbol: 'ONE', decimals: 6 }
const folder = mkdtempSync(join(tmpdir(), 'sluice-lists-'))

let warnings: string[] = []
const log = {
  warn: (facts: object, text: string) => warnings.push(JSON.stringify({ ...facts, text })),
} as unknown as Log
let server: HttpServer
let url: string
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    if (request.url === '/list') response.end(JSON.stringify(listOf(token)))
    else if (request.url === '/page') response.end('<html>')
    else if (request.url === '/endless') response.write('[')
    else response.writeHead(404).end()
  })
  url = server.url
})
beforeEach(() => {
  warnings = []
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.stop()
})

const listOf = (...tokens: unknown[]) => ({
  name: 'A list',
  timestamp: '2026-01-01T00:00:00.000Z',
  version: { major: 1, minor: 0, patch: 0 },
  tokens,
})
const parse = (...tokens: unknown[]) => parseTokenList(listOf(...tokens), 'a list', config, log)

it('takes the tokens of this chain from a list', () => {
  const extensions = { eip2612: true, domainVersion: '2', bridgeInfo: { 1: {} } }
  const rich = { ...token, logoURI: 'https://logos/one.svg', tags: ['stablecoin'], extensions }
  expect(parse(rich, { ...token, chainId: 1, address: other, decimals: 'six' })).toEqual([
    {
      address: one.toLowerCase(),
      name: 'One',
      symbol: 'ONE',
      decimals: 6,
      logoURI: 'https://logos/one.svg',
      tags: ['stablecoin'],
      eip2612: true,
      domainVersion: '2',
    },
  ])
  expect(warnings).toEqual([])
})

it('reports a list without a token of this chain', () => {
  expect(parse({ ...token, chainId: config.chainId + 1 })).toEqual([])
  expect(warnings.join()).toContain(`the token list has no token of chain ${config.chainId}`)
})

it('prefers the tokens of the config to those of a list', () => {
  const own = {
    ...config,
    tokens: [{ ...localnetConfig(31337).tokens[0]!, address: one.toLowerCase() as `0x${string}` }],
  }
  expect(parseTokenList(listOf(token, { ...token, address: other }), 'a list', own, log)).toMatchObject([
    { address: other.toLowerCase() },
  ])
})

it.each([
  [
    'a wrong checksum',
    { ...token, address: one.replace('EE7', 'Ee7') },
    'ONE 0 (0x5290',
    'address has a wrong checksum',
  ],
  ['no address', { ...token, address: 'one' }, 'ONE 0 (one)', 'address is not an address'],
  ['no decimals', { ...token, decimals: undefined }, 'ONE 0', 'decimals'],
  ['too many decimals', { ...token, decimals: 256 }, 'ONE 0', 'decimals'],
  ['no symbol', { ...token, symbol: '' }, ' 0 (0x5290', 'symbol'],
  ['no chain', { ...token, chainId: '31337' }, 'ONE 0', 'chainId'],
  ['nothing at all', null, 'entry 0', ''],
])('omits an entry that has %s, and names it', (_name, entry, named, fault) => {
  expect(parse(entry, { ...token, address: other })).toMatchObject([{ address: other.toLowerCase() }])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(named)
  expect(warnings[0]).toContain(fault)
  expect(warnings[0]).toContain('1 listed tokens are left out')
})

it('truncates names and removes invisible characters', () => {
  const long = { ...token, symbol: `\u202eO\nNE${'!'.repeat(100)}`, name: `\u0007${'One '.repeat(100)}` }
  const [listed] = parse(long)
  expect(listed).toMatchObject({ symbol: `ONE${'!'.repeat(29)}`, name: 'One '.repeat(16).trim() })
  expect(parse({ ...token, symbol: '\u202e' })).toEqual([])
})

it('takes the first of two entries of one token', () => {
  const again = { ...token, address: one.toLowerCase(), decimals: 18 }
  expect(parse(token, again)).toMatchObject([{ decimals: 6 }])
  expect(warnings[0]).toContain('ONE 1')
  expect(warnings[0]).toContain('listed twice')
})

it('reads a file, and rejects one that is missing or not a token list', async () => {
  const file = join(folder, 'list.json')
  writeFileSync(file, JSON.stringify(listOf(token)))
  expect(await loadTokenList(file, config, log)).toHaveLength(1)
  writeFileSync(file, '{"tokens": 1}')
  await expect(loadTokenList(file, config, log)).rejects.toThrow(`${file} is not a token list. name`)
  writeFileSync(file, '{')
  await expect(loadTokenList(file, config, log)).rejects.toThrow(`The token list ${file} is not JSON.`)
  await expect(loadTokenList(`${file}.gone`, config, log)).rejects.toThrow('cannot be read (ENOENT)')
})

it('reads a URL, and returns no tokens when the response is missing or invalid', async () => {
  expect(await loadTokenList(`${url}/list`, config, log, 60_000)).toHaveLength(1)
  expect(warnings).toEqual([])
  for (const path of ['/page', '/gone']) {
    expect(await loadTokenList(`${url}${path}`, config, log, 60_000)).toEqual([])
  }
  expect(await loadTokenList('http://127.0.0.1:1/list', config, log)).toEqual([])
  expect(warnings).toHaveLength(3)
  expect(warnings[1]).toContain('HTTP 404')
  expect(warnings[2]).toContain('only the config’s tokens are listed')
})

it('stops reading a URL after a timeout', async () => {
  expect(await loadTokenList(`${url}/endless`, config, log, 100)).toEqual([])
  expect(warnings[0]).toContain('timeout')
})
