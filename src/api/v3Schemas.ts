import * as v from 'valibot'
import { address, amount, gas, label, percent, source, sourceId, transaction } from './schemas.ts'
import { readStep } from './v3Route.ts'

// Service-interface, Legacy interface.

const piece = v.pipe(
  v.object({ name: label(100), part: percent, fromTokenAddress: address, toTokenAddress: address }),
  v.transform(({ name, part, fromTokenAddress, toTokenAddress }) => ({
    name,
    part,
    sell: fromTokenAddress,
    buy: toTokenAddress,
  })),
)
const step = v.pipe(
  v.array(piece),
  v.minLength(1),
  v.check((pieces) => pieces.every(({ sell, buy }) => sell === pieces[0]?.sell && buy === pieces[0].buy)),
  v.transform(readStep),
)
const route = v.pipe(v.array(v.pipe(v.array(step), v.maxLength(20))), v.maxLength(100))

const token = v.object({ address })
const offer = {
  fromToken: token,
  toToken: token,
  fromTokenAmount: amount,
  toTokenAmount: amount,
  protocols: route,
}

export const quoteResponse = v.object({ ...offer, estimatedGas: gas })

export const swapResponse = v.object({ ...offer, tx: transaction })

export const protocolsResponse = v.object({ protocols: v.array(sourceId) })

export const imagesResponse = v.object({ protocols: v.array(source) })
