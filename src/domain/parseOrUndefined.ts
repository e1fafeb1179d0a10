import { type GenericSchema, type InferOutput, safeParse } from 'valibot'

export function parseOrUndefined<Shape extends GenericSchema>(
  shape: Shape,
  value: unknown,
): InferOutput<Shape> | undefined {
  const result = safeParse(shape, value)
  return result.success ? result.output : undefined
}
