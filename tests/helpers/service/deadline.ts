import type { Hex } from '../../../src/domain/token/token.ts'

/** Bytes 20 to 26 of the route's header (contracts/Route.sol), after selector and ten words. */
const deadlineAt = 10 + 64 * 10 + 2 * 20
const deadlineEnd = deadlineAt + 2 * 6

/** Returns the deadline in seconds. */
export function deadlineIn(data: Hex): number {
  return Number(`0x${data.slice(deadlineAt, deadlineEnd)}`)
}

/** Removes the deadline, which differs from second to second. */
export function withoutDeadline<Body extends { tx?: { data: string } }>(body: Body): Body {
  if (!body.tx?.data) return body
  const { data } = body.tx
  return { ...body, tx: { ...body.tx, data: data.slice(0, deadlineAt) + data.slice(deadlineEnd) } }
}
