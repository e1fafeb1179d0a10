import * as v from 'valibot'
import type { Network } from '../domain/network/network.ts'
import type { Address } from '../domain/token/token.ts'
import type { HttpDeps } from '../httpClient.ts'
import { createHttp } from './http.ts'

/** US dollars of a whole token, as decimal digits with at most one dot. */
export type ServicePrices = { [token: Address]: string }

/**
 * Reads the service's prices of its whole list, without naming a token. One request, without retries. Omits
 * what is no price. Throws `refused-request` or `service-garbled` where the service has none.
 */
export async function getServicePrices(
  { chainId, serviceUrl, serviceKey }: Network,
  parts: HttpDeps = {},
): Promise<ServicePrices> {
  // Public services keep prices beside their swap API.
  const baseUrl = serviceUrl.replace(/\/swap\/*$/, '')
  const http = createHttp({ ...parts, baseUrl, key: serviceKey, retries: 0 })
  return http.get(`/price/v1.1/${chainId}`, { currency: 'USD' }, pricesShape)
}

/** 1 MB of entries at most. An array is an object for valibot. */
const pricesShape = v.pipe(
  v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  v.transform((listed): ServicePrices => {
    const found = Object.entries(listed).flatMap(([token, price]) => {
      const address = token.toLowerCase()
      const text = typeof price === 'number' ? toDigits(price) : price
      return /^0x[0-9a-f]{40}$/.test(address) && typeof text === 'string' && isPrice(text)
        ? [[address, text]]
        : []
    })
    return Object.fromEntries(found)
  }),
)

/** Without an exponent. */
function toDigits(price: number): string {
  return price > 0 && price < 1e9 ? price.toFixed(20) : ''
}

/** Positive, and below a billion dollars. */
function isPrice(text: string): boolean {
  return /^\d{1,9}(\.\d{1,60})?$/.test(text) && /[1-9]/.test(text)
}
