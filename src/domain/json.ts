const tag = '#bigint'

/** Encodes JSON with bigints as {"#bigint":"12"}. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? { [tag]: item.toString() } : item,
  )
}

/** Reverses `encode`. Throws a SyntaxError on text that is not JSON. */
export function decode(text: string): unknown {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !Object.hasOwn(item, tag)) return item
    return BigInt((item as Record<string, string>)[tag] ?? '')
  })
}

/** Returns undefined when `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns undefined also for values without fields. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
