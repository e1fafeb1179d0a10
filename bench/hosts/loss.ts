import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from './host.ts'

export type Loss = {
  lost: Host
  /** Longest time between two blocks on a surviving host, around the loss. */
  longestGapMs: number
  /** The same before the loss. */
  usualGapMs: number
  requests: number
  /** On surviving hosts. */
  failed: number
  /** On the lost host, until the end of the measurement. */
  failedOnLost: number
}

const everyMs = 20
const beforeMs = 4_000
const afterMs = 9_000

/** Ends the leader while all hosts are asked for quotes, and follows their blocks. */
export async function measureLoss(
  hosts: readonly Host[],
  quotePath: (index: number) => string,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<Loss> {
  const leader = hosts.find((host) => host.isLeader())
  if (leader === undefined) throw new Error('No host leads.')
  const others = hosts.filter((host) => host !== leader)
  const blocks = new Map(
    others.map((host) => [host, { number: 0, seenAt: 0, gaps: [] as [number, number][] }]),
  )
  const counts = { requests: 0, failed: 0, failedOnLost: 0 }
  const running: Promise<void>[] = []
  let lostAt = Number.POSITIVE_INFINITY

  async function look(host: Host): Promise<void> {
    const seen = blocks.get(host)
    const answer = await fetch(`${host.url}/ready`).catch(() => undefined)
    if (seen === undefined || answer?.status !== 200) return
    const { block } = (await answer.json()) as { block: number }
    const now = performance.now()
    if (block <= seen.number) return
    if (seen.number > 0) seen.gaps.push([seen.seenAt, now])
    Object.assign(seen, { number: block, seenAt: now })
  }

  async function ask(host: Host, path: string): Promise<void> {
    const answer = await fetch(host.url + path).catch(() => undefined)
    await answer?.text()
    counts.requests++
    if (answer?.status !== 200) counts[host === leader ? 'failedOnLost' : 'failed']++
  }

  const started = performance.now()
  let ending: Promise<void> | undefined
  for (let i = 0; performance.now() < started + beforeMs + afterMs; i++) {
    if (ending === undefined && performance.now() > started + beforeMs) {
      lostAt = performance.now()
      ending = leader.end(signal)
    }
    running.push(...others.map(look), ask(hosts[i % hosts.length] as Host, quotePath(i)))
    await sleep(everyMs)
  }
  await ending
  await Promise.all(running)
  const gaps = [...blocks.values()].flatMap((seen) => seen.gaps)
  const longest = (some: [number, number][]) => Math.max(0, ...some.map(([from, to]) => to - from))
  return {
    lost: leader,
    longestGapMs: longest(gaps.filter(([, to]) => to >= lostAt)),
    usualGapMs: longest(gaps.filter(([, to]) => to < lostAt)),
    ...counts,
  }
}
