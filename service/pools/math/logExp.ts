/**
 * Powers of numbers with 18 decimals, exactly like balancer-v2-monorepo: LogExpMath.sol. BigInt divides like
 * Solidity, towards zero.
 */

const one18 = 10n ** 18n
const one20 = 10n ** 20n
const one36 = 10n ** 36n

/** Returns x^y. Throws a RangeError where the contract reverts. */
export function pow(x: bigint, y: bigint): bigint {
  if (y === 0n) return one18
  if (x === 0n) return 0n
  if (x >= maxBase || y >= maxExponent) throw new RangeError(`${x}^${y} is out of the contract's bounds.`)
  const isNearOne = x > one18 - nearOne && x < one18 + nearOne
  const logarithm = (isNearOne ? timesPreciseLn(x, y) : ln(x) * y) / one18
  if (logarithm < minPower || logarithm > maxPower) {
    throw new RangeError(`${x}^${y} is out of the contract's bounds.`)
  }
  return exp(logarithm)
}

const maxBase = 2n ** 255n
/** MILD_EXPONENT_BOUND */
const maxExponent = 2n ** 254n / one20
/** MIN_NATURAL_EXPONENT and MAX_NATURAL_EXPONENT */
const minPower = -41n * one18
const maxPower = 130n * one18
/** LN_36_LOWER_BOUND and LN_36_UPPER_BOUND: within, 36 decimals. */
const nearOne = one18 / 10n

/** e^128 and e^64 as integers, to avoid overflow. */
const large = [
  { x: 128n * one18, a: 38877084059945950922200000000000000000000000000000000000n },
  { x: 64n * one18, a: 6235149080811616882910000000n },
]

/** e^32, e^16, … e^(1/16) with 20 decimals, rounded like the contract. */
const small = [
  { x: 32_00000000000000000000n, a: 7896296018268069516100000000000000n },
  { x: 16_00000000000000000000n, a: 888611052050787263676000000n },
  { x: 8_00000000000000000000n, a: 298095798704172827474000n },
  { x: 4_00000000000000000000n, a: 5459815003314423907810n },
  { x: 2_00000000000000000000n, a: 738905609893065022723n },
  { x: 1_00000000000000000000n, a: 271828182845904523536n },
  { x: 50000000000000000000n, a: 164872127070012814685n },
  { x: 25000000000000000000n, a: 128402541668774148407n },
  { x: 12500000000000000000n, a: 113314845306682631683n },
  { x: 6250000000000000000n, a: 106449445891785942956n },
]
/** Below a quarter, twelve terms of the series suffice. */
const smallOfExp = small.slice(0, 8)

function exp(power: bigint): bigint {
  if (power < 0n) return one36 / exp(-power)
  let x = power
  let whole = 1n
  const first = large.find((step) => x >= step.x)
  if (first) {
    x -= first.x
    whole = first.a
  }
  x *= 100n
  let product = one20
  for (const step of smallOfExp) {
    if (x < step.x) continue
    x -= step.x
    product = (product * step.a) / one20
  }
  let term = x
  let sum = one20 + x
  for (let n = 2n; n <= 12n; n++) {
    term = (term * x) / one20 / n
    sum += term
  }
  return (((product * sum) / one20) * whole) / 100n
}

function ln(value: bigint): bigint {
  if (value < one18) return -ln(one36 / value)
  let a = value
  let sum = 0n
  for (const step of large) {
    if (a < step.a * one18) continue
    a /= step.a
    sum += step.x
  }
  a *= 100n
  sum *= 100n
  for (const step of small) {
    if (a < step.a) continue
    a = (a * one20) / step.a
    sum += step.x
  }
  return (sum + logSeries(a, one20, 11n)) / 100n
}

/** y·ln(x) for x near one, with 18 extra decimals; in two parts to fit 256 bits. */
function timesPreciseLn(x: bigint, y: bigint): bigint {
  const precise = logSeries(x * one18, one36, 15n)
  return (precise / one18) * y + ((precise % one18) * y) / one18
}

/** ln(a) = 2·(z + z³/3 + z⁵/5 + …), z = (a - 1)/(a + 1), up to the power `last`. */
function logSeries(a: bigint, one: bigint, last: bigint): bigint {
  const z = ((a - one) * one) / (a + one)
  const square = (z * z) / one
  let power = z
  let sum = z
  for (let n = 3n; n <= last; n += 2n) {
    power = (power * square) / one
    sum += power / n
  }
  return 2n * sum
}
