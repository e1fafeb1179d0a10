/** L1 fees of calldata, in gas at the request's price; they guide the search and are not part of its gas. */
export type L1Gas = { hop: number; connector: number }

/** Bytes of their words (contracts/Route.sol) after compression: nonzero ones and runs of zeros. */
const hopBytes = 28
const connectorBytes = 23

/** Both in wei, per gas and per byte. */
export type L1Prices = { gasPrice: bigint; l1ByteFee?: bigint }

export function toL1Gas({ gasPrice, l1ByteFee = 0n }: L1Prices): L1Gas {
  const perByte = gasPrice === 0n ? 0 : Number(l1ByteFee) / Number(gasPrice)
  return { hop: perByte * hopBytes, connector: perByte * connectorBytes }
}
