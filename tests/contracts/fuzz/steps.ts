import fc from 'fast-check'
import type { Address } from 'viem'
import { type Ask, type Branch, type Hop, native, unwrap, wrap } from './ask.ts'
import type { Gauntlet, Step } from './gauntlet.ts'

/** Mostly consistent routes, some broken in one place. All choices are numbers, so that they shrink. */
export function arbitrarySteps(gauntlet: Gauntlet, count: number): fc.Arbitrary<Step[]> {
  const branch = fc.record({ weight: fc.nat(9), stops: fc.nat(3), legs: fc.array(leg, threeOf) })
  const choice = fc.record({
    ends: fc.tuple(fc.nat(), fc.nat()),
    middle: fc.tuple(fc.nat(), fc.nat()),
    branches: fc.array(branch, { minLength: 1, maxLength: 3 }),
    amount: fc.constantFrom(1n, 1_000n, 10n ** 6n, 10n ** 6n, 10n ** 8n, 10n ** 8n, 10n ** 15n),
    least: fc.constantFrom(0n, 0n, 0n, 1n, 10n ** 6n),
    flags: fc.constantFrom(0n, 0n, 1n, 1n, 4n, 5n),
    feePpm: fc.constantFrom(0, 0, 10_000, 30_000),
    people: fc.tuple(fc.nat(), fc.nat()),
    gas: fc.oneof({ weight: 19, arbitrary: fc.constant(20_000_000n) }, { weight: 1, arbitrary: smallGas }),
    seed: fc.bigInt(1n, 2n ** 256n - 1n),
    spoiled: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: spoiled }),
  })
  return fc
    .array(choice, { minLength: count, maxLength: count })
    .map((choices) => choices.map((chosen) => toStep(gauntlet, chosen)))
}

const threeOf = { minLength: 3, maxLength: 3 }
const leg = fc.record({ pool: fc.nat(), second: fc.nat(), isSplit: fc.nat(5), share: fc.nat(9) })
const spoiled = fc.record({ where: fc.nat(), what: fc.nat(), value: fc.nat() })
const smallGas = fc.bigInt(60_000n, 1_200_000n)

type Leg = { pool: number; second: number; isSplit: number; share: number }
type Choice = {
  ends: [number, number]
  middle: [number, number]
  branches: { weight: number; stops: number; legs: Leg[] }[]
  amount: bigint
  least: bigint
  flags: bigint
  feePpm: number
  people: [number, number]
  gas: bigint
  seed: bigint
  spoiled: { where: number; what: number; value: number } | null
}

function toStep(gauntlet: Gauntlet, choice: Choice): Step {
  const { stage, seller, rogues } = gauntlet
  const tokens = tokensOf(gauntlet, choice)
  const weights = choice.branches.reduce((sum, { weight }) => sum + weight + 1, 0)
  const branches = choice.branches.map(({ weight, stops, legs }, index) => ({
    weight: index + 1 === choice.branches.length ? 0 : Math.floor(((weight + 1) * 1_000_000) / weights),
    hops: hopsAlong(gauntlet, tokens, stops, legs),
  }))
  const people = [seller, stage.referrer, ...rogues, stage.router]
  const ask: Ask = {
    ...{ tokens, branches, from: seller },
    ...{ amount: choice.amount, least: choice.least, flags: choice.flags, feePpm: choice.feePpm },
    // The router as the recipient always reverts (WrongDstReceiver).
    to: pick(people.slice(0, -1), choice.people[0]),
    referrer: pick(people, choice.people[1]),
  }
  const spoiled = choice.spoiled ? spoil(gauntlet, ask, choice.spoiled) : ask
  const tokensWith = (tokenOf: typeof boughtFrom) =>
    rogues.map((rogue) => tokenOf(rogue, spoiled) ?? stage.tokens.WETH)
  const [paid, taken] = [tokensWith(boughtFrom), tokensWith(soldTo)]
  return { ask: spoiled, gas: choice.gas, seed: choice.seed, paid, taken }
}

function tokensOf({ stage, tokens }: Gauntlet, { ends, middle }: Choice): Address[] {
  const { WETH: weth } = stage.tokens
  const src = pick(tokens, ends[0])
  const dst = pick(
    tokens.filter((token) => token !== src),
    ends[1],
  )
  const inner = middle.map((number) => pick(tokens, number)).filter((token) => token !== native)
  const all = [src, ...(src === native ? [weth] : []), ...inner, ...(dst === native ? [weth] : []), dst]
  return [...new Set(all.filter((token) => token !== dst)), dst]
}

/** The bits of `stops` select intermediate tokens. */
function hopsAlong(
  gauntlet: Gauntlet,
  tokens: readonly Address[],
  stops: number,
  legs: readonly Leg[],
): Hop[] {
  const last = tokens.length - 1
  const path = tokens.flatMap((token, index) => {
    const isEnd = index === 0 || index === last
    const besideCoin =
      token === gauntlet.stage.tokens.WETH && (tokens[0] === native || tokens[last] === native)
    return isEnd || besideCoin || (stops >> index) % 2 === 1 ? [index] : []
  })
  return path.slice(1).flatMap((to, index): Hop[] => {
    const from = path[index]!
    const [sold, bought] = [tokens[from]!, tokens[to]!]
    const { pool, second, isSplit, share } = legs[index % legs.length]!
    if (sold === native || bought === native) {
      const kind = sold === native ? wrap : unwrap
      return [{ from, to, ...(pool % 3 === 0 ? pick(gauntlet.nativeCrooks, pool >> 2) : { kind }) }]
    }
    const one = { from, to, ...poolFor(gauntlet, sold, bought, pool) }
    if (isSplit !== 1) return [one]
    return [
      { ...one, weight: (share + 1) * 90_000 },
      { from, to, ...poolFor(gauntlet, sold, bought, second) },
    ]
  })
}

function poolFor({ ways, crooks }: Gauntlet, sold: Address, bought: Address, number: number) {
  const fitting = ways.filter(([one, other]) => [one, other].includes(sold) && [one, other].includes(bought))
  if (fitting.length > 0 && number % 4 > 0) return pick(fitting, number >> 2)[2]
  return pick(crooks, number >> 2)
}

function boughtFrom(pool: Address, { tokens, branches = [] }: Ask): Address | undefined {
  const hop = branches.flatMap(({ hops }) => hops).find((each) => each.pool === pool)
  return hop && tokens[hop.to]
}

function soldTo(pool: Address, { tokens, branches = [] }: Ask): Address | undefined {
  const hop = branches.flatMap(({ hops }) => hops).find((each) => each.pool === pool)
  return hop && tokens[hop.from]
}

function spoil(gauntlet: Gauntlet, ask: Ask, { where, what, value }: NonNullable<Choice['spoiled']>): Ask {
  const { tokens } = gauntlet
  const branches = ask.branches!
  const at = where % branches.length
  const ofBranch = branches[at]!
  const hopAt = (where >> 4) % ofBranch.hops.length
  const change = (changed: Partial<Hop>): Ask => {
    const hops = ofBranch.hops.map((hop, index) => (index === hopAt ? { ...hop, ...changed } : hop))
    return {
      ...ask,
      branches: branches.map((each, index): Branch => (index === at ? { ...each, hops } : each)),
    }
  }
  const spoils: (() => Ask)[] = [
    () => change({ kind: value % 11 }),
    () => change({ from: value % 5 }),
    () => change({ to: value % 5 }),
    () => change({ weight: value % 1_200_000 }),
    () => change({ fee: pick([0, 100, 999_999, 1_000_000], value) }),
    () =>
      change({ pool: pick([...tokens, gauntlet.seller, ...Object.values(gauntlet.stage.contracts)], value) }),
    () => change(pick(gauntlet.ways, value)[2]),
    () => ({ ...ask, branches: branches.map((each) => ({ ...each, weight: value % 1_200_000 })) }),
    () => ({ ...ask, branches: [...branches, ofBranch] }),
    () => ({ ...ask, tokens: ask.tokens.toSpliced(value % ask.tokens.length, 1) }),
    () => ({ ...ask, tokens: [...ask.tokens.slice(0, -1), pick(tokens, value), ask.tokens.at(-1)!] }),
    () => ({ ...ask, value: BigInt(value % 3) }),
    () => ({ ...ask, flags: BigInt(value % 16) }),
    () => ({ ...ask, srcToken: pick(tokens, value) }),
    () => ({ ...ask, amount: pick([0n, 2n ** 160n, 2n ** 255n], value) }),
    () => ({ ...ask, permit: `0x${'00'.repeat(32 * pick([7, 8, 12, 3], value))}` }),
  ]
  return pick(spoils, what)()
}

function pick<T>(among: readonly T[], number: number): T {
  return among[number % among.length]!
}
