import { type Address, concat, type Hex, slice, zeroAddress, zeroHash } from 'viem'
import { encodeHopWord, encodeRouteWords, type HopWord } from '../../helpers/routeWords.ts'

export const native: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const [wrap, unwrap, v2, v3, balancer, solidly] = [0, 1, 2, 3, 4, 5] as const
export const [curve, v4, vaultV3, converter] = [6, 7, 8, 9] as const
export const [partialFill, usePermit2] = [1n, 4n] as const

export type Hop = {
  kind: number
  from: number
  to: number
  pool?: Address
  fee?: number
  weight?: number
  aux?: Hex
}
export type Branch = { weight?: number; hops: readonly Hop[] }

/** Omitted fields get an honest caller's values. */
export type Ask = {
  tokens: readonly Address[]
  hops?: readonly Hop[]
  branches?: readonly Branch[]
  amount: bigint
  least?: bigint
  from?: Address
  to?: Address
  value?: bigint
  feePpm?: number
  referrer?: Address
  deadline?: bigint
  permit?: Hex
  router?: Address
  executor?: Address
  srcToken?: Address
  dstToken?: Address
  srcReceiver?: Address
  flags?: bigint
  data?: Hex
}

export function branchesOf({ branches, hops = [] }: Pick<Ask, 'branches' | 'hops'>): readonly Branch[] {
  return branches ?? [{ hops }]
}

export function encodeRoute(ask: Omit<Ask, 'amount'>): Hex {
  const { tokens, feePpm = 0, referrer = zeroAddress, deadline = 2n ** 40n, permit = '0x' } = ask
  const branches = branchesOf(ask).map(({ weight = 0, hops }) => ({ weight, hops: hops.map(toWord) }))
  return encodeRouteWords({
    ...{ connectors: tokens.slice(1, -1), branches, feePpm, referrer, deadline, permit },
  })
}

export function encodeHops(hops: readonly Hop[]): Hex {
  return concat(hops.map((hop) => encodeHopWord(toWord(hop))))
}

/** The vault's pool ids end in 16 bits of specialization and 80 of a nonce. */
function toWord({ kind, from, to, pool = zeroAddress, fee = 0, weight = 0, aux = zeroHash }: Hop): HopWord {
  const suffix = Number(concat([slice(aux, 20, 22), slice(aux, 28)]))
  return { pool, detail: kind === balancer ? suffix : fee, kind, from, to, weight }
}
