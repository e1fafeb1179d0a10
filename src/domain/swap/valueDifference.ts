/** US dollars with eight decimals: costs positive, gains negative. */
export type ValueDifference = {
  /** Between what is paid and what is received, each at its token's price. */
  total: bigint
  impact: bigint
  /** Partner fee, and fee that the token takes on transfers. */
  fees: bigint
  /** Left by the sources of the two prices, which differ from the prices in the pools. */
  sources: bigint
}

type Values = { paid: bigint; received: bigint; impact: bigint; fees: bigint }

/** Splits the difference of the two values shown into its causes, whose sum it is. */
export function splitValueDifference({ paid, received, impact, fees }: Values): ValueDifference {
  const total = paid - received
  return { total, impact, fees, sources: total - impact - fees }
}
