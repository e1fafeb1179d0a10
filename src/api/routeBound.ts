import * as v from 'valibot'
import { parseOrUndefined } from '../domain/parseOrUndefined.ts'

/** `x-route-bound`: `upper="123456", gap-bps=0.42`, in any order. */
const bound = v.pipe(
  v.string(),
  v.maxLength(200),
  v.transform((text) => ({
    upper: toNumber(BigInt, /(?:^|[,\s])upper="(\d{1,78})"/.exec(text)),
    gapBps: toNumber(Number, /(?:^|[,\s])gap-bps=(\d{1,5}(?:\.\d{1,3})?)(?=[,;\s]|$)/.exec(text)),
  })),
  v.object({ upper: v.bigint(), gapBps: v.pipe(v.number(), v.maxValue(10_000)) }),
)

function toNumber<Value>(convert: (digits: string) => Value, match: RegExpExecArray | null) {
  return match?.[1] === undefined ? undefined : convert(match[1])
}

/**
 * Returns by how many basis points at most the best route returns more, as the service proves. Undefined
 * without a proof, or with one that contradicts `returns`.
 */
export function parseRouteBound(header: string | undefined, returns: bigint): number | undefined {
  const found = header === undefined ? undefined : parseOrUndefined(bound, header)
  if (found === undefined || found.upper < returns) return undefined
  // In thousandths, rounded up.
  const gap = ((found.upper - returns) * 10_000_000n + found.upper - 1n) / (found.upper || 1n)
  return Number(gap) / 1_000 <= found.gapBps + 0.01 ? found.gapBps : undefined
}
