import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { createJournal, isSigned } from '../../../src/background/transactions/journal.ts'
import type { Call, CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import { hasOutcome } from '../../../src/domain/activity/intent.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  type Gate,
  intend,
  pause,
  until,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// Shared behaviour is tested with swaps, kills, chaos.

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

const friend: Address = `0x${'f1'.repeat(20)}`

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

function transfer(amount: bigint, gas?: bigint): Call {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, amount] })
  return { to: stage.localnet.tokens.DAI, data, value: 0n, ...(gas && { gas }) }
}

const pay = (value: bigint): Call => ({ to: friend, data: '0x', value })

async function done(...calls: Call[]): Promise<CallBatch> {
  const intent = agree(browser.account, calls)
  await worker.send(intent)
  return worker.over<CallBatch>(intent.id)
}

async function gasOf(id: string, index = 0): Promise<bigint | undefined> {
  const step = (await worker.journal.get(id))?.steps[index]
  if (step === undefined || !isSigned(step)) return undefined
  return (await stage.localnet.client.getTransaction({ hash: step.hash })).gas
}

describe('send', () => {
  it('sends one transaction per call, in order', async () => {
    const { client } = stage.localnet
    const before = await client.getBalance({ address: friend })
    const sent = await done(pay(5n), transfer(1n), pay(7n))
    expect(sent.outcome).toEqual({ status: 'done', received: 0n })
    expect(sent.steps.map(({ kind }) => kind)).toEqual(['call', 'call', 'call'])
    expect(await client.getBalance({ address: friend })).toBe(before + 12n)
    expect(await nonce()).toBe(3)
    const blocks = await Promise.all(
      sent.steps.map(async ({ hash }) => (await client.getTransactionReceipt({ hash: hash! })).blockNumber),
    )
    expect(blocks[0]! < blocks[1]! && blocks[1]! < blocks[2]!).toBe(true)
  })

  it('deploys a contract when the call has no recipient', async () => {
    const { abi, bytecode } = readArtifact('Token')
    const data = encodeDeployData({ abi, bytecode, args: deployArgs(abi) })
    const sent = await done({ data, value: 0n })
    expect(sent.outcome.status).toBe('done')
    const receipt = await stage.localnet.client.getTransactionReceipt({ hash: sent.steps[0]!.hash! })
    const code = await stage.localnet.client.getCode({ address: receipt.contractAddress! })
    expect(code?.length).toBeGreaterThan(100)
  })

  it('sends a request once when its id is submitted repeatedly', async () => {
    const intent = agree(browser.account, [pay(1n)])
    await Promise.all([worker.send(intent), worker.send(intent)])
    await worker.over(intent.id)
    await worker.send(intent)
    expect(await nonce()).toBe(1)
  })

  it('keeps calls out of the swap list and of the swap updates to views', async () => {
    await done(pay(1n))
    expect(await worker.list()).toEqual([])
    expect(worker.heard).toEqual([])
  })

  it('rejects an account that is not in the wallet', async () => {
    await expect(worker.send(agree(friend, [pay(1n)]))).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('estimates the gas limit, unless the page requests one', async () => {
    const intents = [undefined, 200_000n].map((gas) => agree(browser.account, [transfer(1n, gas)]))
    for (const intent of intents) {
      await worker.send(intent)
      await worker.over(intent.id)
    }
    const [own, asked] = await Promise.all(intents.map(({ id }) => gasOf(id)))
    expect(own).toBeGreaterThan(30_000n)
    expect(own).toBeLessThan(150_000n)
    expect(asked).toBe(200_000n)
  })

  it('rejects a gas limit above the block gas limit', async () => {
    const { gasLimit } = await stage.localnet.client.getBlock()
    const sent = await done(transfer(1n, gasLimit + 1n))
    expect(sent.outcome).toMatchObject({ status: 'failed', code: 'unsafe-transaction' })
    expect(await nonce()).toBe(0)
  })

  it('does not sign when the fee exceeds the accepted fee cap', async () => {
    const intent = agree(browser.account, [pay(1n)], 1n)
    await worker.send(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('does not sign when the balance does not cover the value and the fee', async () => {
    const has = await stage.localnet.client.getBalance({ address: browser.account })
    expect((await done(pay(has + 1n))).outcome).toMatchObject({ code: 'not-enough-gas' })
    expect((await done(pay(has))).outcome).toMatchObject({ code: 'not-enough-gas' })
    expect(await nonce()).toBe(0)
  })

  it('does not sign more than ten minutes after the user accepted', async () => {
    const intent = agree(browser.account, [pay(1n)])
    await worker.send(intent, Date.now() - 10 * 60_000 - 1)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('rejects calls while locked and resumes an interrupted batch after unlock', async () => {
    await worker.vault.lock()
    const intent = agree(browser.account, [pay(1n)])
    await expect(worker.send(intent)).rejects.toMatchObject({ code: 'locked' })
    await worker.vault.unlock(dataKey)
    const slow = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async receipt(hash) {
          await slow.vault.lock()
          return chain.receipt(hash)
        },
      }),
    })
    const two = agree(browser.account, [pay(1n), pay(2n)])
    await slow.send(two)
    expect((await slow.over(two.id)).outcome.status).toBe('needs-unlock')
    await worker.vault.unlock(dataKey)
    const next = createWorker(browser)
    await next.resume()
    await next.until(two.id, hasOutcome)
    expect(await nonce()).toBe(2)
  })
})

describe('failing calls', () => {
  it('stops the batch before it signs a call that would fail', async () => {
    const sent = await done(pay(1n), transfer(10n ** 30n), pay(1n))
    expect(sent.outcome).toMatchObject({
      status: 'failed',
      code: 'would-fail',
      message: expect.stringContaining('The calls before it stand'),
    })
    expect(sent.steps.map(({ hash }) => hash !== undefined)).toEqual([true, false, false])
    expect(await nonce()).toBe(1)
  })

  it('stops the batch when a call with explicit gas and accepted failure reverts on chain', async () => {
    const calls = [transfer(10n ** 30n, 100_000n), pay(1n)]
    const unknown = await done(...calls)
    expect(unknown.outcome).toMatchObject({ status: 'failed', code: 'would-fail' })
    expect(await nonce()).toBe(0)
    const intent = agree(browser.account, calls, 10n ** 18n, true)
    await worker.send(intent)
    const sent = await worker.over<CallBatch>(intent.id)
    expect(sent.outcome).toMatchObject({ status: 'failed', code: 'reverted' })
    expect(sent.steps.map(({ state }) => state)).toEqual(['reverted', 'waiting'])
    expect(await nonce()).toBe(1)
  })

  it('marks a call as replaced when its nonce is used, and stops the batch', async () => {
    const { client } = stage.localnet
    await stage.stopMining()
    const intent = agree(browser.account, [pay(1n), pay(2n)])
    await worker.send(intent)
    const pending = await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
    // Dropped first, it would be sent again.
    await client.setNonce({ address: browser.account, nonce: 1 })
    await client.dropTransaction({ hash: pending.steps[0]!.hash! })
    await stage.startMining()
    const sent = await worker.over<CallBatch>(intent.id)
    expect(sent.outcome).toMatchObject({ status: 'failed', code: 'replaced' })
    expect(sent.steps.map(({ state }) => state)).toEqual(['replaced', 'waiting'])
  })
})

describe('calls: reorganisations', () => {
  it('reopens a batch whose last call left the chain, and completes it once', async () => {
    const { client } = stage.localnet
    const intent = agree(browser.account, [pay(1n), pay(2n)])
    /** One block more would make it final. */
    const isDone = async () => {
      const { outcome } = (await worker.find(intent.id)) ?? {}
      const waiting = await client.getTransactionCount({ address: browser.account, blockTag: 'pending' })
      if (waiting > (await nonce())) await client.mine({ blocks: 1 })
      return outcome?.status === 'done' || undefined
    }
    await stage.stopMining()
    await worker.send(intent)
    await until(isDone, 'the calls to be done')
    await client.request({ method: 'anvil_rollback' as never, params: [1] as never })
    await worker.until(intent.id, ({ outcome }) => outcome.status === 'working')
    await until(isDone, 'the call to be done again')
    await stage.startMining()
    expect(await nonce()).toBe(2)
  })
})

describe('RPC with inconsistent backends', () => {
  it('pauses before the next poll when a call leaves its block', async () => {
    let isBehind = true
    let waits = 0
    const lagging = createWorker(browser, {
      wait: () => {
        if (!states().includes('reverted')) return pause(5)
        waits++
        return new Promise<never>(() => {})
      },
      chain: (chain) => ({
        ...chain,
        // Alternates between two backends, confirmed and pending.
        async receipt(hash) {
          const found = await chain.receipt(hash)
          if (found !== undefined) isBehind = !isBehind
          return isBehind ? undefined : found
        },
        transaction: async (hash) => (await chain.transaction(hash)) && 'pending',
      }),
    })
    const states = () => lagging.heardSendings.map(({ steps }) => steps[0]?.state)
    const intent = agree(browser.account, [transfer(10n ** 30n, 100_000n)], 10n ** 18n, true)
    await lagging.send(intent)
    await until(async () => waits > 0 || states().length > 20 || undefined, 'a pause', 5_000)
    expect(states().slice(-2)).toEqual(['reverted', 'sent'])
    expect(waits).toBe(1)
  })

  it('signs the next call without a pause when the previous one becomes final', async () => {
    const intent = agree(browser.account, [pay(1n), pay(2n)])
    let isOut = false
    const slow = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async receipt(hash) {
          if (!isOut) await slow.vault.lock()
          isOut = true
          return chain.receipt(hash)
        },
      }),
    })
    await slow.send(intent)
    expect((await slow.over(intent.id)).outcome.status).toBe('needs-unlock')
    expect((await slow.find(intent.id))?.steps[0]?.state).toBe('mined')
    await stage.localnet.client.mine({ blocks: 3 })
    await browser.session.clear()
    let waits = 0
    const next = createWorker(browser, {
      wait: () => {
        waits++
        return new Promise<never>(() => {})
      },
    })
    await next.vault.unlock(dataKey)
    await next.resume()
    const found = await until(async () => {
      const steps = (await next.find(intent.id))?.steps
      return steps?.[1]?.state !== 'waiting' || waits > 0 ? steps : undefined
    }, 'the second call to be signed')
    expect(found[0]?.state).toBe('final')
    expect(found[1]?.state).not.toBe('waiting')
  })
})

describe('calls and swaps of one account', () => {
  it('assigns calls and swaps consecutive nonces', async () => {
    const trade = {
      chainId: 31337,
      sell: nativeTokenAddress,
      buy: stage.localnet.tokens.DAI,
      amount: parseEther('0.01'),
    }
    const intents = [await intend(worker, browser, trade), await intend(worker, browser, trade)]
    const calls = [agree(browser.account, [pay(1n), pay(2n)]), agree(browser.account, [pay(3n)])]
    await Promise.all([
      ...intents.map((each) => worker.swap(each)),
      ...calls.map((each) => worker.send(each)),
    ])
    for (const { id } of [...intents, ...calls]) {
      expect((await worker.over(id)).outcome.status).toBe('done')
    }
    expect(await nonce()).toBe(5)
  })

  it('rejects a swap whose id belongs to a batch of calls', async () => {
    const calls = agree(browser.account, [pay(1n)])
    await worker.send(calls)
    const swap = await intend(worker, browser, {
      chainId: 31337,
      sell: nativeTokenAddress,
      buy: stage.localnet.tokens.DAI,
      amount: parseEther('0.01'),
    })
    await expect(worker.swap({ ...swap, id: calls.id })).rejects.toMatchObject({ code: 'invalid-input' })
    await worker.over(calls.id)
    expect(await nonce()).toBe(1)
  })
})

describe('until', () => {
  it('resolves for a record that already matches and for a later update', async () => {
    const intent = agree(browser.account, [pay(1n)])
    const waiting = worker.until(intent.id, hasOutcome)
    await worker.send(intent)
    expect((await waiting).outcome.status).toBe('done')
    expect((await worker.until(intent.id, hasOutcome)).outcome.status).toBe('done')
    expect((await createWorker(browser).until(intent.id, hasOutcome)).outcome.status).toBe('done')
  })

  it('stops listening when the record cannot be read', async () => {
    let isBroken = true
    const broken = createWorker(browser, {
      gate: (operation, perform) =>
        isBroken && operation === 'local.all' ? Promise.reject(new Error('disk')) : perform(),
    })
    const intent = agree(browser.account, [pay(1n)])
    const is = vi.fn(() => false)
    await expect(broken.until(intent.id, is)).rejects.toThrow('disk')
    isBroken = false
    await broken.send(intent)
    await broken.over(intent.id)
    expect(is).not.toHaveBeenCalled()
  })
})

describe('journal: reset', () => {
  it('rejects a replacement with no-vault when the journal is cleared meanwhile', async () => {
    await stage.stopMining()
    const intent = agree(browser.account, [pay(1n)])
    let isForgotten = false
    const worker = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async nativeBalance(owner) {
          if (isForgotten)
            for (const key of browser.local.keys()) if (key.startsWith('calls.')) browser.local.delete(key)
          if (isForgotten) worker.journal.forget()
          return chain.nativeBalance(owner)
        },
      }),
    })
    await worker.send(intent)
    await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
    const { replaces, least } = await worker.replacement(intent.id, 'faster')
    isForgotten = true
    const ask = { id: intent.id, wish: 'faster', replaces, fees: least, feeCap: 10n ** 18n } as const
    await expect(worker.replace(ask)).rejects.toMatchObject({ code: 'no-vault' })
    await stage.startMining()
  })
})

describe('journal: storage', () => {
  it('drops the calldata and the raw transaction of a final call', async () => {
    const intent = agree(browser.account, [transfer(1n)])
    await worker.send(intent)
    await worker.over(intent.id)
    await stage.localnet.client.mine({ blocks: 2 })
    const kept = await until(async () => {
      const record = await createJournal(memoryArea(browser.local)).get(intent.id)
      return record?.steps[0]?.state === 'final' ? record : undefined
    }, 'the call to be final')
    expect((kept.intent as CallsIntent).calls).toEqual([{ ...transfer(1n), data: '0x' }])
    expect(kept.steps[0]).toMatchObject({ raw: '0x', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })
})

describe('journal: worker restarts', () => {
  function deathAfter(at: number) {
    let count = 0
    let dead = false
    const never = new Promise<never>(() => {})
    const gate: Gate = async (_operation, perform) => {
      const mine = ++count
      if (mine > at) return never
      const result = await perform()
      dead ||= mine === at
      return mine < at ? result : never
    }
    return { gate, isDead: () => dead }
  }

  it('sends each call exactly once when the worker stops at random operations', async () => {
    const deaths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(deaths, async (moments) => {
        browser = await createBrowser(stage)
        const before = await stage.localnet.client.getBalance({ address: friend })
        const intent = agree(browser.account, [pay(1n), transfer(1n), pay(10n)])
        for (const at of moments) {
          const { gate, isDead } = deathAfter(at)
          const doomed = createWorker(browser, { gate })
          void doomed.resume()
          void doomed.send(intent)
          const isDone = async () =>
            (await createJournal(memoryArea(browser.local)).get(intent.id))?.outcome.status === 'done'
          await until(async () => isDead() || (await isDone()) || undefined, `death after ${at} operations`)
        }
        worker = createWorker(browser)
        await worker.resume()
        await worker.send(intent)
        const { outcome } = await worker.until(intent.id, hasOutcome)
        expect([moments, outcome.status, await nonce()]).toEqual([moments, 'done', 3])
        expect(await stage.localnet.client.getBalance({ address: friend })).toBe(before + 11n)
      }),
      { numRuns: runs(6, 12), endOnFailure: true },
    )
    figure(
      '63, 64',
      `${runs(6, 12)} intents of three calls, the worker stopped up to five times: each call sent once`,
    )
  })
})

describe('journal: RPC failures', () => {
  it('retries after transient RPC failures and completes the call', async () => {
    let down = 3
    const patient = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        fees() {
          if (down-- > 0) throw new WalletError('node-unreachable', 'The node cannot be reached.')
          return chain.fees()
        },
      }),
    })
    const intent = agree(browser.account, [pay(1n)])
    await patient.send(intent)
    expect((await patient.over(intent.id)).outcome.status).toBe('done')
  })

  it.each([
    ['is asked again even if it was silent for longer than it is asked again', [12_000], 'done'],
    ['is given up when it is silent on and on', [12_000, 12_000, 12_000], 'failed'],
  ] as const)('%s', async (_name, silences, status) => {
    const waits: number[] = [...silences]
    let late = 0
    const patient = createWorker(browser, {
      now: () => Date.now() + late,
      chain: (chain) => ({
        ...chain,
        fees() {
          const silence = waits.shift()
          if (silence === undefined) return chain.fees()
          late += silence
          throw new WalletError('node-timeout', 'The node takes too long to answer.')
        },
      }),
    })
    const intent = agree(browser.account, [pay(1n)])
    await patient.send(intent)
    expect((await patient.over(intent.id)).outcome.status).toBe(status)
  })
})

function deployArgs(abi: ReturnType<typeof readArtifact>['abi']): unknown[] {
  const made = abi.find((item) => item.type === 'constructor')
  const inputs = made !== undefined && 'inputs' in made ? made.inputs : []
  return inputs.map(({ type }) => (type === 'string' ? 'x' : type === 'address' ? friend : 18))
}
