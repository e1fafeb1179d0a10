import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { versions } from '../../service/api/versions.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { runs } from '../helpers/runs.ts'
import { type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('Many cases are drawn at random.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.stop())

/** Weighted by the number of parameters. */
const operations = versions.flatMap(({ label, operations }) =>
  operations.map(({ path, query }) => {
    const missing = query.safeParse({}).error?.issues.map(({ path }) => path[0])
    const keys = Object.keys(query.shape).map((key) => {
      return { key, isNeeded: key === 'slippage' || missing?.includes(key) === true }
    })
    return { label, path, keys, weight: 20 + keys.length }
  }),
)

function plausible(key: string): fc.Arbitrary<string> {
  const { tokens, accounts, config } = running.localnet
  const wallets = [accounts[0]!.address, accounts[1]!.address, `0x${'99'.repeat(20)}`]
  const ids = ['WETH', 'UNISWAP_V2', 'UNISWAP_V3', 'UNISWAP_V2,WETH', 'UNISWAP_V3,UNISWAP_V3']
  if (/^(src|dst|.*TokenAddress|tokenAddress)$/.test(key)) {
    return fc.constantFrom(
      nativeTokenAddress,
      ...Object.values(tokens),
      config.wrapped,
      config.multicall,
      wallets[2]!,
    )
  }
  if (/^(from|origin|receiver|referrer|walletAddress|fromAddress|destReceiver|referrerAddress)$/.test(key)) {
    return fc.constantFrom(...wallets, config.router)
  }
  if (key === 'permit')
    return fc.constantFrom(7, 8, 12).map((words) => `0x${'0'.repeat(63)}1`.padEnd(2 + words * 64, '0'))
  if (/^(protocols|excludedProtocols)$/.test(key)) return fc.constantFrom(...ids)
  if (key === 'connectorTokens') return fc.constantFrom('2', tokens.DAI, `${tokens.DAI},${tokens.WETH}`)
  if (/^(slippage|fee)$/.test(key)) return fc.constantFrom('0', '0.5', '1', '3', '0.0001')
  if (/amount|minReturn|gasPrice/i.test(key)) {
    return fc.oneof(
      { weight: 20, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 12n }).map(String) },
      { weight: 9, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 19n }).map(String) },
      { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 257n }).map(String) },
    )
  }
  if (/^(parts|mainRouteParts|complexityLevel|gasLimit)$/.test(key)) {
    return key === 'gasLimit'
      ? fc.constantFrom('100000', '300000', '11500000')
      : fc.constantFrom('0', '1', '2', '10')
  }
  return fc.constantFrom('true', 'false')
}

const nonsense = fc.oneof(
  fc.string({ unit: 'binary' }).map(encodeURIComponent),
  fc.string().map((text) => text.replaceAll('#', '%23')),
  fc.constantFrom(
    '',
    '%',
    '%00',
    '%zz',
    '%ff%fe',
    '1e18',
    '0x10',
    ' 1',
    '01',
    'NaN',
    '__proto__',
    '[]',
    '+1',
  ),
  fc.integer({ min: 100, max: 12_000 }).map((length) => '9'.repeat(length)),
)

function question(): fc.Arbitrary<string> {
  const { chainId } = running.localnet
  const operation = fc.oneof(
    ...operations.map((one) => ({ weight: one.weight, arbitrary: fc.constant(one) })),
  )
  return operation.chain(({ label, path, keys }) => {
    const fitting = keys.map(({ key, isNeeded }) => {
      const value = fc.oneof({ weight: 40, arbitrary: plausible(key) }, { weight: 1, arbitrary: nonsense })
      const pair = value.map((text) => `${key}=${text}`)
      return isNeeded
        ? fc.option(pair, { freq: 60 })
        : fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, pair)
    })
    const stray = fc
      .tuple(fc.oneof(nonsense, fc.constantFrom('x', ...keys.map(({ key }) => key))), nonsense)
      .map(([key, value]) => `${key}=${value}`)
    const strays = fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(stray, { maxLength: 3 }))
    const segment = fc.constantFrom('WETH', 'NOPE', '%ff', '%00')
    return fc.tuple(fc.tuple(...fitting), strays, segment).map(([given, more, id]) => {
      const query = [...given.filter((pair) => pair !== null), ...more].join('&')
      return `/${label}/${chainId}${path.replace(/\{\w+\}/, id)}?${query}`
    })
  })
}

it('answers random requests with status 200, 400 or 404 and without internal details', async () => {
  const asked = new Map<string, number>()
  const many = fc.array(fc.noBias(question()), { minLength: 25, maxLength: 25 })
  const property = fc.asyncProperty(many, async (paths) => {
    const answers = await Promise.all(paths.map((path) => running.request(path)))
    for (const { status, body } of answers) {
      const code = body.code ?? (body.tx === undefined ? 'OK' : 'SWAP')
      asked.set(code, (asked.get(code) ?? 0) + 1)
      expect([200, 400, 404]).toContain(status)
      expect(JSON.stringify(body)).not.toMatch(/\.ts:\d|node_modules|127\.0\.0\.1/)
    }
  })
  await fc.assert(property, { numRuns: runs(50, 200), seed: 1 })
  expect([...asked.values()].reduce((sum, times) => sum + times)).toBeGreaterThanOrEqual(runs(1_250, 5_000))
  for (const code of ['OK', 'SWAP', 'NOT_ENOUGH_ALLOWANCE', 'INSUFFICIENT_LIQUIDITY', 'NOT_FOUND']) {
    expect(asked.get(code) ?? 0, code).toBeGreaterThan(0)
  }
}, 600_000)
