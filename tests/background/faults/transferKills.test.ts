import { erc20Abi, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import { hasOutcome } from '../../../src/domain/activity/intent.ts'
import {
  acceptReplacement,
  type ReplacementKind,
  replacementAt,
} from '../../../src/domain/activity/replacement.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError } from '../../../src/errors.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  type Gate,
  pause,
  until,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { deathAfter } from '../../helpers/background/workerDeath.ts'
import { figure } from '../../helpers/figures.ts'
import { randomFrom } from '../../helpers/random.ts'
import { isTorture, runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Repeat a run with `SEED=7 npx vitest run …`.

const kills = runs(40, 1_000)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** Then the books are compared. */
const killsOfOne = 25
const mostOpen = 6

const stage = useStage()

/** One recipient each: its balance shows what was sent. */
type Wanted = { intent: CallsIntent; token: Address; to: Address; amount: bigint; isCancelled: boolean }

type User = {
  browser: Browser
  random(): number
  wanted: Wanted[]
  /** Sent before it was stored. */
  unstored: string[]
  surprises: string[]
}

/** The replacement came too early or too late. */
const expected = new Set(['already-mined', 'invalid-input', 'underpriced'])

let receivers = 0

describe('transfers with a worker that is stopped at random', () => {
  it(
    `neither loses nor duplicates a transfer over ${kills} stops`,
    async () => {
      const random = randomFrom(seed)
      try {
        for (let done = 0; done < kills; done += killsOfOne)
          await runOne(random, Math.min(killsOfOne, kills - done))
        figure(
          '63, 64',
          `${kills} stops while transfers are written and sent: 0 lost, 0 doubled, 0 torn records`,
        )
      } catch (cause) {
        const how = `SEED=${seed}${isTorture ? ' TORTURE=1' : ''}`
        throw new Error(`Repeat it with ${how}. ${String(cause)}`, { cause })
      } finally {
        await stage.startMining()
      }
    },
    60_000 + kills * 10_000,
  )
})

async function runOne(random: () => number, stops: number): Promise<void> {
  const browser = await createBrowser(stage)
  await stage.localnet.client.setBalance({ address: browser.account, value: parseEther('1000') })
  const user: User = { browser, random, wanted: [], unstored: [], surprises: [] }
  const before = await books(user)
  await stage.stopMining()
  for (let stopped = 0; stopped < stops; ) if (await live(user)) stopped++
  const worker = start(user)
  await worker.resume()
  for (const { intent } of user.wanted) await worker.send(intent)
  const sendings = await finish(worker, user)
  await compare(user, sendings, before)
  await stage.startMining()
}

/** True if stopped in the middle. */
async function live(user: User): Promise<boolean> {
  const { random } = user
  const death = deathAfter(1 + Math.floor(random() * 90))
  const worker = start(user, death.gate)
  void worker.resume()
  for (let acts = 1 + Math.floor(random() * 3); acts > 0 && !death.isDead(); acts--) {
    act(user, worker).catch((error: unknown) => {
      const { code, message } = toWalletError(error)
      if (!expected.has(code)) user.surprises.push(`${code}: ${message}`)
    })
    await pause(random() * 15)
  }
  const deadline = Date.now() + 300
  while (!death.isDead() && Date.now() < deadline) await pause(2)
  const isStopped = death.isDead()
  death.stop()
  return isStopped
}

async function act(user: User, worker: Worker): Promise<unknown> {
  const { random, wanted } = user
  const open = wanted.slice(-mostOpen)
  const one = open[Math.floor(random() * open.length)]
  const dice = random()
  if (one === undefined || dice < 0.35) {
    const next = want(user)
    wanted.push(next)
    return worker.send(next.intent)
  }
  if (dice < 0.5) return worker.send(one.intent)
  if (dice < 0.65) return stage.localnet.client.mine({ blocks: 1 })
  return replace(worker, one, dice < 0.85 ? 'faster' : 'cancel')
}

async function replace(worker: Worker, one: Wanted, wish: ReplacementKind): Promise<unknown> {
  const { id } = one.intent
  const offer = await worker.replacement(id, wish)
  one.isCancelled ||= wish === 'cancel'
  return worker.replace({ id, wish, ...acceptReplacement(offer, replacementAt(offer, 'fast')) })
}

function want({ browser: { account }, random }: User): Wanted {
  const { DAI, USDC } = stage.localnet.tokens
  const token = [nativeTokenAddress, DAI, USDC][Math.floor(random() * 3)] ?? nativeTokenAddress
  const to: Address = `0xf1${(++receivers).toString(16).padStart(38, '0')}`
  const amount = BigInt(1 + Math.floor(random() * 1_000))
  const id = receivers.toString(16).padStart(32, '0')
  const intent = transferIntent({ id, chainId: 31337, account, token, to, amount, feeCap: parseEther('1') })
  return { intent, token, to, amount, isCancelled: false }
}

function start({ browser, unstored }: User, gate?: Gate): Worker {
  return createWorker(browser, {
    ...(gate && { gate }),
    chain: (chain) => ({
      ...chain,
      send(raw) {
        if (![...browser.local.values()].some((text) => text.includes(raw))) unstored.push(raw)
        return chain.send(raw)
      },
    }),
  })
}

function finish(worker: Worker, { wanted }: User): Promise<CallBatch[]> {
  return until(async () => {
    await stage.localnet.client.mine({ blocks: 1 })
    const sendings = await worker.sendings()
    return sendings.every(hasOutcome) && sendings.length === wanted.length ? sendings : undefined
  }, 'all transfers to be over')
}

type Books = { nonce: number; coins: bigint; held: Map<Address, bigint> }

async function books({ browser: { account: address } }: User): Promise<Books> {
  const { client, tokens } = stage.localnet
  const held = [tokens.DAI, tokens.USDC].map(async (token) => [token, await balance(token, address)] as const)
  return {
    nonce: await client.getTransactionCount({ address }),
    coins: await client.getBalance({ address }),
    held: new Map(await Promise.all(held)),
  }
}

function balance(token: Address, owner: Address): Promise<bigint> {
  const { client } = stage.localnet
  if (token === nativeTokenAddress) return client.getBalance({ address: owner })
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

/** Compares wallet, user and chain. */
async function compare(user: User, sendings: CallBatch[], before: Books): Promise<void> {
  const { client } = stage.localnet
  const gone = new Map<Address, bigint>()
  let fees = 0n
  for (const { intent, token, to, amount, isCancelled } of user.wanted) {
    const { outcome, steps, paid } = sendings.find((one) => one.intent.id === intent.id)!
    const end = outcome.status === 'failed' ? `${outcome.code}: ${outcome.message}` : outcome.status
    const isDone = end === 'done'
    if (!isDone) expect([end, isCancelled]).toEqual(['cancelled: It was cancelled.', true])
    expect([intent.id, await balance(token, to)]).toEqual([intent.id, isDone ? amount : 0n])
    const receipt = await client.getTransactionReceipt({ hash: steps[0]!.hash! })
    expect(receipt.gasUsed * receipt.effectiveGasPrice).toBe(paid)
    fees += paid
    if (isDone) gone.set(token, (gone.get(token) ?? 0n) + amount)
  }
  const now = await books(user)
  // One nonce each.
  expect(now.nonce - before.nonce).toBe(user.wanted.length)
  expect(before.coins - now.coins).toBe(fees + (gone.get(nativeTokenAddress) ?? 0n))
  for (const [token, held] of before.held) expect(held - now.held.get(token)!).toBe(gone.get(token) ?? 0n)
  expect([user.unstored, user.surprises]).toEqual([[], []])
}
