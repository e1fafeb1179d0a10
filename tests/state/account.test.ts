import { describe, expect, it, vi } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import type { NewKey, OwnAccount, Status, WalletApi, WrappedKey } from '../../src/protocol.ts'
import { createAccount, type KeyCrypto } from '../../src/state/account.ts'
import type { Clock } from '../../src/state/clock.ts'
import { pending, standInWallet } from '../helpers/state/fakes.ts'

const own = { kind: 'seed', secret: '0x01', path: 'm', isHidden: false } as const
const account = { address: `0x${'1'.repeat(40)}`, name: 'Account 1', ...own } as const
const second = { address: `0x${'2'.repeat(40)}`, name: 'Account 2', ...own } as const
const seeds = [{ id: '0x01', backedUp: false }]
const open: Status = { vault: 'unlocked', accounts: [account], seeds, backedUp: false }
const wrap: WrappedKey = {
  version: 1,
  vaultId: '0x01',
  kdf: { name: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1, salt: '0x02' },
  iv: '0x03',
  sealed: '0x04',
}
const key: NewKey = { dataKey: 'key', wrap }
const secret = { entropy: '0x0e', seed: '0x5e' } as const

const keys: KeyCrypto = {
  strength: async () => ({ score: 4, accepted: true }),
  createKey: async () => key,
  tryWrap: async (_wrap, password) => (password === 'right' ? 'key' : 'another key'),
  changePassword: async (_wrap, password, dataKey) => ({
    dataKey,
    wrap: { ...wrap, vaultId: `0x${password}` },
  }),
  upgrade: async () => undefined,
  newSecret: async () => secret,
  async readPhrase(phrase) {
    if (phrase !== 'word word word') throw new WalletError('invalid-input', 'Not a phrase.')
    return secret
  },
  showPhrase: async (entropy) => (entropy === secret.entropy ? 'word word word' : ''),
  unknownWords: async () => [],
  splitPhrase: async (text) => text.split(' '),
  suggestWords: async () => [],
  readPrivateKey: async () => '0x0c',
  addressOf: async () => second.address,
  openKeystore: async () => '0x0c',
}

const hurried: Clock = {
  now: () => 0,
  after(_ms, action) {
    queueMicrotask(action)
    return () => {}
  },
}

async function judge(dataKey: string): Promise<void> {
  if (dataKey !== 'key') throw new WalletError('wrong-password', 'Not the password.')
}

function store(methods: Partial<WalletApi>, more: Partial<KeyCrypto> = {}) {
  const wallet = standInWallet({ wrappedKey: async () => wrap, ...methods })
  return createAccount(wallet, { ...keys, ...more }, hurried)
}

describe('loading', () => {
  it('shows the vault status that the worker reports', async () => {
    for (const [status, step] of [
      [{ vault: 'none' }, 'welcome'],
      [{ vault: 'locked' }, 'locked'],
      [open, 'open'],
    ] as const) {
      const one = store({ status: async () => status })
      await one.load()
      expect(one.getState().step).toBe(step)
    }
  })

  it('keeps the error when the worker does not answer', async () => {
    const one = store({ status: () => Promise.reject(new WalletError('worker-stopped', 'Stopped.')) })
    await one.load()
    expect(one.getState()).toMatchObject({ step: 'failed', error: { code: 'worker-stopped' } })
  })
})

describe('a worker that stops during a call', () => {
  it('repeats status, confirmBackup and lock after the worker stopped', async () => {
    const stops = new Set(['status', 'confirmBackup', 'lock'])
    const told: string[] = []
    const answers =
      <Answer>(name: string, answer: Answer) =>
      async () => {
        if (stops.delete(name)) throw new WalletError('worker-stopped', 'Stopped.')
        told.push(name)
        return answer
      }
    const one = store({
      create: async () => {},
      status: answers('status', open),
      confirmBackup: answers('confirmBackup', undefined),
      lock: answers('lock', undefined),
    })
    await one.create('right', 12)
    await one.leavePhrase({ written: true })
    expect(one.getState().step).toBe('open')
    await one.lock()
    expect(told).toEqual(['confirmBackup', 'status', 'lock', 'status'])
  })
})

describe('creating', () => {
  it('shows the phrase even when the worker already reports an unlocked vault', async () => {
    const making = pending<void>()
    const one = store({ create: () => making.promise, status: async () => open })
    one.heard({ vault: 'none' })
    const created = one.create('right', 12)
    await vi.waitFor(() => expect(one.getState().step).toBe('phrase'), 30_000)
    one.heard(open)
    expect(one.getState()).toEqual({ step: 'phrase', phrase: '' })
    making.resolve()
    await created
    expect(one.getState()).toEqual({ step: 'phrase', phrase: 'word word word' })
    one.heard(open)
    expect(one.getState().step).toBe('phrase')
  })

  it('forgets the phrase after it is left and confirms the backup only if it was written down', async () => {
    let confirmed = 0
    const one = store({
      create: async () => {},
      status: async () => open,
      async confirmBackup() {
        confirmed += 1
      },
    })
    await one.create('right', 12)
    await one.leavePhrase({ written: false })
    expect(one.getState()).toEqual({
      step: 'open',
      accounts: [account],
      owned: [account],
      seeds,
      account,
      backedUp: false,
    })
    await one.create('right', 12)
    await one.leavePhrase({ written: true })
    expect(confirmed).toBe(1)
    expect(JSON.stringify(one.getState())).not.toContain('word')
  })

  it('hides the phrase when the vault is locked', async () => {
    const one = store({ create: async () => {} })
    await one.create('right', 12)
    one.heard({ vault: 'locked' })
    expect(one.getState()).toEqual({ step: 'locked' })
  })

  it('reports why creation failed and reads the status from the worker on the next load', async () => {
    const one = store({
      create: () => Promise.reject(new WalletError('worker-stopped', 'The wallet restarted.')),
      status: async () => open,
    })
    await one.create('right', 12)
    expect(one.getState()).toMatchObject({ step: 'failed', error: { code: 'worker-stopped' } })
    await one.load()
    expect(one.getState()).toMatchObject({ step: 'open' })
  })
})

describe('importing', () => {
  it('sends the secret of the phrase, never the phrase or the password', async () => {
    const sent: unknown[] = []
    const one = store({
      status: async () => open,
      async importPhrase(...args) {
        sent.push(...args)
      },
    })
    await one.begin('right', { kind: 'phrase', secret })
    expect(sent).toEqual([key, secret])
    expect(one.getState().step).toBe('open')
  })

  it('creates a wallet from a private key or a watch-only address', async () => {
    const sent: unknown[] = []
    const one = store({
      status: async () => open,
      async importKey(...args) {
        sent.push('key', ...args)
      },
      async importWatchOnly(...args) {
        sent.push('watched', ...args)
      },
    })
    await one.begin('right', { kind: 'key', privateKey: '0x0c' })
    await one.begin('right', { kind: 'watched', address: second.address })
    expect(sent).toEqual(['key', key, '0x0c', 'watched', key, second.address])
  })

  it('rejects an invalid phrase without asking the worker', async () => {
    const one = store({ importPhrase: () => Promise.reject(new Error('must not be asked')) })
    await expect(one.readPhrase('word')).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

describe('unlocking', () => {
  it('sends the data key, never the password', async () => {
    const sent: unknown[] = []
    const one = store({
      status: async () => open,
      async unlock(...args) {
        sent.push(...args)
      },
    })
    await one.unlock('right')
    expect(sent).toEqual(['key'])
    expect(one.getState().step).toBe('open')
  })

  it('stays locked when the worker rejects a wrong password', async () => {
    const one = store({ unlock: judge })
    one.heard({ vault: 'locked' })
    await expect(one.unlock('wrong')).rejects.toMatchObject({ code: 'wrong-password' })
    expect(one.getState()).toEqual({ step: 'locked' })
  })

  it('stores the upgraded wrapped key after unlocking', async () => {
    const rewrapped: NewKey[] = []
    const one = store(
      {
        status: async () => open,
        unlock: async () => {},
        async changeWrappedKey(stronger) {
          rewrapped.push(stronger)
        },
      },
      { upgrade: async () => key },
    )
    await one.unlock('right')
    expect(rewrapped).toEqual([key])
  })
})

describe('revealing secrets', () => {
  it('requires the password to reveal a phrase or a private key', async () => {
    const asked: unknown[] = []
    const one = store({
      async reveal(dataKey, seed) {
        await judge(dataKey)
        asked.push(seed)
        return secret.entropy
      },
      async revealKey(dataKey, address) {
        await judge(dataKey)
        asked.push(address)
        return '0x0c'
      },
    })
    await expect(one.reveal('wrong')).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(one.revealKey('wrong', account.address)).rejects.toMatchObject({ code: 'wrong-password' })
    expect(await one.reveal('right')).toBe('word word word')
    expect(await one.reveal('right', '0x02')).toBe('word word word')
    expect(await one.revealKey('right', account.address)).toBe('0x0c')
    expect(asked).toEqual([undefined, '0x02', account.address])
  })
})

describe('adding accounts', () => {
  it('adds a phrase, a private key or a watch-only address and reloads the status', async () => {
    const asked: unknown[] = []
    const added = (kind: string) => async (what: unknown) => {
      asked.push([kind, what])
      return second
    }
    const one = store({
      status: async () => open,
      addPhrase: added('phrase'),
      addKey: added('key'),
      addWatchOnly: added('watched'),
    })
    expect(await one.bring({ kind: 'phrase', secret })).toEqual(second)
    expect(await one.bring({ kind: 'key', privateKey: '0x0c' })).toEqual(second)
    expect(await one.bring({ kind: 'watched', address: second.address })).toEqual(second)
    expect(asked).toEqual([
      ['phrase', secret],
      ['key', '0x0c'],
      ['watched', second.address],
    ])
    expect(one.getState().step).toBe('open')
  })

  it('adds an account from a new phrase, returns the words once and does not keep them', async () => {
    const asked: unknown[] = []
    const one = store({
      status: async () => open,
      async addSeed(drawn) {
        asked.push(drawn)
        return second
      },
    })
    expect(await one.addSeed(12)).toEqual({ added: second, phrase: 'word word word' })
    expect(asked).toEqual([secret])
    expect(JSON.stringify(one.getState())).not.toContain('word')
  })

  it('rejects with the error of the worker when an account cannot be added', async () => {
    const one = store({ addKey: () => Promise.reject(new WalletError('invalid-input', 'Known.')) })
    await expect(one.bring({ kind: 'key', privateKey: '0x0c' })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})

describe('changing accounts', () => {
  it('sends each change to the worker and shows the new status afterwards', async () => {
    const asked: unknown[] = []
    const act =
      (name: string) =>
      async (...args: unknown[]) => {
        asked.push([name, ...args])
      }
    let status: Status = open
    const one = store({
      status: async () => status,
      changeAccount: act('change'),
      reorderAccounts: act('order'),
      removeAccount: act('remove'),
      removeSeed: act('removeSeed'),
      async reset() {
        status = { vault: 'none' }
      },
    })
    await one.change(account.address, { isHidden: true })
    await one.order([second.address, account.address])
    await one.remove(account.address)
    await one.removeSeed('0x01')
    expect(asked).toEqual([
      ['change', account.address, { isHidden: true }],
      ['order', [second.address, account.address]],
      ['remove', account.address],
      ['removeSeed', '0x01'],
    ])
    expect(one.getState().step).toBe('open')
    await one.reset()
    expect(one.getState()).toEqual({ step: 'welcome' })
  })
})

describe('changing the password', () => {
  it('requires the old password and wraps the data key with the new one', async () => {
    const written: NewKey[] = []
    const one = store({
      async changeWrappedKey(changed) {
        await judge(changed.dataKey)
        written.push(changed)
      },
    })
    await expect(one.changePassword('wrong', 'ab')).rejects.toMatchObject({ code: 'wrong-password' })
    await one.changePassword('right', 'ab')
    expect(written).toEqual([{ dataKey: 'key', wrap: { ...wrap, vaultId: '0xab' } }])
  })
})

describe('a vault restored from its copy', () => {
  it('reports the restored vault until the user confirms it', async () => {
    let restored: object = { isRestored: true }
    const one = store({
      status: async () => ({ ...open, ...restored }),
      async confirmRestored() {
        restored = {}
      },
    })
    await one.load()
    expect(one.getState()).toMatchObject({ step: 'open', isRestored: true })
    await one.confirmRestored()
    expect(one.getState()).not.toHaveProperty('isRestored')
  })
})

describe('choosing the account', () => {
  const two: Status = { vault: 'unlocked', accounts: [account, second], seeds, backedUp: true }

  it('selects the account of the settings, whether it is set before or after loading', async () => {
    const early = store({ status: async () => two })
    early.prefer(second.address)
    await early.load()
    expect(early.getState()).toMatchObject({ account: second, accounts: [account, second] })

    const late = store({ status: async () => two })
    await late.load()
    expect(late.getState()).toMatchObject({ account })
    late.prefer(second.address)
    expect(late.getState()).toMatchObject({ account: second })
  })

  it('selects the first account when the chosen one is not in this wallet', async () => {
    const one = store({ status: async () => open })
    one.prefer(second.address)
    await one.load()
    expect(one.getState()).toMatchObject({ account })
  })

  it('excludes hidden accounts from the selectable accounts and keeps them among the owned ones', async () => {
    const hidden = { ...second, isHidden: true }
    const one = store({ status: async () => ({ ...two, accounts: [hidden, account] }) as Status })
    one.prefer(second.address)
    await one.load()
    expect(one.getState()).toMatchObject({ account, accounts: [account], owned: [hidden, account], seeds })
  })

  it('lists an account as soon as it was added', async () => {
    const accounts: OwnAccount[] = [account]
    const one = store({
      status: async () => ({ vault: 'unlocked', accounts: [...accounts], seeds, backedUp: true }),
      async addAccount() {
        accounts.push(second)
        return second
      },
    })
    await one.load()
    expect(await one.add()).toEqual(second)
    expect(one.getState()).toMatchObject({ account, accounts: [account, second] })
  })
})
