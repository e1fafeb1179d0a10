import type { Hex } from '../../../src/domain/token/token.ts'

/** The route's sixth word, after selector and ten words. */
const deadlineAt = 10 + 64 * 15

/** Returns the deadline in seconds. */
export function deadlineIn(data: Hex): number {
  return Number(`0x${data.slice(deadlineAt, deadlineAt + 64)}`)
}

/** Removes the deadline, which differs from second to second. */
export function withoutDeadline<Body extends { tx?: { data: string } }>(body: Body): Body {
  if (!body.tx?.data) return body
  const { data } = body.tx
  return { ...body, tx: { ...body.tx, data: data.slice(0, deadlineAt) + data.slice(deadlineAt + 64) } }
}
