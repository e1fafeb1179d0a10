import { routeLimits } from '../../domain/swap/routeOptions.ts'
import { toWalletError } from '../../errors.ts'
import type { RouteGas } from '../swap/gasLimits.ts'
import { isTransient } from './retryPolicy.ts'

/** Wei: of the step, and with all later steps. */
export type StepCost = { fee: bigint; total: bigint }

type Request<Step> = {
  newest: Step
  /** `mostRouteGas`: only routes that use at most this gas. */
  build(mostRouteGas: number): Promise<Step>
  price(step: Step): Promise<StepCost>
  /** Most that the step and later ones may cost, in wei. */
  room: bigint
  /** Wei per gas. */
  gasPrice: bigint
  /** Most gas of a route that the user allows. */
  ownLimit: number | undefined
}

/**
 * Returns the newest step, or one with a cheaper route if its fee exceeds `room`: of two routes with nearly
 * the same return after gas, one may need twice the gas, and the smallest move of a price decides between
 * them. Returns the newest step if there is no cheaper route; the caller refuses its fee.
 */
export async function fitRoute<Step extends { routeGas?: RouteGas }>({
  newest,
  build,
  price,
  room,
  gasPrice,
  ownLimit,
}: Request<Step>): Promise<Priced<Step>> {
  const first = { built: newest, ...(await price(newest)) }
  const most = newest.routeGas && fittingGas(newest.routeGas, first.total - room, gasPrice)
  const [least, highest] = routeLimits.gasLimit
  if (most === undefined || most < least) return first
  const limit = Math.min(Number(most), ownLimit ?? highest, highest)
  try {
    const built = await build(limit)
    return { built, ...(await price(built)) }
  } catch (error) {
    if (isTransient(toWalletError(error))) throw error
    return first
  }
}

type Priced<Step> = StepCost & { built: Step }

/** Undefined unless the fee is `excess` wei too high. */
function fittingGas({ limit, used }: RouteGas, excess: bigint, gasPrice: bigint): bigint | undefined {
  if (excess <= 0n || gasPrice <= 0n || limit <= 0n) return undefined
  const left = limit - (excess + gasPrice - 1n) / gasPrice
  // The ratio of limit to use differs by route.
  return (((left * used) / limit) * 19n) / 20n
}
