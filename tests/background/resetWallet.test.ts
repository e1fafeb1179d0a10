import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultSettings } from '../../src/config.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { hurryPolls } from '../helpers/background/fastPolls.ts'
import {
  begin,
  inSession,
  onDisk,
  openBrowser,
  openPage,
  photograph,
  plant,
  setGate,
  wallet,
} from '../helpers/background/popup.ts'
import { accepting } from '../helpers/background/sendStage.ts'
import { dataKey, key, pause, until, useStage } from '../helpers/background/worker.ts'

hurryPolls()

const stage = useStage()
let putBack: () => Promise<void>
const friend: Address = `0x${'f1'.repeat(20)}`
const id = 'a1'.repeat(16)
let account: Address
const kept = { language: 'de', theme: 'dark' } as const

beforeAll(async () => {
  openBrowser()
  begin()
  await wallet.create(key, await newSecret(12))
  await wallet.saveSettings({
    ...kept,
    networks: [stage.network],
    slippageBps: 77,
    contacts: [{ address: friend, name: 'Ann' }],
  })
  const status = await wallet.status()
  account = status.vault === 'unlocked' ? status.accounts[0]!.address : nativeTokenAddress
  await stage.localnet.fund(account)
  const { DAI, USDC } = stage.localnet.tokens
  await stage.stopMining()
  const transfer = {
    chainId: 31337,
    account,
    token: nativeTokenAddress,
    to: friend,
    amount: 5n,
    feeCap: 10n ** 18n,
  }
  await wallet.send({ ...transfer, id })
  await until(async () => (await wallet.callBatch(id))?.steps[0]?.state === 'sent' || undefined, 'it to wait')
  await wallet.updateTokenPreferences(31337, { marked: [DAI], used: [USDC] })
  await wallet.saveDraft({ chainId: 31337, sell: DAI, buy: USDC, amount: '1', side: 'sell' })
  await wallet.unlock(Buffer.alloc(32, 9).toString('base64')).catch(() => undefined)
  const site = { origin: 'https://a.example', accounts: [account], chainId: 31337, connectedAt: 5 }
  await plant('local', { sites: [site], 'sites.damaged': 'x', 'call-id.1': 'x' })
  await plant('session', { send: { to: 'bob.eth' } })
  putBack = await photograph()
})
afterAll(openBrowser)
beforeEach(async () => {
  await putBack()
  begin()
})

async function readAll() {
  const [status, swaps, sendings, sites, draft, picks] = await Promise.all([
    wallet.status(),
    wallet.swaps(),
    wallet.callBatches(),
    wallet.sites(),
    wallet.draft(),
    wallet.tokenPreferences(31337),
  ])
  return { status, swaps, sendings, sites, draft, picks }
}

const nothing = {
  status: { vault: 'none' },
  swaps: [],
  sendings: [],
  sites: [],
  draft: undefined,
  picks: { favourites: [], recents: [], listedAt: undefined },
}

describe('wallet reset', () => {
  it('leaves only default settings with the chosen language and theme', async () => {
    expect(await readAll()).toMatchObject({ sendings: [{}], sites: [{}], picks: { favourites: [{}] } })
    await wallet.reset()
    expect(Object.keys(await onDisk())).toEqual(['settings'])
    expect(await inSession()).toEqual({})
    expect(await wallet.settings()).toEqual({ ...defaultSettings(), ...kept })
    expect(await readAll()).toEqual(nothing)
  })

  it('discards pending transactions, whose records do not come back', async () => {
    await wallet.reset()
    await stage.localnet.client.mine({ blocks: 1 })
    // Longer than several polls.
    await pause(300)
    expect(Object.keys(await onDisk())).toEqual(['settings'])
    begin()
    expect(await readAll()).toEqual(nothing)
  })

  it('rejects dapp requests that wait for the user or for a transaction', async () => {
    setGate((operation, perform) => (operation === 'chain.send' ? new Promise(() => {}) : perform()))
    const answers = new Map<number, { error?: { code: string } }>()
    const page = openPage('https://a.example', (text) => {
      const message = JSON.parse(text)
      if (message.id !== undefined) answers.set(message.id, message)
    })
    const call = { from: account, to: friend, value: '0x1' }
    page.say(JSON.stringify({ id: 1, method: 'eth_sendTransaction', params: [call] }))
    const asked = await until(async () => (await wallet.approvals())[0], 'the transaction to be asked')
    await wallet.approve(asked.id, accepting(await wallet.previewCalls(asked.id)))
    page.say(JSON.stringify({ id: 2, method: 'personal_sign', params: ['0x48', account] }))
    await until(async () => (await wallet.approvals())[0], 'the signature to be asked')
    await wallet.reset()
    await until(async () => answers.size === 2 || undefined, `both answers, there were ${answers.size}`)
    expect([answers.get(1)?.error?.code, answers.get(2)?.error?.code]).toEqual(['not-connected', 'rejected'])
  })

  it('allows another wallet to be created', async () => {
    await wallet.reset()
    await wallet.create(key, await newSecret(12))
    expect(await wallet.status()).toMatchObject({ vault: 'unlocked' })
    expect(await readAll()).toMatchObject({ sendings: [], sites: [] })
  })

  it.each(['before', 'after'])(
    'deletes all or nothing when the worker stops %s any operation',
    async (when) => {
      for (let nth = 1; ; nth++) {
        await putBack()
        begin()
        await wallet.status()
        const before = Object.keys(await onDisk()).sort()
        let operations = 0
        const isAt = () => ++operations === nth
        const ended = new Promise<'stopped'>((stop) =>
          setGate(async (operation, perform) => {
            if (!operation.startsWith('local.') || !isAt()) return perform()
            if (when === 'after') await perform()
            stop('stopped')
            return new Promise(() => {})
          }),
        )
        const end = await Promise.race([wallet.reset().then(() => 'done' as const), ended])
        setGate()
        begin()
        const { vault } = await wallet.status()
        const there = Object.keys(await onDisk()).sort()
        if (vault === 'none') expect([nth, there.filter((one) => one !== 'settings')]).toEqual([nth, []])
        else {
          expect([nth, there]).toEqual([nth, before])
          await wallet.unlock(dataKey)
          expect(await readAll()).toMatchObject({ sendings: [{}], sites: [{}] })
        }
        if (end === 'done') break
      }
    },
  )
})
