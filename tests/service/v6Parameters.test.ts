import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../service/config.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { type Query, type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let running: Running
let ask: Running['ask']
let tokens: Running['localnet']['tokens']
let owner: Address

beforeAll(async () => {
  running = await startRunning()
  ask = running.ask
  tokens = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
})
afterAll(() => running.stop())

const nobody = `0x${'99'.repeat(20)}` as const
const trade = (): Query => ({ src: tokens.USDC, dst: tokens.WETH, amount: '1000000000' })
const swap = (): Query => ({ ...trade(), from: owner, origin: owner, slippage: '1', disableEstimate: 'true' })

const errorKeys = ['code', 'description', 'error', 'meta', 'requestId', 'statusCode']

describe('parameters', () => {
  const numbers = ['amount', 'fee', 'gasPrice', 'complexityLevel', 'parts', 'mainRouteParts', 'gasLimit']
  it.each([...numbers, 'slippage', 'minReturn'])('requires %s to be a number', async (name) => {
    const { status, body } = await ask('swap', { ...swap(), [name]: '1e1' })
    expect(status).toBe(400)
    expect(body.code).toBe('INVALID_NUMBER')
    expect(body.description).toContain(`${name} is not a`)
  })

  it.each(['src', 'dst', 'amount', 'from', 'origin'])('requires %s', async (name) => {
    const { body } = await ask('swap', { ...swap(), [name]: undefined })
    expect(body).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', description: `${name} is not set` })
  })

  it.each([
    ['amount', '0', 'VALIDATION_FAILED'],
    ['amount', String(2n ** 256n), 'VALIDATION_FAILED'],
    ['fee', '3.01', 'VALIDATION_FAILED'],
    ['fee', '-1', 'VALIDATION_FAILED'],
    ['complexityLevel', '3', 'VALIDATION_FAILED'],
    ['complexityLevel', '-1', 'VALIDATION_FAILED'],
    ['parts', '51', 'VALIDATION_FAILED'],
    ['parts', '-1', 'VALIDATION_FAILED'],
    ['mainRouteParts', '11', 'VALIDATION_FAILED'],
    ['mainRouteParts', '-1', 'VALIDATION_FAILED'],
    ['gasLimit', '99999', 'VALIDATION_FAILED'],
    ['gasLimit', '11500001', 'VALIDATION_FAILED'],
    ['connectorTokens', '6', 'VALIDATION_FAILED'],
    ['slippage', '50.01', 'SLIPPAGE_TOO_HIGH'],
    ['slippage', '-0.01', 'VALIDATION_FAILED'],
    ['permit', '0x00', 'VALIDATION_FAILED'],
    ['receiver', '0x00', 'VALIDATION_FAILED'],
    ['referrer', '0x00', 'VALIDATION_FAILED'],
    ['from', 'x', 'VALIDATION_FAILED'],
    ['origin', 'x', 'VALIDATION_FAILED'],
    ['permit', `0x${'00'.repeat(32 * 9)}`, 'VALIDATION_FAILED'],
    ...['includeTokensInfo', 'includeProtocols', 'includeGas', 'allowPartialFill', 'compatibility'].map(
      notFlag,
    ),
    ...['disableEstimate', 'usePatching', 'usePermit2', 'forceApprove', 'createAccessList'].map(notFlag),
  ])('rejects %s with the value "%s"', async (name, value, code) => {
    const { status, body } = await ask('swap', { ...swap(), [name]: value })
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect(body.description).toContain(name)
  })

  it.each([
    ['fee', ['0', '3']],
    ['gasPrice', ['1', '10000000000000']],
    ['complexityLevel', ['0', '1', '2']],
    ['parts', ['0', '1', '50']],
    ['mainRouteParts', ['0', '1', '10']],
    ['gasLimit', ['250000', '11500000']],
    ['connectorTokens', ['0', '5']],
    ['slippage', ['0', '0.3333', '50']],
    ['allowPartialFill', ['true', 'false']],
    ['usePermit2', ['true', 'false']],
    ['usePatching', ['true', 'false']],
    ['compatibility', ['true', 'false']],
  ])('accepts %s with each of %j', async (name, values) => {
    for (const value of values) {
      const { status } = await ask('swap', { ...swap(), referrer: nobody, [name]: value })
      expect(status).toBe(200)
    }
  })

  it('rejects repeated parameters and ignores unknown ones', async () => {
    const root = `/v6.1/31337/quote?src=${tokens.USDC}&dst=${tokens.WETH}`
    const twice = await running.request(`${root}&amount=1000000&amount=1000000`)
    expect(twice.body).toMatchObject({ code: 'VALIDATION_FAILED', description: 'amount is given twice' })
    const unknown = await running.request(`${root}&amount=1000000&color=red&color=blue&slippage=99`)
    expect(unknown.status).toBe(200)
  })

  it('requires a Permit2 permit with usePermit2, and a permit of the token without it', async () => {
    const permit = (words: number) => `0x${'00'.repeat(32 * words)}`
    for (const [words, usePermit2, fault] of [
      [7, 'false', undefined],
      [8, undefined, undefined],
      [12, 'true', undefined],
      [12, 'false', 'permit of 12 words needs usePermit2=true'],
      [12, undefined, 'permit of 12 words needs usePermit2=true'],
      [7, 'true', 'permit must have 12 words with usePermit2=true'],
      [8, 'true', 'permit must have 12 words with usePermit2=true'],
    ] as const) {
      const { status, body } = await ask('swap', { ...swap(), permit: permit(words), usePermit2 })
      expect(status).toBe(fault === undefined ? 200 : 400)
      if (fault !== undefined) expect(body).toMatchObject({ code: 'VALIDATION_FAILED', description: fault })
    }
  })

  it('requires exactly one of slippage and minReturn', async () => {
    const both = {
      code: 'VALIDATION_FAILED',
      description: 'exactly one of slippage and minReturn must be set',
    }
    expect((await ask('swap', { ...swap(), minReturn: '1' })).body).toMatchObject(both)
    expect((await ask('swap', { ...swap(), slippage: undefined })).body).toMatchObject(both)
  })
})

it('answers random queries with a result or a 400 error of the standard schema', async () => {
  const value = fc.oneof(
    fc.constantFrom(
      ...Object.values(tokens),
      nativeTokenAddress,
      nobody,
      owner,
      running.localnet.contracts.v2Factory,
    ),
    fc.constantFrom(
      '0',
      '1',
      '5',
      '1000000',
      '1000000000000000000',
      '100000',
      '1e18',
      '-1',
      '0.5',
      'true',
      'false',
      '',
    ),
    fc.constantFrom(
      `0x${'00'.repeat(224)}`,
      `0x${'ff'.repeat(256)}`,
      `0x${'00'.repeat(384)}`,
      'UNISWAP_V2',
      'UNISWAP_V3,WETH',
      `0x${'00'.repeat(20)}`,
    ),
    fc.bigInt(0n, 2n ** 257n).map(String),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  const flags = [
    'allowPartialFill',
    'usePermit2',
    'compatibility',
    'disableEstimate',
    'forceApprove',
    'createAccessList',
    'usePatching',
    'includeTokensInfo',
  ]
  const names = [
    'src',
    'dst',
    'amount',
    'from',
    'origin',
    'slippage',
    'minReturn',
    'fee',
    'referrer',
    'receiver',
    'permit',
    'protocols',
    'excludedProtocols',
    'gasPrice',
    'gasLimit',
    'parts',
    'connectorTokens',
    'tokenAddress',
    'walletAddress',
    ...flags,
  ]
  const operation = fc.constantFrom('quote', 'swap', 'approve/transaction', 'approve/allowance', 'tokens')
  // A valid base lets many reach the router.
  const fault = fc.dictionary(fc.constantFrom(...names), fc.option(value, { nil: undefined }), { maxKeys: 5 })

  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(operation, fc.boolean(), fault, async (name, estimated, change) => {
      const good = estimated ? { ...swap(), disableEstimate: undefined } : swap()
      const { status, body } = await ask(name, { ...good, ...change })
      statuses.add(status)
      if (status === 200) return
      expect(status).toBe(400)
      expect(Object.keys(body).sort()).toEqual(errorKeys)
      expect(body).toMatchObject({ error: 'Bad Request', statusCode: 400, requestId: expect.any(String) })
    }),
    { numRuns: 500, seed: 1 },
  )
  expect(statuses).toEqual(new Set([200, 400]))
})

function notFlag(name: string): [string, string, string] {
  return [name, 'yes', 'VALIDATION_FAILED']
}
