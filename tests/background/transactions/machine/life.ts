import { isRecordOpen } from '../../../../src/background/transactions/journal.ts'
import type { Hex } from '../../../../src/domain/token/token.ts'
import {
  type Browser,
  createWorker,
  type Gate,
  pause,
  type Worker,
} from '../../../helpers/background/worker.ts'
import { never } from '../../../helpers/background/workerDeath.ts'
import type { Mood } from './mood.ts'

export type Heard<T> = { answer: T } | { error: unknown } | 'dead'

export type Life = {
  worker: Worker
  isDead(): boolean
  isDoomed(): boolean
  /** The last operation is performed but never answered. */
  kill(after: number): void
  /** Returns once the worker is idle. */
  ask<T>(call: (worker: Worker) => Promise<T>): Promise<Heard<T>>
  /** Runs one poll of everything that waits. */
  look(): Promise<void>
}

type Parts = {
  browser: Browser
  mood: Mood
  now(): number
  onSend(raw: Hex): void
}

/** Signing is no gated operation, so idle turns are counted. */
const stillTurns = 3

/** A worker that advances on command, so that histories are reproducible. */
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

  async function followed(): Promise<number> {
    // Ungated: reading changes nothing.
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
