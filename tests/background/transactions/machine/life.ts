import { isRecordOpen } from '../../../../src/background/transactions/journal.ts'
import type { Hex } from '../../../../src/domain/token/token.ts'
import { never } from '../../death.ts'
import { type Browser, createWorker, type Gate, pause, type Worker } from '../../worker.ts'
import type { Mood } from './mood.ts'

/** What a call of a worker came to: `dead` when the worker was stopped before it answered. */
export type Heard<T> = { answer: T } | { error: unknown } | 'dead'

export type Life = {
  worker: Worker
  isDead(): boolean
  /** Kill is armed, or was carried out. */
  isDoomed(): boolean
  /** Stops it: at once, or after so many operations more, of which the last is performed and not heard of. */
  kill(after: number): void
  /** Asks the worker for something, as far as it lives. What it does besides goes on until it has nothing to do. */
  ask<T>(call: (worker: Worker) => Promise<T>): Promise<Heard<T>>
  /** Lets everything that waits for its next look have it. */
  look(): Promise<void>
}

type Parts = {
  browser: Browser
  mood: Mood
  now(): number
  /** Hears of what is sent before it is. */
  onSend(raw: Hex): void
}

/** So many turns in a row without anything under way: nothing is. Signing asks nobody, and is awaited by the number of those that wait. */
const stillTurns = 3

/**
 * One life of a worker that takes a step when it is told to: its waiting between two looks ends when the test says so, and every call comes
 * back when all that it began has come to rest. So a history has the same course each time, as far as two things at once have.
 */
export function createLife({ browser, mood, now, onSend }: Parts): Life {
  let left = Number.POSITIVE_INFINITY
  let isDead = false
  let busy = 0
  let tellIdle = () => {}
  let tellDeath = () => {}
  const death = new Promise<'dead'>((resolve) => {
    tellDeath = () => resolve('dead')
  })
  const waiting = new Set<() => void>()

  const gate: Gate = async (_operation, perform) => {
    if (isDead) return never
    const isLast = --left <= 0
    busy++
    try {
      if (isLast) die()
      const result = await perform()
      return isDead ? never : result
    } catch (error) {
      if (isDead) return never
      throw error
    } finally {
      if (--busy === 0) tellIdle()
    }
  }

  function die() {
    isDead = true
    tellDeath()
  }

  const worker = createWorker(browser, {
    gate,
    now,
    wait: () =>
      new Promise((resolve) => {
        waiting.add(resolve)
      }),
    wire: { fetch: mood.fetch, sleep: async () => {}, timeout: () => new AbortController().signal },
    chain: (chain) => ({
      ...chain,
      send(raw) {
        onSend(raw)
        return chain.send(raw)
      },
    }),
  })

  /** What the worker goes on with until it waits for its next look. */
  async function followed(): Promise<number> {
    // Ungated: reading is no operation of the worker's, and asking changes nothing that it would not find itself.
    const { journal, vault } = createWorker(browser, { now })
    const isLocked = (await vault.status()) !== 'unlocked'
    const open = (await journal.list()).filter(isRecordOpen)
    return open.filter(({ outcome }) => !(isLocked && outcome.status === 'needs-unlock')).length
  }

  async function rest(): Promise<void> {
    const deadline = Date.now() + 60_000
    for (let still = 0; still < stillTurns; ) {
      if (busy > 0) {
        await new Promise<void>((resolve) => {
          tellIdle = resolve
        })
      }
      await new Promise((resolve) => setImmediate(resolve))
      const isStill = busy === 0 && (isDead || waiting.size >= (await followed()))
      still = isStill ? still + 1 : 0
      if (busy === 0 && !isStill) await pause(1)
      if (Date.now() > deadline) throw new Error(`The worker finds no rest: ${waiting.size} wait.`)
    }
  }

  return {
    worker,
    isDead: () => isDead,
    isDoomed: () => left < Number.POSITIVE_INFINITY,
    kill(after) {
      left = after
      if (after === 0) die()
    },
    async ask(call) {
      if (isDead) return 'dead'
      const heard = await Promise.race([
        death,
        call(worker).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ error }),
        ),
      ])
      await rest()
      return heard
    },
    async look() {
      const looks = [...waiting]
      waiting.clear()
      for (const next of looks) next()
      await rest()
    },
  }
}
