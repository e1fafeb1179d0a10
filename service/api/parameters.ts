import * as value from './parameterTypes.ts'

export const sellToken = value.address.meta({ description: 'The token to sell.' })
export const buyToken = value.address.meta({ description: 'The token to buy.' })
export const sellAmount = value.positiveAmount.meta({
  description: 'How much to sell, in base units, a partner fee included.',
})

export const sources = value.list.meta({
  description: 'Ids of the liquidity sources to use, with commas between, in exact case. All when absent.',
})
export const excludedSources = value.list.meta({
  description:
    'Ids of liquidity sources not to use, with commas between. With `WETH` among them the native coin is not wrapped: ' +
    'it then has no route, since pools hold the wrapped one.',
})

export const fee = value
  .partsPerMillion(3n)
  .prefault('0')
  .meta({
    description:
      'Partner fee in percent of the amount, at most 18 decimals, of which 4 count: it is rounded down to millionths. It is taken ' +
      'before the swap; the same for quote and swap.',
  })

export const gasPrice = value.amount.meta({
  description:
    'Wei per gas, at most 10,000 gwei: what a hop costs is weighed against what it adds. The network’s fast price ' +
    'when absent; 0 ignores gas, and is for quotes only. The same for quote and swap.',
})

export const complexityLevel = value.count(0, 2).prefault('2').meta({
  description:
    'Most connector tokens on one path: `0` trades in direct pools only, `1` allows one, `2` sets no bound on the length.',
})

/** 0 means the default, which is also the maximum in use. */
function pieces(max: number, ours: number) {
  return value
    .count(0, max)
    .transform((parts) => Math.min(parts || ours, ours))
    .prefault(String(ours))
}

export const parts = pieces(50, 50).meta({
  description: 'Most pieces the whole route is split into. 0 stands for the default.',
})

export const mainRouteParts = pieces(10, 10).meta({
  description: 'Most branches that leave the sold token. 0 stands for the default.',
})

// Version 3.0 accepts larger upper bounds; routes within ours respect them.

export const complexityText = value.count(0, 3).prefault('2').meta({
  type: 'string',
  minimum: undefined,
  maximum: undefined,
  pattern: '^[0-3]$',
  description: 'Most connector tokens in the whole route, `0` to `3`.',
})

export const manyParts = pieces(100, 50).meta({
  description: 'Most pieces of the route; none here has more than 50. 0 stands for the default.',
})

export const manyMainRouteParts = pieces(50, 10).meta({
  description: 'Most main routes; none here has more than 10. 0 stands for the default.',
})

export const gasLimit = value.count(100_000, 11_500_000).transform(BigInt).prefault('11500000').meta({
  description:
    'Most gas the route may be estimated at, and simulated at if a swap finds another. The same for quote and swap.',
})

export const connectors = value.connectors.meta({
  description:
    'How many connector tokens the whole route may use, 0 to 5, no bound when absent; or up to five addresses with commas ' +
    'between, which replace the chain’s own connectors. The same for quote and swap.',
})

export const connectorList = value.connectorList.meta({
  description:
    'Up to five token addresses with commas between, which replace the chain’s own connectors. The same for quote and swap.',
})

export const includeTokens = value.flag.meta({ description: 'Also answer what is known of both tokens.' })
export const includeRoute = value.flag.meta({ description: 'Also answer the route.' })
export const includeGas = value.flag.meta({
  description: 'Also answer the gas the swap will use, estimated.',
})

export const payer = value.address.meta({ description: 'Who calls the router and pays.' })
export const origin = value.address.meta({
  description:
    'The externally owned account that starts the transaction: the payer, or whoever calls its contract.',
})
export const originOrPayer = value.address.meta({
  description:
    'The externally owned account that starts the transaction, if not the payer, which it is when absent.',
})
export const receiver = value.nonZeroAddress.meta({
  description: 'Who gets what is bought. The payer when absent.',
})
export const referrer = value.address.meta({ description: 'Who gets the partner fee; required with one.' })

export const slippage = value.percent(50n, 'SLIPPAGE_TOO_HIGH').meta({
  description:
    'How far below the answered amount the swap may end, in percent, at most 18 decimals: the minimum is rounded down.',
})
export const minReturn = value.amount.meta({
  description:
    'The least to be bought, in base units. Instead of `slippage`: exactly one of the two is needed.',
})

export const permit = value.hexWords(7, 8, 12).meta({
  description:
    'Arguments of a permit without the selector: 7 words of EIP-2612’s or 8 of DAI’s. With `usePermit2`: 12 words, ' +
    'those of Permit2’s `permit(owner, PermitSingle, signature)` with a signature of 65 bytes.',
})

export const allowPartialFill = value.flag.meta({
  description:
    'A branch that fails gives its share of the sold token back, and the minimum holds in proportion to what was sold.',
})
export const compatibility = value.flag.meta({
  description: 'Also swap tokens that charge a fee on transfer, for what arrives.',
})
export const disableEstimate = value.flag.meta({
  description:
    'Do not try the swap out on chain: neither balance nor allowance is looked at, and `gas` is estimated.',
})
export const usePatching = value.flag.meta({
  description:
    'The caller’s contract changes the amount in the calldata. Nothing else needs a patch: calldata holds shares.',
})
export const usePermit2 = value.flag.meta({
  description: 'The approval was given to Permit2, through which the router then pulls.',
})
export const forceApprove = value.flag.meta({
  description: 'Try the swap out as if the router were approved already.',
})
export const createAccessList = value.flag.meta({
  description: 'Also answer `accessList` (EIP-2930), which may be empty, and `gasUsed`.',
})
export const burnChi = value.flag.meta({
  description: 'Accepted, and without effect: there is no gas token to burn.',
})

export const approvalToken = value.address.meta({ description: 'The token that is to be sold.' })
export const approvalAmount = value.amount.meta({
  description:
    'How much the router may spend, in base units; 0 takes the approval back. Without end when absent; empty is refused.',
})
export const exactApproval = value.amount.meta({
  description:
    'How much the router may spend, in base units; 0 locks the token. Never together with `infinity`.',
})
export const infinity = value.trueOrFalse.meta({
  description: 'Let the router spend without end. Never together with `amount`.',
})
export const currency = value
  .text(/^USD$/i, 'is not USD, the only currency there is')
  .transform(() => 'USD' as const)
  .meta({ description: 'The currency of the prices: `USD`.', pattern: '^[Uu][Ss][Dd]$' })
export const owner = value.address.meta({ description: 'The wallet whose allowance is read.' })
