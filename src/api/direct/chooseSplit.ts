import { type PathQuotes, parts, type QuotedPath, unit } from './pathQuoter.ts'

/** `amount` sold along `path`. */
export type Leg = { path: QuotedPath; amount: bigint; returns: bigint }

/** Legs in the quoted order. `gas` of the whole transaction, an upper estimate. */
export type SplitQuote = { legs: Leg[]; returns: bigint; gas: bigint }

const maxLegs = 3

/** Beyond what the pools use by QuoterV2: measured on the localnet by tests/api/direct/direct.test.ts. */
const overhead = { base: 52_000n, hop: 5_000n, leg: 10_000n, wrap: 6_000n, unwrap: 28_000n }

/**
 * Returns the split with the highest return after gas, at most three of all splits in tenths. `gasPrice` in
 * wei. Undefined without a path of at most `gasLimit`; a single path if gas has no price in the bought token.
 */
export function chooseSplit(
  { paths, unitReturns }: PathQuotes,
  amount: bigint,
  gasPrice: bigint | undefined,
  native: { isSold: boolean; isBought: boolean },
  gasLimit?: number,
): SplitQuote | undefined {
  const [first] = paths
  if (first === undefined) return undefined
  const isPriced = gasPrice !== undefined && unitReturns > 0n
  const worth = (gas: bigint) => (isPriced ? (gas * gasPrice * unitReturns) / unit : 0n)
  const fixedGas =
    overhead.base + (native.isSold ? overhead.wrap : 0n) + (native.isBought ? overhead.unwrap : 0n)
  let best: { quote: SplitQuote; net: bigint } | undefined
  for (const shares of isPriced ? allShares(paths.length) : [[Number(parts)]]) {
    const quote = toQuote(paths, shares, amount, fixedGas)
    if (gasLimit !== undefined && quote.gas > gasLimit) continue
    const net = quote.returns - worth(quote.gas)
    if (best === undefined || net > best.net) best = { quote, net }
  }
  return best?.quote
}

function toQuote(paths: QuotedPath[], shares: number[], amount: bigint, fixedGas: bigint): SplitQuote {
  const part = amount / parts
  const legs = paths.flatMap((path, index): Leg[] => {
    const share = shares[index] ?? 0
    // The first path sells the remainder of the division, too.
    const sold = part * BigInt(share) + (index === 0 ? amount % parts : 0n)
    return share === 0 ? [] : [{ path, amount: sold, returns: path.returned[share - 1] ?? 0n }]
  })
  const legGas = ({ path: { gas, fees } }: Leg) => overhead.leg + gas + overhead.hop * BigInt(fees.length - 1)
  return {
    legs,
    returns: legs.reduce((sum, { returns }) => sum + returns, 0n),
    gas: legs.reduce((sum, leg) => sum + legGas(leg), fixedGas - overhead.leg),
  }
}

/** Shares in tenths, the single path first, so that ties have few legs. */
function allShares(count: number): number[][] {
  const all: number[][] = []
  const fill = (shares: number[], left: number): void => {
    if (shares.filter((share) => share > 0).length > maxLegs) return
    if (shares.length === count) {
      if (left === 0) all.push(shares)
      return
    }
    for (let share = left; share >= 0; share--) fill([...shares, share], left - share)
  }
  for (let share = Number(parts); share > 0; share--) fill([share], Number(parts) - share)
  return all
}
