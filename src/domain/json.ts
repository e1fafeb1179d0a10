const tag = '#bigint'

/** `value` as JSON text in which bigints survive: `{"#bigint":"12"}`. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? { [tag]: item.toString() } : item,
  )
}

/** What `encode` was given. Throws a SyntaxError on text that is not JSON. */
export function decode(text: string): unknown {
  return JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !Object.hasOwn(item, tag)) return item
    return BigInt((item as Record<string, string>)[tag] ?? '')
  })
}

/** Undefined, which JSON cannot say, when `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same when it is nothing that has fields. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
