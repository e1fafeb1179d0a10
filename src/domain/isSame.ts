/** Compares content, in any order of keys. Falsy values are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return write(one) === write(other)
}

function write(value: unknown): string {
  return JSON.stringify(value || null, (_key, item: unknown) => {
    if (typeof item === 'bigint') return item.toString()
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
