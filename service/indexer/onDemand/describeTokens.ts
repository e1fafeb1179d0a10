import type { PoolState } from '../poolState.ts'
import type { AbsentToken, TokenPair, Update } from '../update.ts'
import type { Want } from './tokenCoverage.ts'

/** Returns what the state knows of `wants`, as an update that adds it to another state of the same block. */
export function describeTokens(state: PoolState, wants: readonly Want[]): Update | undefined {
  const { coverage } = state
  const block = state.block()
  if (block === undefined) return undefined
  const ends = [...new Set(wants.flat())]
  const absent = ends.flatMap((token): AbsentToken[] => {
    const absence = coverage.absence(token)
    return absence === undefined ? [] : [{ token, hasCode: absence.hasCode }]
  })
  const isAbsent = new Set(absent.map(({ token }) => token))
  const unlisted = ends.filter((token) => coverage.isFollowed(token) && !coverage.listed()?.has(token))
  const found = unlisted.filter((token) => !isAbsent.has(token) && coverage.covers([token]))
  const pairs = wants.flatMap((want): TokenPair[] => (want.length === 2 ? [want] : []))
  const addresses = new Set(unlisted.flatMap((token) => [...coverage.poolsOf(token)]))
  return {
    after: block.hash,
    block,
    ...feesOf(state),
    tokens: { found, pairs, absent },
    pools: [...addresses].flatMap((address) => state.standing(address) ?? []),
  }
}

/** Returns what an update of the state's own block says of fees. */
export function feesOf({ tip, l1ByteFee }: PoolState): Pick<Update, 'tip' | 'l1ByteFee'> {
  const perByte = l1ByteFee()
  return { tip: tip() ?? 0n, ...(perByte === undefined ? {} : { l1ByteFee: perByte }) }
}
