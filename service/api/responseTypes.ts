import { z } from 'zod'

// These schemas type the handlers, and tests check every response.

/** Names a schema in the OpenAPI document. */
export function name<Shape extends z.ZodType>(id: string, shape: Shape): Shape {
  return shape.meta({ id })
}

export const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .meta({ format: 'address' })
export const amount = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .meta({ format: 'uint256' })
export const hex = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/)
  .meta({ format: 'bytes' })
export const gas = z.int().positive()
export const logoURI = z
  .string()
  .regex(/^(https?:\/\/|data:image\/)/i)
  .meta({ description: 'URL of a picture: the token list’s, else one that is served here.' })

export const transaction = {
  from: address.meta({ description: 'Who sends it.' }),
  to: address.meta({ description: 'The router.' }),
  data: hex,
  value: amount.meta({ description: 'Wei to send along: the amount when the native coin is sold, else 0.' }),
  gasPrice: amount.meta({ description: 'Wei per gas.' }),
}
