import type { Hex } from '../../src/domain/token/token.ts'

/** The route's sixth word, behind the entry point's ten and the selector. */
const deadlineAt = 10 + 64 * 15

/** Returns the deadline of a swap by our router, in seconds. */
export function deadlineIn(data: Hex): number {
  return Number(`0x${data.slice(deadlineAt, deadlineAt + 64)}`)
}

/** Returns an answer without the deadline, which differs from one second to the next. Answers without a swap stay as they are. */
export function withoutDeadline<Body extends { tx?: { data: string } }>(body: Body): Body {
  if (!body.tx?.data) return body
  const { data } = body.tx
  return { ...body, tx: { ...body.tx, data: data.slice(0, deadlineAt) + data.slice(deadlineAt + 64) } }
}
