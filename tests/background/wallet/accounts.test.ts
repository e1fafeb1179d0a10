import { beforeEach, describe, expect, it } from 'vitest'
import type { Decision } from '../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { ReviewRequest, Status, WalletApi } from '../../../src/protocol.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { dataKey, key } from '../../helpers/background/worker.ts'
import { createWalletStage, open, site, stranger, type WalletStage } from './walletStage.ts'

const trade = { chainId: 1, sell: nativeTokenAddress, buy: stranger, amount: 4n }

let stage: WalletStage
let wallet: WalletApi
let account: Address
let calls: unknown[][]
let told: Status[]

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet, account, calls, told } = stage)
})

describe('addAccount', () => {
  it('adds an account and notifies the views', async () => {
    const added = await wallet.addAccount()
    expect(added).toMatchObject({ name: 'Account 2' })
    expect(told.at(-1)).toMatchObject({ accounts: [{ address: account, name: 'Account 1' }, added] })
    await wallet.updateSite(site([added.address]))
    expect(calls).toEqual([['change', site([added.address])]])
  })
})

describe('account management', () => {
  const lone = `0x${'11'.repeat(32)}` as const
  const state = async () => {
    const status = await wallet.status()
    if (status.vault !== 'unlocked') throw new Error('It is locked.')
    return status
  }

  it('notifies views once after each change of the accounts', async () => {
    const [{ id }] = (await state()).seeds as [{ id: string; backedUp: boolean }]
    const imported = await wallet.addKey(lone)
    await wallet.addWatchOnly(stranger)
    const derived = await wallet.addAccount(id)
    const phrase = await wallet.addSeed(await newSecret(12))
    const changes = [
      () => wallet.changeAccount(imported.address, { name: 'Savings' }),
      () => wallet.changeAccount(derived.address, { isHidden: true }),
      () => wallet.reorderAccounts([stranger, derived.address, imported.address, account, phrase.address]),
      () => wallet.confirmBackup(id),
      () => wallet.removeAccount(stranger),
    ]
    for (const change of changes) {
      const before = told.length
      await change()
      expect(told.slice(before)).toEqual([await wallet.status()])
    }
    expect(await state()).toMatchObject({
      accounts: [
        { address: derived.address, kind: 'seed', secret: id, isHidden: true },
        { address: imported.address, kind: 'key', name: 'Savings', isHidden: false },
        { address: account, kind: 'seed' },
        { address: phrase.address, kind: 'seed' },
      ],
      seeds: [{ id, backedUp: true }, { backedUp: false }],
      backedUp: false,
    })
    await wallet.removeSeed((await state()).seeds[1]!.id)
    expect(await state()).toMatchObject({ seeds: [{ id }], backedUp: true })
  })

  it('rejects site connections to hidden and watch-only accounts', async () => {
    const hidden = (await wallet.addAccount()).address
    await wallet.changeAccount(hidden, { isHidden: true })
    await wallet.addWatchOnly(stranger)
    for (const one of [hidden, stranger]) {
      const decision: Decision = { kind: 'connect', accounts: [account, one], chainId: 1 }
      await expect(wallet.approve(open.id, decision)).rejects.toMatchObject({ code: 'invalid-input' })
      await expect(wallet.updateSite(site([one]))).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(calls).toEqual([])
  })

  it('rejects reviews and revocation fee requests for watch-only accounts', async () => {
    await wallet.addWatchOnly(stranger)
    const ask: ReviewRequest = { id: 'ab'.repeat(16), trade, account: stranger, slippageBps: 50 }
    const watchOnly = { code: 'watch-only' }
    await expect(wallet.review(ask)).rejects.toMatchObject(watchOnly)
    const permission = { chainId: 1, account: stranger, token: stranger, spender: stranger }
    await expect(wallet.revokeFee(permission)).rejects.toMatchObject(watchOnly)
    expect(calls).toEqual([])
  })

  it('deletes past totals with their account or phrase, and keeps those of others', async () => {
    const [{ id }] = (await state()).seeds as [{ id: string; backedUp: boolean }]
    const { address: lonely } = await wallet.addKey(lone)
    const { address: second } = await wallet.addPhrase(await newSecret(12))
    for (const one of [account, lonely, second]) await wallet.addSnapshot(one, 7n, [1])
    const stored = () => [...stage.items.keys()].filter((key) => key.startsWith('snapshots.'))
    await wallet.removeAccount(lonely)
    expect(stored().toSorted()).toEqual([`snapshots.${account}`, `snapshots.${second}`].toSorted())
    await wallet.removeSeed(id)
    expect(stored()).toEqual([`snapshots.${second}`])
    expect(await wallet.snapshots(second)).toMatchObject([{ usd: 7n, chains: [1] }])
  })

  it('stores no totals of strangers, and rejects malformed ones', async () => {
    const refused = { code: 'invalid-input' }
    await expect(wallet.addSnapshot(stranger, 7n, [1])).rejects.toMatchObject(refused)
    await expect(wallet.snapshots(stranger)).rejects.toMatchObject(refused)
    await expect(wallet.addSnapshot(account, -1n, [1])).rejects.toMatchObject(refused)
    await expect(wallet.addSnapshot(account, 7n, [1.5])).rejects.toMatchObject(refused)
    expect(await wallet.snapshots(account)).toEqual([])
  })

  it('rejects malformed arguments of account methods', async () => {
    const odd = [undefined, null, 7, '', '0x', {}, []] as never[]
    for (const one of odd) {
      for (const change of [
        () => wallet.addKey(one),
        () => wallet.addWatchOnly(one),
        () => wallet.addPhrase(one),
        () => wallet.changeAccount(one, { name: 'Me' }),
        () => wallet.changeAccount(account, { name: typeof one === 'string' ? '' : (one ?? ('' as never)) }),
        () => wallet.removeAccount(one),
        () => wallet.removeSeed(one),
        () => wallet.revealKey(dataKey, one),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'invalid-input' })
      }
    }
    expect((await state()).accounts).toMatchObject([{ address: account, name: 'Account 1' }])
  })

  it('names the invalid field in validation errors', async () => {
    const odd = (value: unknown) => value as never
    const blank = { toString: null }
    const refused: [() => Promise<unknown>, RegExp][] = [
      [() => wallet.changeAccount(account, odd(undefined)), /this change\. change: .*Object/],
      [() => wallet.changeAccount(account, odd('Me')), /this change\. change: .*Object/],
      [() => wallet.changeAccount(account, odd({ name: 7 })), /this change\. name: .*string/],
      [() => wallet.changeAccount(account, odd({ isHidden: 'yes' })), /this change\. isHidden: .*boolean/],
      [() => wallet.changeAccount(odd(blank), {}), /this account\. account: is not a lower-case address/],
      [() => wallet.reorderAccounts(odd(null)), /this order\. order: .*Array/],
      [() => wallet.reorderAccounts(odd(5)), /this order\. order: .*Array/],
      [() => wallet.reorderAccounts(odd([account, blank])), /this order\. 1: is not a lower-case address/],
      [() => wallet.removeAccount(odd(blank)), /this account\. account: is not a lower-case address/],
      [() => wallet.revealKey(dataKey, odd(blank)), /this account\. account: is not a lower-case address/],
      [() => wallet.removeSeed(odd(blank)), /this phrase\. phrase: .*string/],
      [() => wallet.removeSeed(odd(undefined)), /this phrase\. phrase: .*string/],
      [() => wallet.addAccount(odd(blank)), /this phrase\. phrase: .*string/],
      [() => wallet.confirmBackup(odd(7)), /this phrase\. phrase: .*string/],
      [() => wallet.reveal(dataKey, odd(7)), /this phrase\. phrase: .*string/],
    ]
    for (const [ask, words] of refused) {
      await expect(ask()).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringMatching(words),
      })
    }
    expect((await state()).accounts).toMatchObject([{ address: account, name: 'Account 1', isHidden: false }])
  })

  it('uses the first seed phrase when the phrase argument is null', async () => {
    expect(await wallet.addAccount(null as never)).toMatchObject({ name: 'Account 2' })
    await wallet.confirmBackup(null as never)
    expect(await state()).toMatchObject({ backedUp: true })
    expect(await wallet.reveal(dataKey, null as never)).toMatch(/^0x/)
  })

  it('reveals a private key only with the right password', async () => {
    const imported = await wallet.addKey(lone)
    expect(await wallet.revealKey(dataKey, imported.address)).toBe(lone)
    const wrong = Buffer.alloc(32, 9).toString('base64')
    await expect(wallet.revealKey(wrong, imported.address)).rejects.toMatchObject({ code: 'wrong-password' })
  })

  it('locks even when the settings and the vault cannot be read', async () => {
    stage.isDiskBroken = true
    await wallet.lock()
    expect(told.at(-1)).toEqual({ vault: 'locked' })
    stage.isDiskBroken = false
    expect(await wallet.status()).toEqual({ vault: 'locked' })
  })

  it('removes all accounts on reset, locked or unlocked, and notifies the views', async () => {
    await wallet.lock()
    await wallet.reset()
    expect(told.at(-1)).toEqual({ vault: 'none' })
    await wallet.importKey(key, lone)
    expect(await state()).toMatchObject({ accounts: [{ kind: 'key' }], seeds: [], backedUp: true })
    await wallet.reset()
    await wallet.importWatchOnly(key, stranger)
    expect(await state()).toMatchObject({ accounts: [{ address: stranger, kind: 'watched' }] })
  })
})
