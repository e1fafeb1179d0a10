import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptReplacement, replacementAt } from '../../../src/domain/activity/replacement.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError, type WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { formatError } from '../../../src/ui/messages/errors/errors.ts'
import { wrapKey } from '../../../src/vault/password.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { hurryPolls } from '../../helpers/background/fastPolls.ts'
import {
  begin,
  onDisk,
  openBrowser,
  photograph,
  plant,
  setGate,
  wallet,
} from '../../helpers/background/popup.ts'
import { accept, dataKey, key, pause, until, useStage } from '../../helpers/background/worker.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Chromium's error; everything else is real.

const full = () => Promise.reject(new Error('Resource::kQuotaBytes quota exceeded'))

hurryPolls()

const stage = useStage()
let account: Address
let putBack: () => Promise<void>
let empty: () => Promise<void>
/** Sent before it was stored. */
let unstored: string[]

beforeAll(async () => {
  openBrowser()
  empty = await photograph()
  start()
  await wallet.create(key, await newSecret(12))
  await wallet.saveSettings({ networks: [stage.network] })
  account = await firstAccount()
  await stage.localnet.fund(account)
  await stage.service.engine.refresh()
  putBack = await photograph()
})
afterAll(openBrowser)

function start(): void {
  unstored = []
  begin((chain: Chain) => ({
    ...chain,
    async send(raw) {
      if (!JSON.stringify(await onDisk()).includes(raw)) unstored.push(raw)
      return chain.send(raw)
    },
  }))
}

async function firstAccount(): Promise<Address> {
  const status = await wallet.status()
  if (status.vault !== 'unlocked') throw new Error('The wallet is locked.')
  return status.accounts[0]!.address
}

type Act = {
  from?: () => Promise<void>
  /** Returns the user's press, repeatable. */
  ready(): Promise<() => Promise<unknown>>
  took(): Promise<void>
}

const id = 'ab'.repeat(16)
const friend: Address = `0x${'f1'.repeat(20)}`
const held = (token: Address, owner: Address) =>
  token === nativeTokenAddress
    ? stage.localnet.client.getBalance({ address: owner })
    : stage.localnet.client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner],
      })

let before: { nonce: number; friend: bigint }

async function look() {
  const nonce = await stage.localnet.client.getTransactionCount({ address: account })
  return { nonce, friend: await held(stage.localnet.tokens.DAI, friend) }
}

async function over() {
  return until(async () => {
    const [one] = [...(await wallet.swaps()), ...(await wallet.callBatches())]
    return one && one.outcome.status !== 'working' ? one : undefined
  }, 'it to be over')
}

function transfer(amount: bigint) {
  return transferAsk(stage.localnet.tokens.DAI, amount)
}

function transferAsk(token: Address, amount: bigint) {
  return { id, feeCap: 10n ** 18n, chainId: 31337, account, token, to: friend, amount }
}

async function transferred(amount: bigint): Promise<void> {
  expect((await over()).outcome.status).toBe('done')
  const now = await look()
  expect(now).toEqual({ nonce: before.nonce + 1, friend: before.friend + amount })
}

const acts: Record<string, Act> = {
  create: {
    from: () => empty(),
    async ready() {
      const secret = await newSecret(12)
      return () => wallet.create(key, secret)
    },
    async took() {
      expect(await wallet.status()).toMatchObject({ vault: 'unlocked', accounts: [{ name: 'Account 1' }] })
    },
  },
  unlock: {
    async ready() {
      await wallet.lock()
      return () => wallet.unlock(dataKey)
    },
    async took() {
      expect(await firstAccount()).toBe(account)
    },
  },
  rewrap: {
    async ready() {
      const changed = await wrapKey('another password', dataKey, key.wrap.vaultId)
      return () => wallet.changeWrappedKey(changed)
    },
    async took() {
      expect(await wallet.wrappedKey()).not.toEqual(key.wrap)
      await wallet.lock()
      await wallet.unlock(dataKey)
    },
  },
  addAccount: {
    ready: async () => () => wallet.addAccount(),
    async took() {
      const status = await wallet.status()
      expect(status.vault === 'unlocked' && status.accounts.map(({ name }) => name)).toEqual([
        'Account 1',
        'Account 2',
      ])
    },
  },
  saveSettings: {
    ready: async () => () => wallet.saveSettings({ slippageBps: 77, autoLockMinutes: 5 }),
    async took() {
      expect(await wallet.settings()).toMatchObject({ slippageBps: 77, autoLockMinutes: 5 })
    },
  },
  send: {
    ready: async () => () => wallet.send(transfer(7n)),
    took: () => transferred(7n),
  },
  swap: {
    async ready() {
      const { DAI, USDC } = stage.localnet.tokens
      const trade = { chainId: 31337, sell: DAI, buy: USDC, amount: 10n ** 18n }
      const review = await wallet.review({ id, trade, slippageBps: 50, account })
      const intent = accept(account, trade, review)
      return () => wallet.swap(intent)
    },
    async took() {
      const { outcome, steps } = await over()
      expect([outcome.status, steps.length]).toEqual(['done', 2])
      expect((await look()).nonce).toBe(before.nonce + 2)
    },
  },
  replace: {
    async ready() {
      await stage.stopMining()
      await wallet.send(transfer(7n))
      await until(
        async () => (await wallet.callBatch(id))?.steps[0]?.state === 'sent' || undefined,
        'it to wait',
      )
      const offer = await wallet.replacement(id, 'faster')
      const ask = {
        id,
        wish: 'faster',
        ...acceptReplacement(offer, replacementAt(offer, 'fast')),
      } as const
      return () => wallet.replace(ask)
    },
    async took() {
      expect((await wallet.callBatch(id))?.steps[0]?.rivals).toHaveLength(2)
      await stage.startMining()
      await transferred(7n)
    },
  },
}

/** Without parts that may change. */
async function state() {
  const { wrongPasswords: _, ...rest } = await onDisk()
  return Object.fromEntries(Object.entries(rest).filter(([key]) => !isList(key)))
}

const isList = (key: string) => key.startsWith('tokens.')

describe('full storage', () => {
  const cases = Object.keys(acts).flatMap((name) => [false, true].map((lasting) => ({ name, lasting })))

  it.each(cases)(
    'reports a failed write at any point of $name and changes nothing (all later writes fail: $lasting)',
    async ({ name, lasting }) => {
      const { from = putBack, ready, took } = acts[name]!
      for (let nth = 1; ; nth++) {
        await from()
        start()
        const press = await ready()
        before = await look()
        const old = await state()
        let writes = 0
        setGate((operation, perform) => {
          if (operation !== 'local.set') return perform()
          writes++
          return writes === nth || (lasting && writes > nth) ? full() : perform()
        })
        const refusal = await press().then(() => undefined, toWalletError)
        if (refusal !== undefined) {
          isClear(refusal)
          expect([nth, await state()]).toEqual([nth, old])
          expect(await wallet.status()).toMatchObject({ vault: name === 'create' ? 'none' : 'unlocked' })
          expect(await wallet.settings()).toMatchObject({ autoLockMinutes: 15 })
        }
        if (lasting) await pause(60)
        setGate()
        if (refusal !== undefined) await press()
        await took()
        expect(unstored).toEqual([])
        if (writes < nth) break
      }
    },
  )
})

describe('storage full of token lists', () => {
  const list = { service: 'http://127.0.0.1:1', at: 0, tokens: [] }
  const lists = { 'tokens.1': list, 'tokens.8453': list }
  const listsOf = (items: object) => Object.keys(items).filter(isList)
  /** Fails while any list is stored. */
  const refuseWhileListed = () =>
    setGate(async (operation, perform) =>
      operation === 'local.set' && listsOf(await onDisk()).length > 0 ? full() : perform(),
    )

  it.each(Object.keys(acts))('evicts token lists to make room for %s', async (name) => {
    const { from = putBack, ready, took } = acts[name]!
    await from()
    start()
    const press = await ready()
    before = await look()
    await plant('local', lists)
    const old = await state()
    refuseWhileListed()
    await press()
    setGate()
    expect(listsOf(await onDisk())).toEqual([])
    expect(Object.keys(await state())).toEqual(expect.arrayContaining(Object.keys(old)))
    await took()
    expect(unstored).toEqual([])
  })

  it('reports storage that stays full, and keeps all records except token lists', async () => {
    await putBack()
    start()
    await plant('local', lists)
    const old = await state()
    setGate((operation, perform) => (operation === 'local.set' ? full() : perform()))
    isClear(await wallet.send(transfer(7n)).then(() => expect.fail('was stored'), toWalletError))
    setGate()
    expect(await state()).toEqual(old)
  })

  it('does not evict token lists to store another list', async () => {
    await putBack()
    start()
    await plant('local', lists)
    const { tokens } = stage.localnet
    setGate((operation, perform) => (operation === 'local.set' ? full() : perform()))
    expect((await wallet.tokens(31337)).map(({ address }) => address)).toContain(tokens.DAI)
    setGate()
    expect(await onDisk()).toMatchObject(lists)
  })
})

function isClear(error: WalletError): void {
  expect(error).toMatchObject({
    code: 'storage-failed',
    message: expect.stringMatching(/^The browser could not write (its storage|the vault|the session)\.$/),
  })
  expect(formatError(error).what).toBe('The browser couldn’t save the change.')
}
