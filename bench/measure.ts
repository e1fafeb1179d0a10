import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { summarise, type Times } from './stats.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Live heap after a full collection. */
export function heapMb(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

export type Spent = { wall: Times; cpu: Times; cpuTotalMs: number }

/** CPU time excludes other processes. */
export async function spend(runs: number, work: (run: number) => unknown): Promise<Spent> {
  const wall: number[] = []
  const cpu: number[] = []
  for (let run = 0; run < runs; run++) {
    const [started, used] = [performance.now(), process.cpuUsage()]
    await work(run)
    const { user, system } = process.cpuUsage(used)
    wall.push(performance.now() - started)
    cpu.push((user + system) / 1_000)
  }
  return { wall: summarise(wall), cpu: summarise(cpu), cpuTotalMs: cpu.reduce((sum, one) => sum + one, 0) }
}

/** `pauseMs`: longest block of the event loop. */
export async function measurePause(work: () => Promise<void>): Promise<{ tookMs: number; pauseMs: number }> {
  let pauseMs = 0
  let last = performance.now()
  let turn: NodeJS.Immediate
  const tick = () => {
    const now = performance.now()
    pauseMs = Math.max(pauseMs, now - last)
    last = now
    turn = setImmediate(tick)
  }
  turn = setImmediate(tick)
  await new Promise((resolve) => setImmediate(resolve))
  pauseMs = 0
  const started = performance.now()
  await work()
  const tookMs = performance.now() - started
  await new Promise((resolve) => setImmediate(resolve))
  clearImmediate(turn)
  return { tookMs, pauseMs }
}

export function summarize(figures: readonly number[]): { mean: number; least: number; most: number } {
  const sum = figures.reduce((total, figure) => total + figure, 0)
  return { mean: sum / figures.length, least: Math.min(...figures), most: Math.max(...figures) }
}
