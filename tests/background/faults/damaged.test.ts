import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKinds } from '../../../src/domain/storageKeys.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError } from '../../../src/errors.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { hurryPolls } from '../../helpers/background/fastPolls.ts'
import {
  begin,
  inSession,
  onDisk,
  openBrowser,
  photograph,
  plant,
  setGate,
  wallet,
} from '../../helpers/background/popup.ts'
import { accept, key, until, useStage } from '../../helpers/background/worker.ts'
import { figure } from '../../helpers/figures.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

hurryPolls()

const stage = useStage()
let account: Address
let putBack: () => Promise<void>
let records: { area: 'local' | 'session'; key: string; value: unknown }[]

const friend: Address = `0x${'f1'.repeat(20)}`
const ids = ['a1', 'a2', 'a3'].map((byte) => byte.repeat(16))

beforeAll(async () => {
  openBrowser()
  begin()
  await wallet.create(key, await newSecret(12))
  await wallet.saveSettings({ networks: [stage.network], slippageBps: 77, autoLockMinutes: 30 })
  const status = await wallet.status()
  account = status.vault === 'unlocked' ? status.accounts[0]!.address : nativeTokenAddress
  await stage.localnet.fund(account)
  await stage.service.engine.refresh()
  const { DAI, USDC, USDT } = stage.localnet.tokens

  const trade = { chainId: 31337, sell: nativeTokenAddress, buy: USDC, amount: 10n ** 16n }
  const review = await wallet.review({ id: ids[0]!, trade, slippageBps: 50, account })
  const intent = accept(account, trade, review)
  await wallet.swap(intent)
  await until(
    async () => ((await wallet.swaps())[0]?.outcome.status === 'done' ? true : undefined),
    'the swap',
  )
  const transfer = { chainId: 31337, account, token: DAI, to: friend, amount: 5n, feeCap: 10n ** 18n }
  await wallet.send({ ...transfer, id: ids[1]! })
  await until(
    async () => ((await wallet.callBatch(ids[1]!))?.outcome.status === 'done' ? true : undefined),
    'the first',
  )
  await stage.stopMining()
  await wallet.send({ ...transfer, id: ids[2]! })
  await until(
    async () => ((await wallet.callBatch(ids[2]!))?.steps[0]?.state === 'sent' ? true : undefined),
    'the second',
  )

  await wallet.updateTokenPreferences(31337, { marked: [DAI], used: [USDC] })
  await wallet.saveDraft({ chainId: 31337, sell: DAI, buy: USDT, amount: '1', side: 'sell' })
  await wallet.unlock(Buffer.alloc(32, 9).toString('base64')).catch(() => undefined)
  const site = { origin: 'https://a.example', accounts: [account], chainId: 31337, connectedAt: 5 }
  await plant('local', { sites: [site] })
  await plant('session', { 'approval.1': 'x', 'document.1': 'x', 'approvals.window': 7 })
  await plant('local', {
    'assets.31337': [{ ...(await wallet.token(31337, DAI)), address: friend, origins: [''] }],
  })
  putBack = await photograph()
  records = [
    ...Object.entries(await onDisk()).map(([key, value]) => ({ area: 'local' as const, key, value })),
    ...Object.entries(await inSession()).map(([key, value]) => ({ area: 'session' as const, key, value })),
  ]
})
afterAll(openBrowser)

it('stores only record kinds whose sizes the diagnostics report', () => {
  const kinds = records.flatMap(({ area, key }) => (area === 'local' ? (key.split('.')[0] ?? '') : []))
  expect(kinds).toEqual(expect.arrayContaining(['vault', 'wrap', 'wrongPasswords', 'swap', 'calls']))
  expect(kinds.filter((kind) => !recordKinds.some((known) => known === kind))).toEqual([])
})

/** Errors count as answers, by code. */
async function readAll(except?: string): Promise<Record<string, unknown>> {
  const reads = {
    status: wallet.status,
    settings: wallet.settings,
    draft: wallet.draft,
    tokens: () => wallet.tokens(31337),
    tokenPreferences: () => wallet.tokenPreferences(31337),
    swaps: wallet.swaps,
    callBatches: wallet.callBatches,
    approvals: wallet.approvals,
    sites: wallet.sites,
  }
  const asked = Object.entries(reads).filter(([name]) => name !== except)
  const said = asked.map(async ([name, read]) => [
    name,
    await read().catch((error: unknown) => toWalletError(error).code),
  ])
  return Object.fromEntries(await Promise.all(said))
}

/** All other answers must not change. */
const answersOf: [RegExp, string[]][] = [
  [/^settings$/, ['settings', 'tokens', 'tokenPreferences', 'draft']],
  [/^swap\./, ['swaps']],
  [/^calls\./, ['callBatches']],
  [/^(favourites|recents)\./, ['tokenPreferences']],
  [/^tokens\./, ['tokenPreferences', 'tokens']],
  [/^assets\./, ['tokens']],
  [/^(draft|pairs)$/, ['draft']],
  [/^sites$/, ['sites']],
  [/^unlocked$/, ['status']],
]

function damagesOf(value: unknown): unknown[] {
  const text = JSON.stringify(value)
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const withField = (field: string, planted: unknown) => ({ ...(value as object), [field]: planted })
  return [
    ...[7, -1, '', 'x', true, [], {}, [null], [[]], { '#bigint': 'x' }, [{ '#bigint': '7' }]],
    ...[text, text.slice(0, text.length / 2), `${text}${text}`],
    halve(value),
    deep(),
    ...fields.flatMap((field) => [
      ...[7, 'x', [], { '#bigint': '1.5' }].map((planted) => withField(field, planted)),
      Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== field)),
    ]),
  ]
}

function halve(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, value.length / 2)
  if (Array.isArray(value)) return value.map(halve)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, halve(item)]))
}

function deep(): unknown {
  let value: unknown = 'x'
  for (let depth = 0; depth < 1_000; depth++) value = [value]
  return value
}

describe('damaged records', () => {
  it('starts the worker and leaves all other records unchanged, for damage to any kind of record', async () => {
    await putBack()
    begin()
    const whole = await readAll()
    expect(whole).toMatchObject({
      status: { vault: 'unlocked' },
      swaps: [{}],
      callBatches: [{}, {}],
      sites: [{}],
    })
    const kinds = records.map(({ key }) => key.replace(/\W.*/, ''))
    expect(new Set(kinds)).toEqual(
      new Set([
        ...['vault', 'wrap', 'settings', 'swap', 'calls', 'favourites', 'recents', 'tokens', 'assets'],
        ...['pairs', 'sites', 'wrongPasswords', 'draft', 'unlocked', 'approval', 'document', 'approvals'],
      ]),
    )
    let damages = 0
    for (const { area, key, value } of records) {
      const affected = answersOf.find(([pattern]) => pattern.test(key))?.[1] ?? []
      // The default settings' service gives no list.
      const skipped = key === 'settings' ? 'tokens' : undefined
      for (const damage of damagesOf(value)) {
        damages++
        await putBack()
        await plant(area, { [key]: damage })
        const before = await onDisk()
        const what = `${key} = ${JSON.stringify(damage).slice(0, 60)}`
        // Nothing is lost if repairs cannot be written.
        setGate((operation, perform) =>
          operation === 'local.set'
            ? Promise.reject(new Error('Resource::kQuotaBytes quota exceeded'))
            : perform(),
        )
        begin()
        const first = await readAll(skipped)
        setGate()
        begin()
        for (const answers of [first, await readAll(skipped)]) {
          for (const [name, answer] of Object.entries(answers)) {
            if (affected.includes(name))
              expect(typeof answer, `${what}: ${name} is ${answer}`).not.toBe('string')
            else expect([what, name, answer]).toEqual([what, name, whole[name]])
          }
        }
        const after = await onDisk()
        // Lists are fetched again.
        if (key.startsWith('tokens.')) before[key] = after[key]
        expect([what, after]).toEqual([what, { ...after, ...before }])
      }
    }
    const ofTheWhole = damagesOf('').length
    const ofEachField = damagesOf({ field: 1 }).length - ofTheWhole
    expect([ofTheWhole, ofEachField]).toEqual([16, 5])
    figure(
      '72',
      `${damages} damaged records, of ${new Set(kinds).size} kinds, each in ${ofTheWhole} ways and each of its fields in ${ofEachField}: the others stayed`,
    )
  })
})
