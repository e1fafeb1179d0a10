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
