import fc from 'fast-check'
import { decodeEventLog, parseAbi, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/domain/json.ts'
import type { Trade } from '../../src/domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { WalletError } from '../../src/errors.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  type Gate,
  intend,
  until,
  useStage,
} from '../helpers/background/worker.ts'
import { figure } from '../helpers/figures.ts'
import { runs } from '../helpers/runs.ts'
import { slow } from '../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Deeper than any reorganisation here.
const stage = useStage(1_000)

const swapped = parseAbi(['event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount)'])

async function swaps({ account }: Browser): Promise<Map<bigint, number>> {
  const { client, contracts } = stage.localnet
  const logs = await client.getLogs({ address: contracts.router, fromBlock: 0n })
  const counts = new Map<bigint, number>()
  for (const { topics, data } of logs) {
    const { sender, spentAmount } = decodeEventLog({ abi: swapped, topics, data }).args
    if (sender.toLowerCase() === account) counts.set(spentAmount, (counts.get(spentAmount) ?? 0) + 1)
  }
  return counts
}

type Event =
  | 'restart'
  | 'mine'
  | 'reorganise'
  | 'drop'
  | 'node down'
  | 'service down'
  | 'all well'
  | 'ask again'
const events: Event[] = [
  'restart',
  'mine',
  'reorganise',
  'drop',
  'node down',
  'service down',
  'all well',
  'ask again',
]

describe('swaps and calls under random restarts, reorganisations and outages', () => {
  it('executes each swap and each call exactly once', async () => {
    const { client, tokens } = stage.localnet
    const history = fc.array(
      fc.record({ event: fc.constantFrom(...events), afterMs: fc.integer({ min: 0, max: 40 }) }),
      {
        minLength: 5,
        maxLength: 20,
      },
    )
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        const browser = await createBrowser(stage)
        let trouble = ''
        // Fixed, so that slow machines cause no timeouts.
        const begun = Date.now()
        const life = () => {
          let alive = true
          const gate: Gate = async (operation, perform) => {
            if (!alive) return new Promise<never>(() => {})
            if (trouble === 'node down' && operation.startsWith('chain.')) {
              throw new WalletError('node-unreachable', 'The node cannot be reached.')
            }
            if (trouble === 'service down' && operation.startsWith('api.')) {
              throw new WalletError('service-failed', 'The service failed.')
            }
            const result = await perform()
            return alive ? result : new Promise<never>(() => {})
          }
          const worker = createWorker(browser, { gate, now: () => begun })
          return {
            worker,
            kill() {
              alive = false
            },
          }
        }
        const chainId = 31337
        const trades: Trade[] = [
          { chainId, sell: tokens.DAI, buy: tokens.WETH, amount: parseEther('10') },
          { chainId, sell: tokens.USDC, buy: tokens.WETH, amount: 10_000_000n },
          { chainId, sell: nativeTokenAddress, buy: tokens.DAI, amount: parseEther('0.01') },
        ]
        let now = life()
        const intents = [
          await intend(now.worker, browser, trades[0]!),
          await intend(now.worker, browser, trades[1]!),
          await intend(now.worker, browser, trades[2]!),
        ]
        const friend: Address = `0x${browser.account.slice(2).split('').reverse().join('')}`
        const pays = [1n, 2n].map((value) => ({ to: friend, data: '0x', value }) as const)
        const calls = agree(browser.account, pays)
        const block = await client.getBlockNumber()
        for (const intent of intents) await now.worker.swap(intent)
        await now.worker.send(calls)

        const happen: Record<Event, () => Promise<unknown>> = {
          async restart() {
            now.kill()
            now = life()
            await now.worker.resume()
          },
          mine: () => client.mine({ blocks: 1 }),
          async reorganise() {
            // Never below the funding block.
            const depth = Number((await client.getBlockNumber()) - block)
            if (depth > 0) await rollback(Math.min(depth, 2))
          },
          async drop() {
            const [swap] = await now.worker.list()
            const sending = await now.worker.find(calls.id)
            for (const { hash } of [...(swap?.steps ?? []), ...(sending?.steps ?? [])])
              if (hash !== undefined) await client.dropTransaction({ hash }).catch(() => undefined)
          },
          async 'node down'() {
            trouble = 'node down'
          },
          async 'service down'() {
            trouble = 'service down'
          },
          async 'all well'() {
            trouble = ''
          },
          async 'ask again'() {
            for (const intent of intents) await now.worker.swap(intent)
            await now.worker.send(calls)
          },
        }
        for (const { event, afterMs } of moments) {
          await new Promise((resolve) => setTimeout(resolve, afterMs))
          await happen[event]()
        }
        trouble = ''
        // The next poll notices a rollback.
        await until(async () => {
          const paid = await client.getBalance({ address: friend })
          return ((await swaps(browser)).size === trades.length && paid === 3n) || undefined
        }, 'all swaps and both calls').catch(async (cause) => {
          const outcomes = (await now.worker.list()).map(({ outcome, steps }) => ({ outcome, steps }))
          throw new Error(`Not all was done: ${encode(outcomes)}`, { cause })
        })
        for (const { id } of [...intents, calls]) {
          const { outcome } = await now.worker.over(id)
          expect(outcome.status).toBe('done')
        }
        expect(await swaps(browser)).toEqual(new Map(trades.map(({ amount }) => [amount, 1])))
        expect(await client.getTransactionCount({ address: browser.account })).toBe(6)
        now.kill()
      }),
      { numRuns: runs(2, 15), endOnFailure: true },
    )
    figure(
      '63–67',
      `${runs(2, 15)} histories of kills, reorganisations, dropped transactions and a node in trouble at once: all swaps and calls done, each once`,
    )
  }, 600_000)
})

/** Anvil cannot roll back while it mines. */
async function rollback(depth: number): Promise<void> {
  await stage.stopMining()
  await stage.localnet.client.request({ method: 'anvil_rollback' as never, params: [depth] as never })
  await stage.startMining()
}
